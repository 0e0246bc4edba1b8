package asm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/isa"
)

// ignoreSource ignores fields that disassembled text cannot preserve.
var ignoreSource = cmpopts.IgnoreFields(Object{}, "Files", "Lines")

// Any object is unchanged after disassembly and assembly.
func TestDisassembleAssembleIsIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := anyObject(t)
		require.NoError(t, o.Validate())
		text := Disassemble(o)
		back, _, err := Assemble("test.s", textOptions(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if diff := cmp.Diff(o, back, ignoreSource); diff != "" {
			t.Fatalf("(-object +assembled)\n%s\n%s", diff, text)
		}
		require.Equal(t, text, Disassemble(back))
	})
}

// Every object is unchanged after Marshal and Unmarshal.
func TestMarshalAnyObject(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := anyObject(t)
		back, err := Unmarshal(o.Marshal())
		require.NoError(t, err)
		if diff := cmp.Diff(o, back); diff != "" {
			t.Fatal(diff)
		}
	})
}

// anyObject draws a valid object: code with and without instructions, data,
// space, gaps, templates, and names everywhere.
func anyObject(t *rapid.T) *Object {
	o := &Object{}
	addr := uint32(0)
	for range rapid.IntRange(0, 6).Draw(t, "sections") {
		addr += rapid.SampledFrom([]uint32{0, 0, 1, 9}).Draw(t, "gap")
		kind := SectionKind(rapid.IntRange(0, int(sectionKinds)-1).Draw(t, "kind"))
		size := uint32(rapid.IntRange(1, 6).Draw(t, "size"))
		var words []uint64
		for i := uint32(0); i < size && kind != Space; i++ {
			words = append(words, anyWord(t, kind))
		}
		o.addWords(kind, addr, size, words)
		addr += size
	}
	if rapid.IntRange(0, 9).Draw(t, "last") == 0 {
		o.addWords(Data, MemoryWords-1, 1, []uint64{0})
		addr = MemoryWords
	}
	anySymbols(t, o, addr)
	if at := addr + rapid.SampledFrom([]uint32{0, 0, 1, 9}).Draw(t, "gap"); at < MemoryWords &&
		rapid.Bool().Draw(t, "per PE") {
		o.PerPE = &at
	}
	anyParams(t, o)
	o.Result = rapid.SampledFrom([]string{"", "float32", "int32, bool", "[]{int32 [3]bool}"}).Draw(t, "result")
	entry := rapid.Uint32Range(0, min(addr, MemoryWords-1))
	if rapid.Bool().Draw(t, "init") {
		o.Init = new(entry.Draw(t, "init entry"))
	}
	if rapid.Bool().Draw(t, "start") {
		o.Start = new(entry.Draw(t, "start entry"))
		return o
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "args") {
		lo, hi := anyRange(t)
		o.Args = append(o.Args, Arg{fmt.Sprintf("n%d", i), lo, hi, entry.Draw(t, "arg entry")})
	}
	return o
}

func anyWord(t *rapid.T, kind SectionKind) uint64 {
	if kind == Data {
		return rapid.OneOf(rapid.Just(uint64(0)), rapid.Uint64()).Draw(t, "data")
	}
	if rapid.IntRange(0, 4).Draw(t, "raw") == 0 {
		return rapid.Uint64Max(1<<isa.WordBits-1).Draw(t, "code")
	}
	in := isa.Inst{Op: isa.Op(rapid.IntRange(0, len(isa.Table)-1).Draw(t, "op")), End: rapid.Bool().Draw(t, "end")}
	reg := rapid.Uint8Max(isa.Registers - 1)
	for _, l := range isa.Table[in.Op].Operands {
		switch l {
		case isa.LetterD:
			in.D = reg.Draw(t, "d")
		case isa.LetterA:
			in.A = rapid.OneOf(reg, rapid.Just(uint8(isa.FP))).Draw(t, "a")
		case isa.LetterB:
			in.B = reg.Draw(t, "b")
		case isa.LetterS:
			if in.Lit = rapid.Bool().Draw(t, "literal"); !in.Lit {
				in.B = reg.Draw(t, "s")
			} else {
				in.Imm = anyImm(t)
			}
		case isa.LetterI:
			in.Imm = anyImm(t)
		case isa.LetterX:
			in.Imm = anyImm(t) & isa.ImmMax
		case isa.LetterM:
			in.Imm = rapid.Int32Range(0, int32(len(isa.SpecialNames))-1).Draw(t, "m")
		}
	}
	form := rapid.Uint8Max(uint8(isa.FormsOf(in.Op))-1).Draw(t, "form")
	switch isa.Table[in.Op].Forms {
	case isa.FieldD:
		in.D = form
	case isa.FieldB:
		in.B = form
	}
	return isa.Encode(in)
}

func anyImm(t *rapid.T) int32 {
	return rapid.OneOf(rapid.Int32Range(0, 20), rapid.Int32Range(isa.ImmMin, isa.ImmMax)).Draw(t, "imm")
}

func anySymbols(t *rapid.T, o *Object, end uint32) {
	next := uint32(0) // address after the last template
	reach := rapid.OneOf(rapid.Uint32Max(12), rapid.Uint32Max(MemoryWords-1))
	for i := range o.Sections {
		s := &o.Sections[i]
		for j := range s.Words {
			at := s.Start + uint32(j)
			if s.Kind != Data || s.Words[j] != 0 || at < next || rapid.Bool().Draw(t, "no template") {
				continue
			}
			size := rapid.Uint32Range(1, max(1, min(12, end-at))).Draw(t, "template size")
			next = at + size
			o.Symbols = append(o.Symbols, Symbol{
				Name: fmt.Sprintf("t%d", at), Value: int64(at), Size: size,
				Reach: reach.Draw(t, "reach"), Kind: Template,
			})
		}
	}
	name := rapid.SampledFrom([]string{"x", "add", "pe", "t.small", "end", "send.l", "_", "r16", "a.1"})
	for i := range rapid.IntRange(0, 8).Draw(t, "labels") {
		at := rapid.Uint32Range(0, end).Draw(t, "label")
		o.Symbols = append(o.Symbols, Symbol{
			Name: fmt.Sprintf("%s_%d", name.Draw(t, "name"), i), Value: int64(at),
			Kind: Label,
		})
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "constants") {
		v := rapid.OneOf(rapid.Just(int64(math.MinInt64)), rapid.Int64()).Draw(t, "constant")
		o.Symbols = append(o.Symbols, Symbol{Name: fmt.Sprintf("C%d", i), Value: v, Kind: Constant})
	}
	o.finishSymbols()
}

func anyRange(t *rapid.T) (lo, hi int64) {
	lo, hi = rapid.Int64().Draw(t, "min"), rapid.Int64().Draw(t, "max")
	return min(lo, hi), max(lo, hi)
}

func anyParams(t *rapid.T, o *Object) {
	for i := range rapid.IntRange(0, 3).Draw(t, "params") {
		p := Param{Name: fmt.Sprintf("p%d", i)}
		if rapid.Bool().Draw(t, "integer") {
			p.Min, p.Max = anyRange(t)
			p.Value = rapid.Int64Range(p.Min, p.Max).Draw(t, "value")
		} else {
			all := []string{"ring", "round-robin", "off", "80", "a-12-b"}
			p.Values = all[:rapid.IntRange(1, len(all)).Draw(t, "values")]
			p.Max = int64(len(p.Values)) - 1
			p.Value = rapid.Int64Range(0, p.Max).Draw(t, "value")
		}
		o.Params = append(o.Params, p)
	}
}

func TestDisassembly(t *testing.T) {
	text := `
.param policy, ring, round-robin
.arg n, 1, 30, main
N = 3
main:	getseg r3, f
	send.1! r1, r3, @go
.template f
go:	blt! r1, r2, .small
	ld r4, fp, @save
.small:	send.l! r1, fp, @go
save:	.space 1
.endtemplate
	.word 1, -1
`
	o, _, err := Assemble("f.s", Options{
		Open:   textOptions(text).Open,
		Params: map[string]string{"policy": "round-robin"},
	})
	require.NoError(t, err)
	lines := strings.Split(Disassemble(o), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	want := strings.Split(`; 5 words of code, 3 of data, 1 of space
	.param policy, ring, *round-robin
N = 3
	.arg n, 1, 30, main
main:
	getseg r3, f                   ; 00000 1b30800002
	send.1! r1, r3, 1              ; 00001 5713080001
	.template f, 4
go:
	blt! r1, r2, go.small          ; 00003 5201100005
	ld r4, fp, @save               ; 00004 154f000004
go.small:
	send.l! r1, fp, @go            ; 00005 572f080001
save:
	.space 1
	.endtemplate
	.word 1, 0xffffffffffffffff    ; 00007
`, "\n")
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// If a name instead of a displacement would make a template reach farther than in the object, the displacement stays
// a number.
func TestDisassemblyKeepsTheReach(t *testing.T) {
	for reach := range uint32(4) {
		o := assemble(t, "\t.template f\n\tsend.1 r1, fp, 2\nnode:\tld! r1, fp, 3\n\t.space "+
			"1\nlast:\tnop!\n\t.endtemplate\n")
		require.Zero(t, o.Symbols[0].Reach, "plain numbers are not seen")
		o.Symbols[0].Reach = reach
		back := assemble(t, Disassemble(o))
		if diff := cmp.Diff(o, back, ignoreSource); diff != "" {
			t.Error(diff)
		}
	}
}

// Objects that do not pass the checks are disassembled with the checks off and a warning.
func TestDisassemblyWarns(t *testing.T) {
	o := &Object{}
	o.addWords(Code, 0, 2, []uint64{isa.Encode(isa.Inst{Op: isa.ADD}), 1<<isa.WordBits - 1})
	require.NoError(t, o.Validate())
	text := Disassemble(o)
	require.Contains(t, text, ".nocheck\n; 00000: the block runs on into a word that is not an instruction")
	require.Contains(t, text, ".code 0x7fffffffff")
	require.False(t, slices.ContainsFunc(mnemonics, func(m string) bool { return m == ".code" }))
}
