package sweep

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
	"emsim/internal/dev/golden"
)

// plan reads a sweep file in an empty directory.
func plan(t *testing.T, text string) *Plan {
	t.Helper()
	p, err := Read(filepath.Join(t.TempDir(), "test.toml"), []byte(text))
	require.NoError(t, err)
	return p
}

const everything = `
title = "Everything"
max_clocks = 1_000_000

[[variant]]
name = "deep"
set = { fifo_words = 128 }
[[variant]]
name = "deep, own memory"
together = "deep"
set = { ibu_own_memory = true }

[[grid]]
program = ["fib  5", "queens 4"]
pes = 12
variant = "*"
param = { policy = ["ring", "line"] }
seed = [1, 7]

[[grid]]
program = "sum 100"
param = { block = 8 }
set.hop_clocks = [1, 2]
machine = "12"
runs = [1, 2]

[[grid]] # of its points the first grid has all but one
program = "fib 5"
pes = 12
param = { policy = "ring" }
variant = ["base", "deep"]
seed = [7, 8]
`

// A file becomes a list of command lines in the order of the file. The last list of a grid varies fastest. Points of
// two grids occur once.
func TestPlan(t *testing.T) {
	p := plan(t, everything)
	var b strings.Builder
	for i := range p.Points {
		x := &p.Points[i]
		b.WriteString(x.Variant + ": " + x.Command())
		if of := p.Cells[i].Base; of >= 0 && of != i {
			b.WriteString("  (base: row " + strconv.Itoa(of+1) + ")")
		}
		b.WriteByte('\n')
	}
	golden.Check(t, "plan.txt", []byte(b.String()))
	require.Equal(t, []string{"policy", "block"}, p.Params)
	require.Equal(t, []string{"fifo_words", "ibu_own_memory", "hop_clocks"}, p.Knobs)
	require.Equal(t, "Everything", p.Title)
	require.Equal(t, 128, p.Points[2].Config.FIFOWords)
	require.True(t, p.Points[4].Config.IBUOwnMemory)
}

// Files are relative to the sweep file. A point's ID depends on their contents, not on their place.
func TestPlanFiles(t *testing.T) {
	text := []byte("[[grid]]\nprogram = [\"p.s\", \"q.s\"]\nmachine = \"m.toml\"\n")
	prog := ".start main\nmain: out! r0\n"
	var ids []string
	for _, body := range []string{prog, prog, strings.Replace(prog, "r0", "r2", 1)} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "p.s"), []byte(body), 0o600))
		require.NoError(t,
			os.WriteFile(filepath.Join(dir, "q.s"), []byte("; another text, the same words\n"+body), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(dir, "m.toml"), []byte("pes = 12\nhop_clocks = 3\n"), 0o600))
		p, err := Read(filepath.Join(dir, "x.toml"), text)
		require.NoError(t, err)
		require.Equal(t, 3, p.Points[0].Config.HopClocks)
		require.Equal(t, "m.toml", p.Points[0].Machine)
		var a, b Definition
		require.NoError(t, json.Unmarshal(p.Points[0].definition, &a))
		require.NoError(t, json.Unmarshal(p.Points[1].definition, &b))
		require.Equal(t, a.SHA256, b.SHA256)
		require.Equal(t, "p.s", a.Program)
		ids = append(ids, p.Points[0].ID)
	}
	require.Equal(t, ids[0], ids[1])
	require.NotEqual(t, ids[0], ids[2])
}

// A point's ID changes with everything that determines its result, and with nothing else.
func TestPointID(t *testing.T) {
	one := func(more string) string {
		p := plan(t, more)
		require.Len(t, p.Points, 1)
		return p.Points[0].ID
	}
	const fib = "[[grid]]\nprogram = \"fib 5\"\npes = 12\n"
	first := one(fib)
	require.Regexp(t, `^fib-5-12pes-[0-9a-f]{16}$`, first)
	for _, other := range []string{
		strings.Replace(fib, "5", "6", 1), strings.Replace(fib, "12", "32", 1), fib + "seed = 2", fib + "runs = 2",
		fib + "param = {policy = \"line\"}", fib + "set = {hop_clocks = 2}", "max_clocks = 9\n" + fib,
	} {
		require.NotEqual(t, first, one(other), other)
	}
	for _, same := range []string{
		"title = \"x\"\n" + fib, fib + "machine = \"12\"", fib + "param = {policy = \"ring\"}",
		fib + "set = {hop_clocks = 3}",
		"[[variant]]\nname = \"v\"\nset = {hop_clocks = 3}\n" + fib + "variant = \"v\"",
	} {
		require.Equal(t, first, one(same), same)
	}
}

func TestErrors(t *testing.T) {
	const fib = "[[grid]]\nprogram = \"fib 5\"\n"
	for _, c := range []struct{ text, want string }{
		{"", "test.toml: the file has no [[grid]]"},
		{"[[grid]", "1:7: this is not TOML: "},
		{"a = 1\na = 2", "2:1: this is not TOML: key a is already defined"},
		{"pes = 99999999999999999999", "1:7: this is not TOML: "},
		{"\xff", "1:1: this is not TOML: "},
		{fib + "x = \"\xff\"", "this is not TOML: "},
		{fib + "titel = 1", "3:1: a grid has no key \"titel\"; it has program, machine"},
		{"titel = 1\n" + fib, "1:1: a sweep file has no key \"titel\"; did you mean \"title\"?\n    titel = 1\n    ^~~~~"},
		{"title = 1\n" + fib, "1:9: title is a string, not 1"},
		{"max_clocks = -1\n" + fib, "1:14: max_clocks is -1, it must be at least 0"},
		{"max_clocks = 1.5\n" + fib, "1:14: max_clocks is a whole number, not 1.5"},
		{"grid = 3", "1:8: grid is a list of tables, not 3: write [[grid]]"},
		{"[grid]\nprogram = \"fib 5\"", "1:2: grid is a list of tables: write [[grid]]"},
		{"grid = [{program = \"fib 5\"}, 3]", "1:1: grid is a list of tables, not a list: write [[grid]]"},
		{"[[grid]]\npes = 12", "1:3: the grid has no program"},
		{"[[grid]]\nprogram = 5", "2:11: program is a string, not 5"},
		{"[[grid]]\nprogram = \"\"", "2:11: which program?"},
		{"[[grid]]\nprogram = [\"fib 5\", \"fbi 5\"]", "2:21: no program is called \"fbi\": expected fib, "},
		{"[[grid]]\nprogram = \"none.s\"", "2:11: there is no file"},
		{"[[grid]]\nprogram = \"fib\"", "2:11: fib takes 1 argument: n (1..47), got 0 arguments"},
		{"[[grid]]\nprogram = \"fib 48\"", "2:11: the argument n of fib is 48, it must be 1..47"},
		{"[[grid]]\nprogram = [\"fib 5\", \"fib  5\"]", "2:21: program has fib 5 twice"},
		{"[[grid]]\nprogram = []", "2:1: program is an empty list"},
		{fib + "machine = \"none\"", "3:11: no machine and no file is called"},
		{fib + "pes = [80, 81]", "3:12: no circular omega network has 81 PEs"},
		{fib + "pes = \"80\"", "3:7: pes is a whole number, not the string \"80\""},
		{fib + "pes = [80, [80]]", "pes is a whole number, not a list"},
		{fib + "pes = 9223372036854775807", "3:7: no circular omega network has 9223372036854775807 PEs"},
		{fib + "seed = -1", "3:8: seed is -1, it must be at least 0"},
		{fib + "runs = 0", "3:8: runs is 0, it must be at least 1"},
		{fib + "runs = 100_001", "3:8: runs is 100001, it must be at most 100000 (the clocks of all of them are kept)"},
		{fib + "param = {policy = \"square\"}", "3:19: fib: the parameter policy cannot be \"square\": expected ring, "},
		{fib + "param = {polcy = \"ring\"}", "3:10: fib: the program has no parameter \"polcy\""},
		{fib + "param = {policy = true}", "3:19: fib: the parameter policy cannot be \"true\""},
		{fib + "param = {policy = 1979-05-27}", "3:19: policy is a number, a string, true or false, not a date"},
		{fib + "param = 3", "3:9: param is a table, not 3"},
		{fib + "[grid.set]\n\tfifo_word = 3", "4:2: a machine has no knob \"fifo_word\"; did you mean \"fifo_words\"?\n    \tfifo_word = 3\n    \t^~~~~~~~~"},
		{fib + "set.fifo_words = [32, 33]", "3:23: fifo_words is 33, it must be an even number"},
		{fib + "set.fifo_words = 1", "3:18: fifo_words is 1, it must be 2..8192 words"},
		{fib + "set.burst_refill = 1", "3:20: burst_refill is true or false, not \"1\""},
		{fib + "set.segments = 8191", "1:3: memory_words is 262144"},
		{fib + "set.pes = 80", "3:5: the size is a separate list: pes = [...]"},
		{fib + "variant = \"x\"", "3:11: there is no variant \"x\""},
		{fib + "variant = [\"*\", \"base\"]", "\"*\" includes all variants"},
		{"[[variant]]\nset = {hop_clocks = 1}\n" + fib, "1:3: the variant has no name"},
		{"[[variant]]\nname = \"base\"\n" + fib, "2:8: no variant can be called \"base\""},
		{"[[variant]]\nname = \"x\"\n" + fib, "2:8: the variant \"x\" changes nothing"},
		{"[[variant]]\nname = \"x\"\nset.hop_clocks = [1, 2]\n" + fib, "3:5: hop_clocks is a number, a string, true or false, not a list"},
		{"[[variant]]\nname = \"x\"\ntogether = [\"y\"]\n" + fib, "3:13: there is no variant \"y\" above"},
		{"[[variant]]\nname = \"x\"\nset.hop_clocks = 1\n[[variant]]\nname = \"x\"\nset.hop_clocks = 1\n" + fib, "5:8: there are two variants \"x\""},
		{"[[variant]]\nname = \"x\"\nset.hop_clocks = 1\n[[variant]]\nname = \"y\"\ntogether = \"x\"\nset.hop_clocks = 2\n" + fib, "7:18: \"y\" gives hop_clocks two values, 1 and 2"},
		{"[[variant]]\nname = \"x\"\nset.hop_clocks = 1\n[[variant]]\nname = \"y\"\nset.hop_clocks = 2\n[[variant]]\nname = \"z\"\ntogether = [\"x\", \"y\"]\n" + fib, "9:18: \"z\" gives hop_clocks two values, 1 and 2"},
		{"[[variant]]\nname = \"x\"\nset.hop_clocks = 1\n" + fib + "variant = \"x\"\nset.hop_clocks = 2", "the variant \"x\" chooses hop_clocks, and so does the grid"},
		{"[[variant]]\nname = \"x\"\nparam.grain = \"fine\"\n[[grid]]\nprogram = \"queens 4\"\nvariant = \"x\"", "6:11: queens: the program has no parameter \"grain\""},
		{"[[grid]]\nprogram = [\"fib 5\", \"queens 4\"]\nparam.grain = \"fine\"", "3:7: queens: the program has no parameter \"grain\""},
	} {
		_, err := Read("test.toml", []byte(c.text))
		require.ErrorContains(t, err, c.want, "for %q", c.text)
		var e srcerr.Errors
		require.ErrorAs(t, err, &e)
		require.ErrorAs(t, err, new(*simerr.Usage))
		require.Len(t, e.Details()["errors"], len(e))
	}
}

// An enormous grid is rejected before it is expanded.
func TestTooManyPoints(t *testing.T) {
	var b strings.Builder
	b.WriteString("[[grid]]\nprogram = \"fib 5\"\nset.fifo_words = [")
	for i := range 1001 {
		b.WriteString(" " + strconv.Itoa(2*i+2) + ",")
	}
	b.WriteString("]\nseed = [")
	for i := range 1001 {
		b.WriteString(" " + strconv.Itoa(i) + ",")
	}
	b.WriteString("]\n")
	_, err := Read("test.toml", []byte(b.String()))
	require.ErrorContains(t, err, "1:3: the grid has more than 1000000 points")
}

// Only the first errors of a file are shown, and the others cost no work.
func TestManyErrorsAreCut(t *testing.T) {
	numbers := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	const fib = "[[grid]]\nprogram = \"fib 5\"\n"
	for text, message := range map[string]string{
		numbers(5_000, "k%d = 1\n"):                                    `test.toml:20:1: a sweep file has no key "k19"`,
		"[[grid]]\nprogram = [" + numbers(5_000, `"x%d.s", `) + "]":    "there is no file x19.s\n    ...",
		fib + "set = {" + numbers(5_000, "k%d = 1, ") + "l = 1}":       `a machine has no knob "k19"`,
		fib + "variant = [" + numbers(5_000, `"v%d", `) + "]":          `there is no variant "v19"`,
		fib + "param = {registers = [" + numbers(5_000, "%d, ") + "]}": `the parameter registers cannot be "19"`,
	} {
		_, err := Read("test.toml", []byte(text))
		var all srcerr.Errors
		require.ErrorAs(t, err, &all)
		require.Len(t, all, 21, "%v", err)
		require.Less(t, len(err.Error()), 20_000)
		require.ErrorContains(t, err, message)
		require.Equal(t, "these are the first 20 errors, there may be more", all[20].Message)
	}

	// Equal errors for many values are reported once.
	_, err := Read("test.toml", []byte("[[grid]]\nprogram = \"fib 5\"\nparam = {zzz = ["+numbers(5_000, "%d, ")+"]}"))
	require.ErrorContains(t, err, `test.toml:3:10: fib: the program has no parameter "zzz"`)
	var all srcerr.Errors
	require.ErrorAs(t, err, &all)
	require.Len(t, all, 1)
}

// An invalid program is read only once.
func TestProgramsAreReadOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.s")
	require.NoError(t, os.WriteFile(file, []byte("bad"), 0o666))
	r := &reader{objects: map[string]*program{}}
	_, err := r.object(file, nil)
	require.ErrorContains(t, err, "x.s:1:1: no instruction")
	require.NoError(t, os.Remove(file))
	_, again := r.object(file, nil)
	require.Equal(t, err, again)
}

func TestWrongFiles(t *testing.T) {
	dir := t.TempDir()
	for text, message := range map[string]string{
		"EMSIMCKP": "x is a checkpoint, not a sweep file: emsim run --resume ",
		"; hello":  "x is assembly text, not a sweep file: emsim run ",
		strings.Repeat("# hello\n", 1<<14) + "\n": "x is too large: a sweep file has at most 128 KiB, " +
			"lists that give a million points are shorter",
	} {
		file := filepath.Join(dir, "x")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
		_, err := Load(file)
		require.ErrorContains(t, err, "cannot read the sweep: ")
		require.ErrorContains(t, err, message)
	}
	_, err := Load(dir)
	require.ErrorContains(t, err, " is a directory: expected a file")
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(everything))
	for _, s := range []string{
		"[[grid]]", "grid = [[1]]", "a.b.c = {x = [1, 2]}", "[[variant]]\nname = 'x'", "[a]\n[[a.b]]\n[a.b.c]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := Read("f.toml", text); err != nil {
			require.NotEmpty(t, err.Error())
		}
	})
}

// A program whose name has spaces must be in a list with its arguments. In a string, its words would be arguments, and
// the error says what to write.
func TestProgramsAsLists(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t,
		os.WriteFile(filepath.Join(dir, "my prog.s"), []byte(".arg n, 1, 9, main\nmain: out! r0\n"), 0o600))
	read := func(programs string) (*Plan, error) {
		return Read(filepath.Join(dir, "s.toml"), []byte("[[grid]]\npes = 12\nprogram = "+programs))
	}
	p, err := read(`[["my prog.s", "5"], ["my prog.s", 6], "fib  3", ["fib", 4]]`)
	require.NoError(t, err)
	var rows, commands []string
	for i := range p.Points {
		rows = append(rows, strings.Join(p.cellsBefore(&p.Points[i]), "|"))
		commands = append(commands, strings.ReplaceAll(p.Points[i].Command(), dir+"/", ""))
	}
	require.Equal(t, []string{"my prog.s|5|emc-r|12", "my prog.s|6|emc-r|12", "fib|3|emc-r|12", "fib|4|emc-r|12"}, rows)
	require.Equal(t, []string{
		"emsim run 'my prog.s' 5 --pes 12", "emsim run 'my prog.s' 6 --pes 12", "emsim run fib 3 --pes 12",
		"emsim run fib 4 --pes 12",
	}, commands)
	for programs, want := range map[string]string{
		`"my prog.s 5"`:         `write a name with blanks as a list, with its arguments: program = [["my prog.s", "5"]]`,
		`["my prog.s"]`:         `program = [["my prog.s"]]`,
		`"no prog.s 5"`:         `no program is called "no"`,
		`[["my prog.s"]]`:       "my prog.s takes 1 argument: n (1..9), got 0 arguments",
		`[["fib", 3], "fib 3"]`: "program has fib 3 twice",
		`[[]]`:                  "which program? For example",
		`[[""]]`:                "which program? For example",
		`[["fib", 3.5]]`:        "a word of program is a string, not 3.5",
	} {
		_, err := read(programs)
		require.ErrorContains(t, err, want, programs)
	}
}
