package compile_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// floatsGo makes operands of all kinds and sizes, and computes quotients, minima and maxima of them.
const floatsGo = `package main

import "emsim/df"

var m df.Array[float32]

var power [277]float32

var odd = [8]float32{0, 1, 3, 16777215, 1e-45, 1.1754944e-38, 3.4028235e38}

func init() {
	p := float32(1e-45)
	for i := range power {
		power[i] = p
		p += p
	}
	odd[7] = p
}

func mix(x uint32) uint32 {
	x = (x ^ x>>16) * 0x85ebca6b
	x = (x ^ x>>13) * 0xc2b2ae35
	return x ^ x>>16
}

func operand(x uint32) float32 {
	v := float32(float32(int32(x&0xffffff)) * power[x>>7%277])
	if x>>4&7 == 0 {
		v = odd[x>>7&7]
	}
	if x>>28&1 == 1 {
		v = -v
	}
	if x>>20 == 9 {
		v = odd[7] - odd[7]
	}
	return v
}

func result(x uint32) float32 {
	a, b := operand(mix(x)), operand(mix(x+1<<20))
	switch x & 3 {
	case 0:
		return min(a, b)
	case 1:
		return max(a, 2, b, -a)
	}
	return a / b
}

//emsim:arg seed 0 1000000
func f(seed int32) df.Array[float32] {
	m.Fill(12, 1000, func(p, k int32) float32 { return result(uint32(seed + p*1000 + k)) })
	return m
}
`

// The same in Go.
var (
	power [277]float32
	odd   = [8]float32{0, 1, 3, 16777215, 1e-45, 1.1754944e-38, 3.4028235e38, float32(math.Inf(1))}
)

func mix(x uint32) uint32 {
	x = (x ^ x>>16) * 0x85ebca6b
	x = (x ^ x>>13) * 0xc2b2ae35
	return x ^ x>>16
}

func operandOf(x uint32) float32 {
	v := float32(float32(int32(x&0xffffff)) * power[x>>7%277])
	if x>>4&7 == 0 {
		v = odd[x>>7&7]
	}
	if x>>28&1 == 1 {
		v = -v
	}
	if x>>20 == 9 {
		v = odd[7] - odd[7]
	}
	return v
}

// Quotients, min and max are Go's to the last bit, except that a NaN has the machine's bits.
func TestFloatDivision(t *testing.T) {
	for i := range power {
		power[i] = float32(math.Ldexp(1, i-149))
	}
	for _, opt := range []compile.Options{{}, {Blocks: compile.Finest}} {
		r, err := onMachine(t, assemble(t, "p.go", floatsGo, opt, nil), 12, 1000)
		require.NoError(t, err)
		require.Len(t, r.Words, 12000)
		kinds := map[string]int{}
		for i, got := range r.Words {
			x := uint32(1000 + i)
			a, b := operandOf(mix(x)), operandOf(mix(x+1<<20))
			want := a / b
			switch x & 3 {
			case 0:
				want = min(a, b)
			case 1:
				want = max(a, 2, b, -a)
			}
			bits := math.Float32bits(want)
			switch {
			case want != want:
				bits = 0x7fc00000
				kinds["NaN"]++
			case math.IsInf(float64(want), 0):
				kinds["infinity"]++
			case want == 0:
				kinds["zero"]++
			case bits<<1 < 1<<24:
				kinds["denormal"]++
			}
			require.Equal(t, bits, uint32(got), "%x / %x", math.Float32bits(a), math.Float32bits(b))
		}
		require.Len(t, kinds, 4)
		for kind, n := range kinds {
			require.Greater(t, n, 40, kind)
		}
	}
}
