package asm

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// These texts can or cannot name a symbol, a register, or a value of a parameter.
func TestNames(t *testing.T) {
	long := strings.Repeat("n", maxWord)
	for name, want := range map[string]bool{
		"a": true, "_": true, "a.b": true, "a1.b2": true, "r16": true, "r01": true, "add": true, long: true,
		"": false, "1a": false, ".a": false, "a.": false, "1.": false, "a..b": false, "a b": false, "a-b": false,
		"é": false, "r1": false, "fp": false, long + "n": false,
	} {
		require.Equal(t, want, validName(name), "%.20q", name)
	}
	for value, want := range map[string]bool{
		"a": true, "a-b": true, "a-12-b": true, "0": true, "80": true, "a_1": true, long: true,
		"9223372036854775807": true,
		"":                    false, "-": false, "a-": false, "-a": false, "a--b": false, "a.b": false, "01": false,
		"1a":  false,
		"a b": false, "é": false, long + "n": false, "9223372036854775808": false,
	} {
		require.Equal(t, want, validValue(value), "%.20q", value)
	}
	for name, want := range map[string]int{
		"r0": 0, "r9": 9, "r14": 14, "fp": 15, "r16": -1, "r01": -1, "r": -1,
		"x1": -1, "r-1": -1, "r256": -1, "": -1,
	} {
		n, ok := register(name)
		require.Equal(t, want >= 0, ok, name)
		if ok {
			require.Equal(t, want, int(n))
			require.Equal(t, name, registerName(n))
		}
	}
}

// Messages shorten quoted texts between characters.
func TestBrief(t *testing.T) {
	full := strings.Repeat("x", 80)
	require.Equal(t, full, brief(full))
	require.Equal(t, full+"...", brief(full+"y"))
	require.Equal(t, full[:79]+"...", brief(full[:79]+"éé"))
	names := strings.Fields(strings.Repeat("n ", 51))
	require.Equal(t, strings.TrimSuffix(strings.Repeat("n, ", 50), ", "), listed(names[:50]))
	require.Equal(t, strings.TrimSuffix(strings.Repeat("n, ", 50), ", ")+" and 1 more", listed(names))
}

// Instructions gives single instructions the same text as the disassembly.
func TestInstructions(t *testing.T) {
	o := assemble(t, "\tsend.l r1, fp, @go\n\t.word 5\n\t.template f\ngo:\tjmp! .back\n.back:\tld! r1, fp, "+
		"@go\n\t.endtemplate\n\t.nocheck\n\t.code 0x7fffffffff\n")
	at := o.Instructions()
	var list []string
	for addr := range uint32(7) {
		list = append(list, at(addr))
	}
	require.Equal(t, []string{"send.l r1, fp, 1", "", "", "beq! r0, r0, go.back", "ld! r1, fp, @go", "", ""}, list)
}

// Words counts the image, and SectionAt and SymbolAt are right at its ends.
func TestImage(t *testing.T) {
	o := assemble(t, "\t.space 2\na:\tnop!\nb:\tnop!\nb2:\t.word 1, 2, 3\n\t.org 9\n\t.word 4\nend:\n")
	code, data, space := o.Words()
	require.Equal(t, []int{2, 4, 2}, []int{code, data, space})
	var kinds, names []string
	for addr := range uint32(12) {
		kind, name := "none", ""
		if s := o.SectionAt(addr); s != nil {
			kind = s.Kind.String()
		}
		name = o.NameAt(addr)
		kinds, names = append(kinds, kind), append(names, name)
	}
	require.Equal(t, strings.Fields("space space code code data data data none none data none none"), kinds)
	require.Equal(t, []string{"", "", "a", "b", "b2", "b2+1", "b2+2", "", "", "b2+5", "", ""}, names)
}

// Objects at the limits are valid.
func TestValidObjects(t *testing.T) {
	last := uint32(MemoryWords - 1)
	for _, o := range []*Object{
		{},
		{Sections: []Section{{Kind: Space, Size: MemoryWords}}},
		{
			Sections: []Section{{Kind: Code, Start: last, Size: 1, Words: []uint64{1<<39 - 1}}}, Init: &last,
			Start: &last,
		},
		{Sections: []Section{
			{Kind: Data, Size: 1, Words: []uint64{1}},
			{Kind: Code, Start: 1, Size: 1, Words: []uint64{0}},
		}},
		{Sections: []Section{
			{Kind: Data, Size: 1, Words: []uint64{1}},
			{Kind: Data, Start: 2, Size: 1, Words: []uint64{0}},
		}},
		{Symbols: []Symbol{{Name: "x", Value: MemoryWords, Kind: Label}, {Name: "C", Value: -1, Kind: Constant}}},
		{
			Symbols: []Symbol{
				{Name: "x", Size: 2, Reach: last, Kind: Template},
				{Name: "n", Value: 1, Kind: Node},
				{Name: "y", Value: 2, Size: 1, Kind: Template},
			},
			Sections: []Section{{Kind: Data, Size: 3, Words: make([]uint64, 3)}},
		},
		{
			Symbols:  []Symbol{{Name: "x", Value: int64(last), Size: 1, Kind: Template}},
			Sections: []Section{{Kind: Data, Start: last, Size: 1, Words: []uint64{0}}},
		},
		{Params: []Param{
			{Name: "p", Value: 3, Min: 3, Max: 3},
			{Name: "q", Values: []string{"a", "b"}, Value: 1, Max: 1},
		}},
		{Files: []string{"f"}, Lines: []Line{{Words: 1}, {Addr: 1, Words: last}}},
		{Args: []Arg{{Name: "n", Min: 1, Max: 1, Entry: last}}},
		{
			PerPE: &last, Symbols: []Symbol{{Name: "x", Value: int64(last), Kind: Label}},
			Sections: []Section{{Kind: Space, Size: last}},
		},
	} {
		require.NoError(t, o.Validate())
		back, err := Unmarshal(o.Marshal())
		require.NoError(t, err)
		require.Equal(t, o.Marshal(), back.Marshal())
	}
	words := func(n int64) *Object {
		return &Object{Params: []Param{{Name: "p", Value: n, Min: -1, Max: 1}}}
	}
	require.NoError(t, words(1).Validate())
	require.NoError(t, words(-1).Validate())
	require.EqualError(t, words(2).Validate(), `the value 2 of the parameter "p" is not within -1..1`)
	require.EqualError(t, words(-2).Validate(), `the value -2 of the parameter "p" is not within -1..1`)
	line := &Object{Files: []string{"f"}, Lines: []Line{{Addr: 1, Words: MemoryWords}}}
	require.EqualError(t, line.Validate(), "entry 0 of the line map (262144 words at address 1) is out of place")
	line.Lines[0].Words = 0
	require.EqualError(t, line.Validate(), "entry 0 of the line map (0 words at address 1) is out of place")
}
