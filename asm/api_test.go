package asm

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const paramProgram = `.param policy, ring, round-robin
.param depth = 3, -1, 10
.start main
main:	mov r1, policy
	mov r2, policy.round_robin
	mov! r3, depth
`

func TestParameters(t *testing.T) {
	opt := textOptions(paramProgram)
	o, _, err := Assemble("p.s", opt)
	require.NoError(t, err)
	require.Equal(t, []Param{
		{Name: "policy", Values: []string{"ring", "round-robin"}, Max: 1},
		{Name: "depth", Min: -1, Max: 10, Value: 3},
	}, o.Params)

	opt.Params = map[string]string{"policy": "round-robin", "depth": "-1"}
	o, _, err = Assemble("p.s", opt)
	require.NoError(t, err)
	require.Equal(t, "round-robin", o.Params[0].Chosen())
	require.Equal(t, "-1", o.Params[1].Chosen())
	require.Equal(t, []uint64{0x00_1080_0001, 0x00_2080_0001, 0x40_3087_ffff}, o.Sections[0].Words)

	for _, c := range []struct{ name, value, message string }{
		{
			"policy",
			"round_robin",
			`the parameter policy cannot be "round_robin": expected ring, round-robin; did you mean "round-robin"?`,
		},
		{"depth", "11", `the parameter depth cannot be "11": expected an integer -1..10`},
		{"depth", "-2", `the parameter depth cannot be "-2": expected an integer -1..10`},
		{"depth", "x", `the parameter depth cannot be "x": expected an integer -1..10`},
		{"polcy", "ring", `the program has no parameter "polcy" (it has policy, depth); did you mean "policy"?`},
	} {
		opt.Params = map[string]string{c.name: c.value}
		o, l, err := Assemble("p.s", opt)
		require.ErrorAs(t, err, new(*Usage))
		require.EqualError(t, err, c.message)
		require.Nil(t, o)
		require.NotNil(t, l)
	}
	opt = textOptions("nop!")
	opt.Params = map[string]string{"policy": "ring"}
	_, _, err = Assemble("p.s", opt)
	require.EqualError(t, err, `the program has no parameter "policy" (it has none)`)
}

func TestLoad(t *testing.T) {
	opt := textOptions(paramProgram)
	opt.Params = map[string]string{"policy": "round-robin"}
	o, err := Load("p.s", opt)
	require.NoError(t, err)

	opt = textOptions(string(o.Marshal()))
	back, err := Load("p.emo", opt)
	require.NoError(t, err)
	require.Equal(t, o, back)
	for value, message := range map[string]string{
		"round-robin": "",
		"ring": "the object was assembled with policy = round-robin: assemble the program again " +
			"with -D policy=ring",
		"rnig": "expected ring, round-robin",
	} {
		opt.Params = map[string]string{"policy": value}
		_, err = Load("p.emo", opt)
		if message == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, message)
		}
	}
	opt.Params = map[string]string{"nosuch": "1"}
	_, err = Load("p.emo", opt)
	require.ErrorContains(t, err, "it has policy, depth")

	_, err = Load("p.emo", textOptions(string(o.Marshal()[:50])))
	require.ErrorContains(t, err, "p.emo: bad object file: it is cut off: 50 bytes of")
	require.ErrorAs(t, err, new(*Usage))
	_, err = Load(filepath.Join(t.TempDir(), "nosuch"), Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestErrorsAreCapped(t *testing.T) {
	_, l, err := Assemble("many.s", textOptions(strings.Repeat("\tbad\n", 60)))
	var e Errors
	require.ErrorAs(t, err, &e)
	require.Len(t, e.List, maxErrors)
	require.Equal(t, 10, e.More)
	require.Equal(t, "assembly", e.Kind())
	require.True(t, strings.HasPrefix(e.Error(), "the program has 60 errors\nmany.s:1:2: "))
	require.True(t, strings.HasSuffix(e.Error(), "\nand 10 more"))
	require.Equal(t, maxErrors, strings.Count(l.String(), "no instruction or macro"))
	require.Contains(t, l.String(), "\nand 10 further errors\n")
	d := e.Details()
	require.Equal(t, 10, d["more"])
	require.Equal(t, map[string]any{
		"file": "many.s", "line": 1, "column": 2,
		"message": `no instruction or macro is called "bad"`,
	}, d["errors"].([]map[string]any)[0])
}

func TestCaret(t *testing.T) {
	_, _, err := Assemble("c.s", textOptions("é:\tnop\n\tadd r1, r2, nosuch ; x\r\n"))
	require.ErrorContains(t, err, "c.s:1:1: the character 'é'")
	require.ErrorContains(t, err, "c.s:2:14: \"nosuch\" is not defined\n    \tadd r1, r2, nosuch ; x\n    \t   "+
		"         ^~~~~~")
	_, _, err = Assemble("c.s", textOptions("\x01\n\tadd r1, r2, r3, \xff\n\tadd r1, r2, \xfe\xffr3"))
	require.ErrorContains(t, err, "1:1: the character U+0001 has no meaning here\n    \\x01\n    ^~~~")
	require.ErrorContains(t, err, "2:18: the byte 0xff is not UTF-8 text")
	require.ErrorContains(t, err, "3:14: the 2 bytes from 0xfe on are not UTF-8 text\n    \tadd r1, r2, "+
		"\ufffd\ufffdr3\n    \t            ^~")
	_, _, err = Assemble("c.s", textOptions(strings.Repeat(" ", maxLine+1)))
	require.ErrorContains(t, err, "c.s:1:1: the line is longer than 65536 characters")
}

// An error in a long line shows the part around its place.
func TestLongLine(t *testing.T) {
	_, _, err := Assemble("c.s", textOptions(".word "+strings.Repeat("1, ", 100)+"nosuch, "+strings.Repeat("1, ", 100)+
		"2"))
	want := "\n    ..." + strings.Repeat("1, ", 25) + "nosuch, " + strings.Repeat("1, ", 22) + "1..." +
		"\n    " + strings.Repeat(" ", 3+75) + "^~~~~~"
	require.True(t, strings.HasSuffix(err.Error(), want), "%s", err)
}

// Programs that would grow or nest without end are reported quickly.
func TestBounds(t *testing.T) {
	chain := ""
	for i := range maxChain + 100 {
		chain += fmt.Sprintf("c%d = c%d\n", i, i+1)
	}
	for message, text := range map[string]string{
		"nested more than 200 deep":      ".word " + strings.Repeat("(", 5_000),
		"is nested more than 200 deep":   ".word " + strings.Repeat("-", 5_000) + "1",
		"the word is longer than 1000":   ".macro m p\nm \\p\\p\n.endm\nm abc\n",
		"constants depend on each other": chain + fmt.Sprintf("c%d = 1\n", maxChain+100),
		"the name is longer than 1000":   strings.Repeat("a", 600) + ":\n." + strings.Repeat("b", 600) + ":\n",
		"the program has grown to":       ".macro t n\n.if \\n\nt \\n-1\nt \\n-1\n.endif\n.endm\nt 30\n",
	} {
		_, l, err := Assemble("b.s", textOptions(text))
		require.ErrorContains(t, err, message)
		require.NotNil(t, l)
	}
}

func TestLookups(t *testing.T) {
	o := assemble(t, "\tnop!\nstart:\n\t.template f\n.a:\tnop!\n\tnop!\n\t.endtemplate\nend:\n\t.org 9\n\tnop!\n")
	for _, c := range []struct {
		addr   uint32
		name   string
		offset uint32
		ok     bool
		line   int
	}{
		{0, "", 0, false, 1},
		{1, "f", 0, true, 3},
		{2, "f.a", 0, true, 4},
		{3, "f.a", 1, true, 5},
		{4, "", 0, false, 0},
		{9, "end", 5, true, 9},
		{10, "", 0, false, 0},
	} {
		name, offset, ok := o.SymbolAt(c.addr)
		require.Equal(t, c.ok, ok, c.addr)
		require.Equal(t, c.name, name, c.addr)
		require.Equal(t, c.offset, offset, c.addr)
		file, line, ok := o.LineAt(c.addr)
		require.Equal(t, c.line != 0, ok, c.addr)
		require.Equal(t, c.line, line, c.addr)
		require.True(t, !ok || file == "test.s")
	}
	_, _, ok := (&Object{}).SymbolAt(0)
	require.False(t, ok)
	require.Equal(t, "code data space section3", Code.String()+" "+Data.String()+" "+Space.String()+
		" "+sectionKinds.String())
	require.Equal(t, "label node symbol4", Label.String()+" "+Node.String()+" "+symbolKinds.String())
}

// Nothing with an address may follow .perpe.
func TestPerPEIsLast(t *testing.T) {
	for _, text := range []string{
		"\tnop!", "\t.word 5", "\t.space 1", "\t.align 8", "\t.org 9", "label:",
		"\t.template f\n\t.endtemplate", "\t.code 5", "\t.float 1",
	} {
		_, l, err := Assemble("p.s", textOptions("\tnop!\n\t.perpe\n"+text+"\n"))
		require.ErrorContains(t, err, "the program has 1 error\np.s:3:", text)
		require.ErrorContains(t, err, "expected nothing with an address after the .perpe at p.s:2:2", text)
		require.Contains(t, l.String(), "(1 a PE)")
	}
	for _, text := range []string{"", "\t.align 1", "\t.space 0", "\tx = .", "\t.nocheck", "\t.start 0"} {
		o := assemble(t, "\tnop!\n\t.perpe\n"+text+"\n")
		require.Equal(t, new(uint32(1)), o.PerPE)
	}
	_, _, err := Assemble("p.s", textOptions("\t.org 1 << 18\n\t.perpe\n"))
	require.ErrorContains(t, err, "the program is too large: .perpe at address 262144")
}

// Every kind of damage is found, and no file makes the reader panic or allocate more memory than the file can fill.
func TestDamagedFiles(t *testing.T) {
	good := assemble(t, paramProgram+"x: .word 1, 2\n.template f, 5\ny: nop!\n.endtemplate\n.perpe\n").Marshal()
	for i := range good {
		_, err := Unmarshal(good[:i])
		require.Error(t, err, "cut off behind %d bytes", i)
		for bit := range 8 {
			bad := append([]byte(nil), good...)
			bad[i] ^= 1 << bit
			_, err := Unmarshal(bad)
			require.Error(t, err, "bit %d of byte %d", bit, i)
		}
	}
	for _, c := range []struct {
		at      int
		value   uint32
		message string
	}{
		{8, 1, "it has version 1, this program reads the versions 3 and 4"},
		{12, 0xffffffff, "it is cut off"},
		{headerSize, 0xffffffff, "it promises 4294967295 sections, but only"},
		{headerSize + 4 + 1 + 4, 0xffffffff, "a section promises 4294967295 words, but only"},
	} {
		bad := append([]byte(nil), good...)
		binary.LittleEndian.PutUint32(bad[c.at:], c.value)
		_, err := Unmarshal(resum(bad))
		require.ErrorContains(t, err, c.message)
	}
	_, err := Unmarshal(append(good, 0))
	require.ErrorContains(t, err, "1 bytes follow its end")
	_, err = Unmarshal([]byte("hello"))
	require.ErrorContains(t, err, "it does not begin with EMSIMOBJ")
}

// resum corrects the checksum, so that the checks after it are tested.
func resum(b []byte) []byte {
	at := len(b) - sumSize
	binary.LittleEndian.PutUint32(b[at:], crc32.ChecksumIEEE(b[:at]))
	return b
}

func TestInvalidObjects(t *testing.T) {
	word := func(kind SectionKind, start uint32) Section {
		return Section{Kind: kind, Start: start, Size: 1, Words: []uint64{0}}
	}
	bad := uint32(MemoryWords)
	for message, o := range map[string]*Object{
		"unknown kind 3":              {Sections: []Section{{Kind: 3, Size: 1}}},
		"is empty":                    {Sections: []Section{{Kind: Space}}},
		"not within the 262144 words": {Sections: []Section{word(Data, MemoryWords)}},
		"before the end":              {Sections: []Section{word(Data, 1), word(Code, 1)}},
		"touch":                       {Sections: []Section{word(Data, 1), word(Data, 2)}},
		"holds 1 words":               {Sections: []Section{{Kind: Data, Size: 2, Words: []uint64{1}}}},
		"wider than 39 bits":          {Sections: []Section{{Kind: Code, Size: 1, Words: []uint64{1 << 39}}}},
		"a valid symbol name":         {Symbols: []Symbol{{Name: "r1"}}},
		"two symbols are called": {
			Symbols: []Symbol{{Name: "p.x"}},
			Params:  []Param{{Name: "p", Values: []string{"x"}}},
		},
		"unknown kind 4":             {Symbols: []Symbol{{Name: "x", Kind: 4}}},
		"out of order":               {Symbols: []Symbol{{Name: "b"}, {Name: "a"}}},
		"address -1":                 {Symbols: []Symbol{{Name: "x", Value: -1}}},
		"has the size 1":             {Symbols: []Symbol{{Name: "x", Size: 1}}},
		"node \"x\" has the reach 1": {Symbols: []Symbol{{Name: "x", Reach: 1, Kind: Node}}},
		"\"x\" has the reach 262144": {Symbols: []Symbol{{Name: "x", Size: 1, Reach: bad, Kind: Template}}},
		"does not begin with a data word 0": {
			Symbols:  []Symbol{{Name: "x", Size: 1, Kind: Template}},
			Sections: []Section{word(Code, 0)},
		},
		"is not within the memory": {Symbols: []Symbol{{Name: "x", Value: 1, Size: MemoryWords, Kind: Template}}},
		"overlap": {
			Symbols:  []Symbol{{Name: "x", Size: 3, Kind: Template}, {Name: "y", Value: 1, Size: 1, Kind: Template}},
			Sections: []Section{{Kind: Data, Size: 3, Words: make([]uint64, 3)}},
		},
		"is not a node":                {Symbols: []Symbol{{Name: "x", Kind: Node}}},
		"value 2 of the parameter":     {Params: []Param{{Name: "p", Value: 2}}},
		"has 1 values and the range":   {Params: []Param{{Name: "p", Values: []string{"a"}, Max: 3}}},
		"a valid parameter value":      {Params: []Param{{Name: "p", Values: []string{"01"}}}},
		"names file 0 of 0":            {Lines: []Line{{Words: 1}}},
		"out of place":                 {Files: []string{"f"}, Lines: []Line{{Words: 1}, {Words: 1}}},
		"two symbols are called \"n\"": {Args: []Arg{{Name: "n"}, {Name: "n"}}},
		"range 1..0":                   {Args: []Arg{{Name: "n", Min: 1}}},
		"entry 262144 of the argument": {Args: []Arg{{Name: "n", Entry: bad}}},
		"the entry 262144":             {Init: &bad},
		"per PE at 262144":             {PerPE: &bad},
		"per PE begins at 0":           {PerPE: new(uint32), Sections: []Section{word(Data, 0)}},
		"address 1 of the symbol":      {PerPE: new(uint32), Symbols: []Symbol{{Name: "x", Value: 1}}},
		"both arguments and a start":   {Args: []Arg{{Name: "n"}}, Start: new(uint32)},
	} {
		require.ErrorContains(t, o.Validate(), message)
		_, err := Unmarshal(o.Marshal())
		require.Error(t, err, message)
	}
}

func TestUnread(t *testing.T) {
	err := unread(os.ErrPermission)
	require.ErrorIs(t, err, os.ErrPermission)
	require.EqualError(t, err, "cannot read the program: permission denied")
}
