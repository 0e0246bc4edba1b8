package isa

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A field that an instruction does not use must be 0. Otherwise the error names the field.
func TestUnusedFields(t *testing.T) {
	for text, in := range map[string]Inst{
		"isa: 0x1810000000: out: unused field D holds 1":        {Op: OUT, D: 1},
		"out: unused field A holds 2":                           {Op: OUT, A: 2},
		"relseg: unused field B holds 3":                        {Op: RELSEG, B: 3},
		"out: unused constant holds -4":                         {Op: OUT, Imm: -4},
		"add: unused constant holds 1":                          {Op: ADD, Imm: 1},
		"add: unused field B holds 1":                           {Op: ADD, Lit: true, B: 1},
		"relseg: it does not take a constant as second operand": {Op: RELSEG, Lit: true},
		"send: it does not take a constant as second operand":   {Op: SEND, Lit: true},
		"beq: code address -1 is negative":                      {Op: BEQ, Imm: -1},
		"rds: no special register has number 12":                {Op: RDS, Imm: 12},
		"wrs: no special register has number -1":                {Op: WRS, Imm: -1},
		"send: no form 5":                                       {Op: SEND, D: 5},
		"cont: no form 5":                                       {Op: CONT, B: 5},
		"movpe: no order of PEs has number 5":                   {Op: MOVPE, B: 5},
		"movpe: 64 steps are not within -63..63":                {Op: MOVPE, Imm: 64},
		"movpe: -64 steps are not within -63..63":               {Op: MOVPE, Imm: -64},
		"movpe: unused field A holds 1":                         {Op: MOVPE, A: 1},
	} {
		_, err := Decode(Encode(in))
		require.ErrorContains(t, err, text)
	}
	for _, in := range []Inst{
		{Op: OUT, B: 15},
		{Op: ADD, D: 15, A: 15, B: 15, End: true},
		{Op: ADD, Lit: true, Imm: ImmMin},
		{Op: ADD, Lit: true, Imm: ImmMax},
		{Op: LD, D: 1, A: 1, Imm: -1},
		{Op: ST, B: 1, A: 1, Imm: 1},
		{Op: BEQ, A: 1, B: 1},
		{Op: BEQ, Imm: ImmMax},
		{Op: RDS, D: 1, Imm: 11},
		{Op: WRS, A: 1},
		{Op: SEND, D: 4, A: 1, B: 1, Imm: -1},
		{Op: CONT, D: 1, A: 1, B: 3, Imm: 1},
		{Op: CONT, D: 1, A: 1, B: 4, Imm: 1},
		{Op: MLPE, Imm: 5},
		{Op: GETSEG, D: 1, Lit: true, Imm: 1},
		{Op: GETSTR, D: 1, B: 1},
		{Op: RELSTR, A: 1},
		{Op: MOVPE, D: 1, B: 4, Imm: 63},
		{Op: MOVPE, D: 15, B: 1, Imm: -63, End: true},
	} {
		back, err := Decode(Encode(in))
		require.NoError(t, err)
		require.Equal(t, in, back)
	}
	_, err := Decode(63 << 32)
	require.EqualError(t, err, fmt.Sprintf("isa: 0x3f00000000 has opcode 63, the last one is %d", len(Table)-1))
	_, err = Decode(uint64(len(Table)) << 32)
	require.Error(t, err)
	_, err = Decode(1 << 39)
	require.EqualError(t, err, "isa: 0x8000000000 is wider than an instruction word of 39 bits")
}

// Every instruction has its forms, in the right field of the word.
func TestForms(t *testing.T) {
	for op := range Table {
		want := Form(1)
		if Op(op) == SEND || Op(op) == CONT {
			want = 5
		}
		require.Equal(t, want, FormsOf(Op(op)), Table[op].Name)
	}
	require.Equal(t, FormRight, Inst{Op: SEND, D: 3, B: 2}.Form())
	require.Equal(t, FormLeft, Inst{Op: CONT, D: 3, B: 2}.Form())
	require.Equal(t, FormCont, Inst{Op: ADD, D: 3, B: 2}.Form())
	require.Equal(t, [...]string{"", ".1", ".l", ".r", ".d"}, Suffixes)
	_, ok := Lookup("nosuch")
	require.False(t, ok)
	for _, a := range Aliases {
		_, err := Decode(Encode(a.Of))
		require.NoError(t, err, a.Name)
		_, ok := Lookup(a.Name)
		require.False(t, ok, "%s is an instruction", a.Name)
		require.Contains(t, a.Doc, Table[a.Of.Op].Name+" ", a.Name)
	}
}

// Every instruction has its class and its operands. A pure instruction's operands follow from its class.
func TestRows(t *testing.T) {
	want := map[Class]string{
		ClassLoad: "ld dai", ClassStore: "st bai", ClassSend: "send bai out b mlpe x", ClassCont: "cont dai",
		ClassSegment: "getseg ds relseg a getstr ds relstr a", ClassSpecial: "rds dm wrs ma",
		ClassConstant: "movpe don",
	}
	got := map[Class]string{}
	for _, row := range Table {
		switch row.Class {
		case ClassALU:
			require.Contains(t, []string{"das", "dab", "da"}, row.Operands, row.Name)
		case ClassBranch:
			require.Equal(t, "abx", row.Operands, row.Name)
		default:
			got[row.Class] = strings.TrimSpace(got[row.Class] + " " + row.Name + " " + row.Operands)
		}
		require.Equal(t, row.Class <= ClassBranch, row.Eval != nil, row.Name)
	}
	require.Equal(t, want, got)
	require.Equal(t, FieldD, Table[SEND].Forms)
	require.Equal(t, FieldB, Table[CONT].Forms)
	require.Equal(t, []int{16, 0, 1, 2, 15}, []int{Registers, R0, R1, R2, FP})
	require.Equal(t, []Special{0, 3, 4, 5, 6, 7, 8, 9, 10, 11}, []Special{
		SpecialPE, SpecialK, SpecialClock, SpecialLoad, SpecialMLPE, SpecialSegs, SpecialStrs, SpecialSeed,
		SpecialGAPos, SpecialPrefetch,
	})
	for name, s := range map[string]Special{
		"pe": SpecialPE, "ga": SpecialGA, "ca": SpecialCA,
		"prefetch": SpecialPrefetch,
	} {
		got, ok := LookupSpecial(name)
		require.True(t, ok)
		require.Equal(t, s, got)
	}
}

// evalCase is an instruction, its operands and its result.
type evalCase struct {
	op      Op
	w       Width
	a, b, r uint64
}

func (c evalCase) check(t *testing.T) {
	t.Helper()
	row := Table[c.op]
	require.Equal(t, c.r, c.w.Trunc(row.Eval(c.w, c.a, c.b)), "%s %d %#x %#x", row.Name, c.w, c.a, c.b)
}

// high fills the bits above a 32-bit word. They must not affect results.
const (
	high = 0xdead_beef << 32
	m64  = math.MaxUint64
)

func neg(x uint64) uint64 { return -x }

// These are operands at the ends of the number ranges.
func TestEvalEdges(t *testing.T) {
	for _, c := range []evalCase{
		{DIV, 32, high | 7, high | 2, 3},
		{DIV, 32, 7, high, 1<<32 - 1},
		{DIV, 64, neg(7), 2, neg(3)},
		{DIV, 64, 1 << 63, m64, 1 << 63},
		{DIV, 64, 5, m64, neg(5)},
		{DIV, 32, 5, high | 1<<32 - 1, 1<<32 - 5},
		{DIV, 64, 7, 1, 7},
		{REM, 32, high | 7, high | 4, 3},
		{REM, 32, 7, high, 7},
		{REM, 64, neg(7), 4, neg(3)},
		{REM, 64, 7, neg(2), 1},
		{REM, 64, 1 << 63, m64, 0},
		{REM, 64, 7, m64, 0},
		{REM, 64, 7, 0, 7},
		{REM, 64, 7, 2, 1},
		{MULHU, 64, m64, m64, m64 - 1},
		{MULHU, 64, 1 << 63, 6, 3},
		{MULHU, 32, high | 1<<31, high | 6, 3},
		{MULHU, 32, 1<<32 - 1, 1<<32 - 1, 1<<32 - 2},
		{SHL, 64, 1, 63, 1 << 63},
		{SHL, 64, 1, 64, 1},
		{SHL, 32, 1, 31, 1 << 31},
		{SHL, 32, 1, 32, 1},
		{SHR, 64, 1 << 63, 63, 1},
		{SHR, 64, 2, 64, 2},
		{SHR, 32, high | 1<<31, 31, 1},
		{SHR, 32, 2, 32, 2},
		{SAR, 64, 1 << 63, 63, m64},
		{SAR, 64, neg(8), 1, neg(4)},
		{SAR, 32, high | 8, 1, 4},
		{SAR, 32, 1<<32 - 8, 33, 1<<32 - 4},
	} {
		c.check(t)
	}
	require.Equal(t, uint64(1), Width(32).Trunc(1<<32|1))
	require.Equal(t, uint64(m64), Width(64).Trunc(m64))
	require.Equal(t, int64(-1), Width(32).Signed(1<<32-1))
	require.Equal(t, int64(1)<<31-1, Width(32).Signed(high|1<<31-1))
}

// The operands are equal, just smaller, or not a number.
func TestBranchAndFloatEdges(t *testing.T) {
	f := func(x float64) uint64 { return uint64(math.Float32bits(float32(x))) }
	for _, c := range []evalCase{
		{BEQ, 32, high | 1, 1, 1},
		{BEQ, 64, high | 1, 1, 0},
		{BEQ, 64, 3, 3, 1},
		{BNE, 32, high | 1, 1, 0},
		{BNE, 32, 2, 1, 1},
		{BNE, 64, high | 1, 1, 1},
		{BLT, 32, 3, 3, 0},
		{BLT, 32, 2, 3, 1},
		{BLT, 32, 3, 2, 0},
		{BLT, 64, neg(1), 0, 1},
		{BLT, 32, high | 1, 2, 1},
		{BLT, 32, 1 << 31, 0, 1},
		{BLTU, 32, 3, 3, 0},
		{BLTU, 32, high | 1, 2, 1},
		{BLTU, 64, 0, m64, 1},
		{BLTU, 64, m64, 0, 0},
		{BLTU, 32, 2, high | 1, 0},
		{FBLT, 32, f(1), f(1), 0},
		{FBLT, 32, f(2), f(1), 0},
		{FBLT, 32, f(math.NaN()), f(1), 0},
		{FBLT, 32, f(1), f(math.NaN()), 0},
		{FBLT, 32, high | f(1), high | f(2), 1},
		{FADD, 64, f(math.Inf(1)), f(math.Inf(-1)), 0x7fc00000},
		{FSUB, 32, f(1), f(3), f(-2)},
		{FMUL, 32, f(-2), f(3), f(-6)},
		{FADD, 32, f(16777216), f(1), f(16777216)},
		{ITOF, 64, neg(3), 0, f(-3)},
		{ITOF, 32, 16777217, 0, f(16777216)},
		{ITOF, 32, 0, 0, 0},
	} {
		c.check(t)
	}
}
