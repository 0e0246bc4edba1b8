package isa

import (
	"math"
	"math/bits"
)

// Width is the width of registers and payloads in bits: 32, or 64 on machines whose continuations need it
// (packet.Format.DataBits).
type Width uint8

// Trunc truncates a value to the word width.
func (w Width) Trunc(x uint64) uint64 { return x << (64 - w) >> (64 - w) }

// Signed returns the value of a word as a two's complement number.
func (w Width) Signed(x uint64) int64 { return int64(x<<(64-w)) >> (64 - w) }

// Eval computes the result of a pure instruction from its two operands. For a branch it returns 1 if the branch is
// taken. The caller truncates the result to the word width.
type Eval func(w Width, a, b uint64) uint64

func evalAdd(_ Width, a, b uint64) uint64 { return a + b }
func evalSub(_ Width, a, b uint64) uint64 { return a - b }
func evalMul(_ Width, a, b uint64) uint64 { return a * b }
func evalAnd(_ Width, a, b uint64) uint64 { return a & b }
func evalOr(_ Width, a, b uint64) uint64  { return a | b }
func evalXor(_ Width, a, b uint64) uint64 { return a ^ b }

// evalDiv divides. Division by zero does not trap: as in other RISC instruction sets, the quotient is -1 and the
// remainder a [chosen].
func evalDiv(w Width, a, b uint64) uint64 {
	if w.Trunc(b) == 0 {
		return math.MaxUint64
	}
	if w.Signed(b) == -1 { // the most negative number has no positive counterpart
		return -a
	}
	return uint64(w.Signed(a) / w.Signed(b))
}

func evalRem(w Width, a, b uint64) uint64 {
	if w.Trunc(b) == 0 {
		return a
	}
	if w.Signed(b) == -1 {
		return 0
	}
	return uint64(w.Signed(a) % w.Signed(b))
}

// count returns the shift count of b: its low five bits, or on 64-bit machines its low six.
func count(w Width, b uint64) uint64 { return b & uint64(w-1) }

func evalShl(w Width, a, b uint64) uint64 { return a << count(w, b) }
func evalShr(w Width, a, b uint64) uint64 { return w.Trunc(a) >> count(w, b) }
func evalSar(w Width, a, b uint64) uint64 { return uint64(w.Signed(a) >> count(w, b)) }

// evalMulhu returns the upper word of the unsigned product, for arithmetic on
// numbers of several words.
func evalMulhu(w Width, a, b uint64) uint64 {
	hi, lo := bits.Mul64(w.Trunc(a), w.Trunc(b))
	if w == 64 {
		return hi
	}
	return lo >> w
}

// evalFadd adds two floating-point numbers; the functions below do the other operations. The numbers are IEEE 754
// single precision in the low 32 bits, rounded to nearest even. The conversions keep the compiler from fusing
// operations.
func evalFadd(_ Width, a, b uint64) uint64 { return fbits(float(a) + float(b)) }
func evalFsub(_ Width, a, b uint64) uint64 { return fbits(float(a) - float(b)) }
func evalFmul(_ Width, a, b uint64) uint64 { return fbits(float32(float(a) * float(b))) }
func evalItof(w Width, a, _ uint64) uint64 { return fbits(float32(w.Signed(a))) }
func evalFblt(_ Width, a, b uint64) uint64 { return boolBit(float(a) < float(b)) }

func evalBeq(w Width, a, b uint64) uint64  { return boolBit(w.Trunc(a) == w.Trunc(b)) }
func evalBne(w Width, a, b uint64) uint64  { return boolBit(w.Trunc(a) != w.Trunc(b)) }
func evalBlt(w Width, a, b uint64) uint64  { return boolBit(w.Signed(a) < w.Signed(b)) }
func evalBltu(w Width, a, b uint64) uint64 { return boolBit(w.Trunc(a) < w.Trunc(b)) }

func float(x uint64) float32 { return math.Float32frombits(uint32(x)) }

// fbits returns the bits of a result. Every NaN becomes the same quiet NaN, because the bits of a NaN differ between
// hosts.
func fbits(f float32) uint64 {
	if f != f {
		return 0x7fc00000
	}
	return uint64(math.Float32bits(f))
}
