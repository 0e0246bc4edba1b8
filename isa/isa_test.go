package isa

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Any 39-bit word is either an instruction, which encodes back to the same word, or no instruction. So no two encodings
// overlap.
func TestDecodeEncodeIdentity(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.Uint64Max(1<<WordBits-1).Draw(t, "word")
		// Random fields are cleared, so that words with unused fields occur.
		w &^= rapid.SampledFrom([]uint64{
			0, 1<<immBits - 1, 0x1f << immBits, 0xff << (immBits + 5),
			0x1fff << immBits,
		}).Draw(t, "blank")
		in, err := Decode(w)
		if err == nil {
			found++
			require.Equal(t, w, Encode(in))
		}
	})
	require.NotZero(t, found)
}

func TestEveryRowEncodes(t *testing.T) {
	for op := range Table {
		row := Table[op]
		require.NotEmpty(t, row.Name)
		require.NotEmpty(t, row.Doc, row.Name)
		require.NotEmpty(t, row.Source, row.Name)
		in := Inst{Op: Op(op)}
		back, err := Decode(Encode(in))
		require.NoError(t, err, row.Name)
		require.Equal(t, in, back)
		got, ok := Lookup(row.Name)
		require.True(t, ok)
		require.Equal(t, Op(op), got)
		pure := row.Class == ClassALU || row.Class == ClassBranch
		require.Equal(t, pure, row.Eval != nil, "%s: ALU and branch rows have a pure function, others do not", row.Name)
	}
	_, err := Decode(uint64(len(Table)) << (immBits + 3*regBits + 1))
	require.ErrorContains(t, err, "opcode")
	_, err = Decode(1 << WordBits)
	require.ErrorContains(t, err, "wider")
}

func TestUnusedFieldsAreData(t *testing.T) {
	for _, in := range []Inst{
		{Op: OUT, D: 1},
		{Op: OUT, A: 1},
		{Op: ADD, Imm: 1},
		{Op: ADD, Lit: true, B: 1},
		{Op: RELSEG, Lit: true},
		{Op: BEQ, Imm: -1},
		{Op: BEQ, Lit: true},
		{Op: RDS, Imm: int32(len(SpecialNames))},
		{Op: SEND, D: uint8(forms)},
		{Op: CONT, B: uint8(forms)},
	} {
		_, err := Decode(Encode(in))
		require.Error(t, err, "%+v", in)
	}
}

// The orders have their names, and the loader makes the right word.
func TestOrders(t *testing.T) {
	for i, name := range OrderNames {
		o, ok := LookupOrder(name)
		require.True(t, ok)
		require.EqualValues(t, i, o)
		require.NotEmpty(t, OrderDocs[i])
	}
	_, ok := LookupOrder("nosuch")
	require.False(t, ok)
	in := Inst{Op: MOVPE, D: 3, B: uint8(OrderOut), Imm: -1, End: true}
	require.Equal(t, Relation{OrderOut, -1}, in.Relation())
	require.Equal(t, uint64(0x61_3000_0000), FillPE(Encode(in), 0))
	require.Equal(t, uint64(0x61_307f_ffff), FillPE(Encode(in), 1<<23-1))
}

// The instructions are evaluated on the 32-bit and on the 64-bit word.
func TestEval(t *testing.T) {
	f := func(x float32) uint64 { return uint64(math.Float32bits(x)) }
	const m32 = 1<<32 - 1
	for _, c := range []struct {
		op             Op
		a, b, w32, w64 uint64
	}{
		{ADD, m32, 1, 0, 1 << 32},
		{SUB, 0, 1, m32, math.MaxUint64},
		{MUL, 1 << 31, 2, 0, 1 << 32},
		{MULHU, 1 << 31, 4, 2, 0},
		{DIV, 7, 2, 3, 3},
		{DIV, m32 - 6, 2, m32 - 2, (m32 - 6) / 2},
		{DIV, 7, 0, m32, math.MaxUint64},
		{DIV, 1 << 31, m32, 1 << 31, 0},
		{REM, 7, 4, 3, 3},
		{REM, m32 - 6, 4, m32 - 2, (m32 - 6) % 4},
		{REM, 7, 0, 7, 7},
		{REM, 1 << 31, m32, 0, 1 << 31},
		{AND, 12, 10, 8, 8},
		{OR, 12, 10, 14, 14},
		{XOR, 12, 10, 6, 6},
		{SHL, 1, 33, 2, 1 << 33},
		{SHR, m32, 33, m32 >> 1, 0},
		{SAR, 1 << 31, 31, m32, 1},
		{BEQ, 1 << 32, 0, 1, 0},
		{BNE, 1 << 32, 0, 0, 1},
		{BLT, m32, 0, 1, 0},
		{BLTU, m32, 0, 0, 0},
		{BLTU, 1, m32, 1, 1},
		{FADD, f(1.5), f(2.25), f(3.75), f(3.75)},
		{FSUB, f(1.5), f(2.25), f(-0.75), f(-0.75)},
		{FMUL, f(1.5), f(2), f(3), f(3)},
		{FMUL, f(0), f(float32(math.Inf(1))), 0x7fc00000, 0x7fc00000},
		{FBLT, f(-1), f(1), 1, 1},
		{ITOF, m32, 0, f(-1), f(4294967296)},
	} {
		row := Table[c.op]
		require.Equal(t, c.w32, Width(32).Trunc(row.Eval(32, c.a, c.b)), "%s 32 %#x %#x", row.Name, c.a, c.b)
		require.Equal(t, c.w64, row.Eval(64, c.a, c.b), "%s 64 %#x %#x", row.Name, c.a, c.b)
	}
}

func TestSpecials(t *testing.T) {
	for i, name := range SpecialNames {
		s, ok := LookupSpecial(name)
		require.True(t, ok)
		require.EqualValues(t, i, s)
		require.NotEmpty(t, SpecialDocs[i])
	}
	_, ok := LookupSpecial("nosuch")
	require.False(t, ok)
}

// Some words are written by hand, so that the layout cannot change unnoticed.
func TestWordLayout(t *testing.T) {
	require.Equal(t, uint64(0), Encode(Inst{}))
	require.Equal(t, uint64(0x7_ffff), Encode(Inst{Imm: -1}))
	require.Equal(t, uint64(1)<<38, Encode(Inst{End: true}))
	require.Equal(t, uint64(1)<<32, Encode(Inst{Op: SUB}))
	require.Equal(t, uint64(1)<<28, Encode(Inst{D: 1}))
	require.Equal(t, uint64(1)<<24, Encode(Inst{A: 1}))
	require.Equal(t, uint64(1)<<23, Encode(Inst{Lit: true}))
	require.Equal(t, uint64(1)<<19, Encode(Inst{B: 1}))
}
