package asm

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// allocated returns the total number of bytes that f allocates on the heap.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// many returns a text that repeats format for n numbers.
func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
	}
	return b.String()
}

// Splitting a text takes a few bytes per line, not per character.
func TestMemoryOfLines(t *testing.T) {
	text := strings.Repeat(strings.Repeat("x", 99)+"\n", 1000)
	var lines []string
	require.Less(t, allocated(func() { lines = splitLines(text, maxLines) }), uint64(len(text)))
	require.Len(t, lines, 1000)
	require.Len(t, splitLines(text, 10), 11, "the last one is the rest")
	require.Equal(t, []string{""}, splitLines("", 10))
	require.Equal(t, []string{"a", "", "b"}, splitLines("\ufeffa\r\n\nb\n", 10))
}

// Short programs that would grow without end are rejected with little memory.
func TestExplosions(t *testing.T) {
	long := `"` + strings.Repeat("s", 60_000) + `"`
	for _, c := range []struct{ name, text, message string }{
		{
			"a number that doubles", ".macro a x\na \\x\\x\n.endm\na 1",
			"x.s:2:3: 11111111111111111111111111111111 is out of range",
		},
		{
			"a string in a word", ".macro a x\na \\x\\x\n.endm\na \"s\"",
			`x.s:2:3: the parameter stands for "s", which cannot be part of a word`,
		},
		{
			"parentheses in a word", ".macro a x\na \\x\\x\n.endm\na (1)",
			"x.s:2:3: the parameter stands for (1), which cannot be part of a word",
		},
		{"a name that doubles", ".macro a x\na \\x\\x\n.endm\na b", "the word is longer than 1000 characters"},
		{
			"two names that grow", ".macro a x, y\na \\x\\y, \\y\\x\n.endm\na b, c",
			"the word is longer than 1000 characters",
		},
		{"tokens that double", ".macro a x\na (\\x \\x)\n.endm\na 1", "the line has grown to more than 10000 tokens"},
		{
			"strings that double", ".macro a x\na \\x \\x\n.endm\na \"" + strings.Repeat("s", 30) + `"`,
			"x.s:2:6: the line has grown to more than 10000 tokens\n    a \\x \\x\n         ^",
		},
		{
			"a default that doubles", ".macro a x\n.macro b\\@ y=\\x \\x\n.endm\na \\x \\x\n.endm\na \"ssssss\"",
			"the line has grown to more than 10000 tokens",
		},
		{"one line with the argument often", ".macro a x\n.word " + strings.Repeat("\\x,", 20_000) +
			"1\n.endm\na " + long, "the line has grown to more than 10000 tokens"},
		{
			"many lines with a long argument", ".macro a x\n.if 0 == 0 ; \\x\n" + strings.Repeat("b \\x\n", 400) +
				".endif\n.endm\n.macro b x\n.endm\na " + long,
			"x.s:281:1: the program has grown to more than 16777216 characters: does a macro call itself without end?",
		},
		{"lines that are skipped", ".macro a\n.if 0\n" + strings.Repeat(strings.Repeat("x", 60_000)+"\n", 20) +
			".endif\n.endm\n" + strings.Repeat("a\n", 20), "the program has grown to more than 16777216 characters"},
		{
			"local names behind a long one", strings.Repeat("o", 990) + ":\n" + many(20_000, ".l#:\n"),
			"the program has grown to more than 16777216 characters: its names are too long",
		},
		{
			"values of a parameter with a long name", ".param " + strings.Repeat("o", 990) + many(4_900, ", v#") +
				"\n" +
				".param " + strings.Repeat("p", 990) + many(4_900, ", v#") + "\n.param " + strings.Repeat("q", 990) +
				many(4_900, ", v#") + "\n.param " + strings.Repeat("r", 990) + many(4_900, ", v#"),
			"the program has grown to more than 16777216 characters: its names are too long",
		},
		{"many parameters of a macro", ".macro a p" + many(maxParams, ", p#"), "a macro has at most 64 parameters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bytes := allocated(func() {
				_, l, err := Assemble("x.s", textOptions(c.text))
				require.NotNil(t, l)
				require.Less(t, len(err.Error()), 1<<18, "what is printed")
				if !strings.Contains(err.Error(), c.message) {
					t.Fatalf("%.2000s", err)
				}
			})
			require.Less(t, bytes, uint64(200<<20))
		})
	}
}

// A long line of bytes that are not text gives one error for each run of such bytes.
func TestNoText(t *testing.T) {
	line := strings.Repeat("\xff", 9_900)
	text := strings.Repeat("; a program\n", 1_000)
	bytes := allocated(func() {
		_, _, err := Assemble("x.s", textOptions(text+line))
		require.ErrorContains(t, err, "the program has 1 error\nx.s:1001:1: the 9900 bytes from 0xff on are not "+
			"UTF-8 text\n    "+strings.Repeat("\ufffd", 150)+"...\n    ^~~")
		_, _, err = Assemble("x.s", textOptions(text+strings.Repeat("\xff ", 4_950)))
		require.ErrorContains(t, err, "the program has 4,950 errors\nx.s:1001:1: the byte 0xff is not UTF-8 text")
		require.ErrorContains(t, err, "\nand 4900 more")
	})
	require.Less(t, bytes, uint64(20<<20))

	_, l, err := Assemble("x.s", textOptions(line))
	require.EqualError(t, err, "cannot read the program: x.s is binary data, or text in an encoding other than UTF-8, "+
		"not assembly text")
	require.Nil(t, l)
}

// Errors beyond those in the report are only counted, at almost no cost.
func TestManyErrors(t *testing.T) {
	n := 50_000
	for format, message := range map[string]string{
		"\tsned# r1\n":        `x.s:1:2: no instruction or macro is called "sned0"; did you mean "send"?`,
		"\t.word u#\n":        `x.s:1:8: "u0" is not defined`,
		"\t.error \"no #\"\n": "x.s:1:2: no 0",
		"\t.nosuch# 1\n":      "x.s:1:2: .nosuch0 is not a directive",
		"\t.word \\p#\n":      "x.s:1:8: \\p0 stands for a parameter",
		"\tnop #!\n":          "x.s:1:2: nop takes no operand",
	} {
		bytes := allocated(func() {
			_, _, err := Assemble("x.s", textOptions(many(n, format)))
			var e Errors
			require.ErrorAs(t, err, &e)
			require.Len(t, e.List, maxErrors)
			require.GreaterOrEqual(t, e.More, n-maxErrors)
			require.ErrorContains(t, err, message)
		})
		require.Less(t, bytes, uint64(n*2_000), "%q", format)
		n = 10_000 // one is enough
	}
}

// A report has a limited length, whatever its errors quote, as text and as JSON.
func TestLongErrors(t *testing.T) {
	long := strings.Repeat("é", 30_000)
	for name, text := range map[string]string{
		"texts":          many(100, ".assert 0, \"# "+long+"\"\n"),
		"own errors":     many(100, ".error \"# "+long+"\"\n"),
		"no numbers":     many(100, ".word 1"+strings.Repeat("x", 60_000)+"#\n"),
		"strings":        many(100, ".word \"# "+long+"\"\n"),
		"operands":       many(100, "mov \"# "+long+"\", r1\n"),
		"macros":         ".macro m x\n.word \\x u\n.endm\n" + many(100, "m \"# "+long+"\"\n"),
		"in many macros": many(90, ".macro m# x\nm{#} \\x ; "+long+"\n.endm\n") + many(100, "m5 \"\" ; "+long+"\n"),
	} {
		for i := range 90 {
			text = strings.ReplaceAll(text, fmt.Sprintf("m{%d}", i), fmt.Sprintf("m%d", i+1))
		}
		_, _, err := Assemble("x.s", textOptions(text))
		require.Error(t, err, name)
		require.Less(t, len(err.Error()), 300_000, name)
		var e Errors
		if !errors.As(err, &e) {
			continue
		}
		require.NotEmpty(t, e.List)
		keys, err := json.Marshal(e.Details())
		require.NoError(t, err)
		require.Less(t, len(keys), 2_000_000, name)
	}
}

// The report has the first errors of the program, whatever the order in which they are found.
func TestFirstErrors(t *testing.T) {
	text := many(40, "\t.word late#\n") + many(40, "\tearly# r1\n")
	_, _, err := Assemble("x.s", textOptions(text))
	var e Errors
	require.ErrorAs(t, err, &e)
	require.Equal(t, 80-maxErrors, e.More)
	for i, x := range e.List {
		require.Equal(t, i+1, x.Line)
	}
}

// Assembling a program takes less than 4,000 bytes of memory per name, and a program with more than maxNames names is
// an error.
func TestManyNames(t *testing.T) {
	n := 30_000
	for _, format := range []string{".arg a#, 0, 1, main\n", "l#: nop!\n", "c# = #\n"} {
		text := "main: nop!\n" + many(n, format)
		bytes := allocated(func() {
			o, l, err := Assemble("x.s", textOptions(text))
			require.NoError(t, err)
			require.GreaterOrEqual(t, len(o.Symbols)+len(o.Args), n)
			require.Contains(t, l.String(), fmt.Sprint(n-1))
		})
		require.Less(t, bytes, uint64(n*4_000), "%q", format)
		n = 10_000 // one is enough
	}
	var b strings.Builder
	for i := range maxNames + 1 {
		fmt.Fprintf(&b, "l%d:", i)
		if i%4_000 == 3_999 {
			b.WriteString("\n")
		}
	}
	_, _, err := Assemble("x.s", textOptions(b.String()))
	require.ErrorContains(t, err, fmt.Sprintf("the program has 1 error\nx.s:66:17153: the program has "+
		"more than %d names", maxNames))
	_, _, err = Assemble("x.s", textOptions(".arg a, 0, 1, 0\n.arg b, 0, 1, 0\n.arg a, 0, 1, 0"))
	require.ErrorContains(t, err, `x.s:3:6: the argument "a" is already declared at x.s:1:6`)
}

// One long name lengthens only its own line of the listing.
func TestListingOfLongName(t *testing.T) {
	_, l, err := Assemble("x.s", textOptions(strings.Repeat("o", 900)+":\n"+many(1_000, "l#: ")))
	require.NoError(t, err)
	require.Less(t, len(l.String()), 150_000)
	require.Contains(t, l.String(), "\nl999"+strings.Repeat(" ", maxColumn-4)+"  label  0")
}

// A number that is cut off is an error, even at the very end of a line.
func TestCutNumbers(t *testing.T) {
	for _, number := range []string{"1e", "1e+", "1e-", "1.5e+", "12E-"} {
		for _, text := range []string{
			".float " + number, ".float " + number + "\n", "x: .word " + number,
			".float " + number + ", 1",
		} {
			_, _, err := Assemble("x.s", textOptions(text))
			require.ErrorContains(t, err, fmt.Sprintf("%q is not a number", strings.TrimRight(number, "+-")),
				"%q", text)
		}
	}
	o := assemble(t, "\t.float 1e+2, 1e-1")
	require.Equal(t, []uint64{0x42c80000, 0x3dcccccd}, o.Sections[0].Words)
}

// A macro inside another one has its own parameters, and its strings stay
// unchanged.
func TestMacroInMacro(t *testing.T) {
	o := assemble(t, `
	.macro outer n, nn
	.macro inner nnn
	.word \n, \nn, \nnn, "\n\"\n", '\n', v\nnn\()\n ; \n
	.endm
	.endm
	outer 1, 2
	inner 3
v31 = 7
`)
	require.Equal(t, []uint64{1, 2, 3, '\n', '"', '\n', '\n', 7}, o.Sections[0].Words)
}

// Files that are not text, are too long, or do not end are rejected as programs and as included files.
func TestFilesThatAreNoPrograms(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		file := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		return file
	}
	for _, c := range []struct{ file, message string }{
		{put("run.ckp", "EMSIMCKP\x02"), "run.ckp is a checkpoint, not assembly text: emsim run --resume "},
		{
			put("machine.toml", "# mine\npes = 80\n"),
			"machine.toml is a TOML file, not assembly text: a machine is chosen by --machine ",
		},
		{
			put("noise", strings.Repeat("\xff\x80\x00", 99)),
			"noise is binary data, or text in an encoding other than UTF-8, not assembly text",
		},
		{
			put("long.s", strings.Repeat("; comment\n", maxText/10+1)),
			"long.s is too large: assembly text has at most 16 MiB, 64 bytes for each word of a PE's memory",
		},
		{os.DevNull, "is a device: expected a file"},
		{dir, "is a directory: expected a file"},
	} {
		_, _, err := Assemble(c.file, Options{})
		require.ErrorContains(t, err, "cannot read the program: ")
		require.ErrorContains(t, err, c.message)
		_, _, err = Assemble(put("main.s", fmt.Sprintf("\t.include %q\n", c.file)), Options{})
		require.ErrorContains(t, err, "main.s:1:11: cannot read the included file: ")
		require.ErrorContains(t, err, c.message)
		_, err = Load(c.file, Options{})
		require.ErrorContains(t, err, strings.Replace(c.message, "assembly text", "a program", 1)[:20])
	}
	_, _, err := Assemble(put("p.emo", "EMSIMOBJ"), Options{})
	require.ErrorContains(t, err, "p.emo is an object file, not assembly text: emsim run ")
}

// A file that is included several times is read once, but its text counts each time.
func TestIncludedOften(t *testing.T) {
	text, opened := "", 0
	open := func(name string) ([]byte, error) {
		if name == "main.s" {
			return []byte(strings.Repeat(".include \"x.s\"\n", 2_000) + ".error \"the end\""), nil
		}
		opened++
		return []byte(text), nil
	}
	_, _, err := Assemble("main.s", Options{Open: open})
	require.ErrorContains(t, err, "main.s:2001:1: the end")
	text = strings.Repeat("; "+strings.Repeat("x", 50_000)+"\n", 10)
	_, _, err = Assemble("main.s", Options{Open: open})
	require.ErrorContains(t, err, "main.s:34:10: the program has grown to more than 16777216 characters: this file "+
		"makes it too long")
	require.Equal(t, 2, opened)
}

// An object file cannot expand beyond its size.
func TestObjectBounds(t *testing.T) {
	values := func(n int) []string { return strings.Fields(many(n, "v# ")) }
	for message, o := range map[string]*Object{
		"whose names are too long": {Params: []Param{{
			Name:   strings.Repeat("p", 1_000),
			Values: values(20_000), Max: 19_999,
		}}},
		"or they are longer than 16777216": {Params: []Param{{
			Name: strings.Repeat("p", 980), Values: values(9_000),
			Max: 8_999,
		}, {Name: strings.Repeat("q", 980), Values: values(9_000), Max: 8_999}}},
		"parameters have more than 262144 v": {Params: []Param{
			{Name: "p", Values: values(150_000), Max: 149_999},
			{Name: "q", Values: values(150_000), Max: 149_999},
		}},
		"it has 262145 files, more than the": {Files: make([]string, maxNames+1)},
	} {
		file := o.Marshal()
		bytes := allocated(func() {
			_, err := Unmarshal(file)
			require.ErrorContains(t, err, message)
		})
		require.Less(t, bytes, uint64(100<<20), message)
	}
}

// Many labels at one address do not slow down a lookup.
func TestManyLabelsAtOneAddress(t *testing.T) {
	_, _, err := Assemble("x.s", textOptions(many(20_000, "l#:\n")+
		"\t.word 1\n"+strings.Repeat("\tjmp! l0\n\tgetseg! r1, l0\n", 10_000)))
	require.ErrorContains(t, err, "the program has 20,000 errors\nx.s:20002:2: there is data at the code address 0")
}
