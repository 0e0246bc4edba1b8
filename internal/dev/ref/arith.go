package ref

import (
	"fmt"
	"math"
	"math/big"

	"emsim/isa"
)

// truncate clears the bits that a register does not have.
func (m *Machine) truncate(v uint64) uint64 {
	if m.width == 64 {
		return v
	}
	return v % (1 << m.width)
}

// signed returns a register's content as a signed number.
func (m *Machine) signed(v uint64) int64 {
	if m.width == 32 {
		return int64(int32(uint32(v)))
	}
	return int64(v)
}

// arithmetic executes an instruction that computes a register from two others.
func (m *Machine) arithmetic(op isa.Op, a, b uint64) uint64 {
	shift := b % uint64(m.width)
	var v uint64
	switch op {
	case isa.ADD:
		v = a + b
	case isa.SUB:
		v = a + ^b + 1
	case isa.MUL:
		v = a * b
	case isa.MULHU:
		v = m.upper(a, b)
	case isa.DIV:
		q, _ := m.divide(a, b)
		v = q
	case isa.REM:
		_, r := m.divide(a, b)
		v = r
	case isa.AND:
		v = a & b
	case isa.OR:
		v = ^(^a & ^b)
	case isa.XOR:
		v = (a | b) &^ (a & b)
	case isa.SHL:
		for range shift {
			a += a
		}
		v = a
	case isa.SHR:
		v = a / (1 << shift)
	case isa.SAR:
		v = uint64(floorHalves(m.signed(a), shift))
	case isa.FADD:
		v = single(real32(a) + real32(b))
	case isa.FSUB:
		v = single(real32(a) - real32(b))
	case isa.FMUL:
		v = single(float64(real32(a) * real32(b)))
	case isa.ITOF:
		f, _ := new(big.Float).SetPrec(24).SetInt64(m.signed(a)).Float32()
		v = uint64(math.Float32bits(f))
	default:
		panic(fmt.Sprintf("internal/dev/ref/arith.go: no case computes opcode %d", op))
	}
	return m.truncate(v)
}

// condition reports whether a branch is taken.
func (m *Machine) condition(op isa.Op, a, b uint64) bool {
	switch op {
	case isa.BEQ:
		return a == b
	case isa.BNE:
		return a != b
	case isa.BLT:
		return m.signed(a) < m.signed(b)
	case isa.BLTU:
		return a < b
	case isa.FBLT:
		return real32(a) < real32(b) // false if either is NaN
	}
	panic(fmt.Sprintf("internal/dev/ref/arith.go: no case decides opcode %d", op))
}

// upper returns the high word of the product, computed with integers of unlimited size.
func (m *Machine) upper(a, b uint64) uint64 {
	x, y := new(big.Int).SetUint64(a), new(big.Int).SetUint64(b)
	return x.Rsh(x.Mul(x, y), m.width).Uint64()
}

// divide divides magnitudes and then applies the signs: the quotient is
// rounded towards zero, the remainder has the dividend's sign. On division by
// zero the quotient is all ones and the remainder the dividend.
func (m *Machine) divide(a, b uint64) (q, r uint64) {
	if b == 0 {
		return ^uint64(0), a
	}
	x, y := m.signed(a), m.signed(b)
	q, r = magnitude(x)/magnitude(y), magnitude(x)%magnitude(y)
	if (x < 0) != (y < 0) {
		q = -q
	}
	if x < 0 {
		r = -r
	}
	return q, r
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// floorHalves halves x the given number of times, rounding down.
func floorHalves(x int64, times uint64) int64 {
	for range times {
		if x < 0 && x%2 != 0 {
			x--
		}
		x /= 2
	}
	return x
}

// real32 returns the low 32 bits as a single precision number. Sums, differences and products of two such numbers,
// computed in double precision and then rounded again, are correctly rounded: 53 >= 2·24 + 2 bits.
func real32(v uint64) float64 { return float64(math.Float32frombits(uint32(v))) }

// single rounds to single precision. Every NaN becomes the same NaN.
func single(f float64) uint64 {
	if math.IsNaN(f) {
		return 0x7fc00000
	}
	return uint64(math.Float32bits(float32(f)))
}
