package portable

import (
	"hash/fnv"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/gonum/stat"

	"emsim/internal/base/rng"
)

// ulps returns the distance between two numbers in units of the last bit.
func ulps(a, b float64) int64 {
	d := int64(math.Float64bits(a)) - int64(math.Float64bits(b))
	return max(d, -d)
}

// The results agree with the standard library to two bits, over the whole range that the models use.
func TestAgreesWithTheStandardLibrary(t *testing.T) {
	draw := rng.New(1, 2)
	for range 10_000 {
		u := draw.Unit()
		x := -745 + 1454*u
		require.LessOrEqual(t, ulps(math.Exp(x), Exp(x)), int64(2), "exp %v", x)
		x = math.Ldexp(1+u, draw.Below(2040)-1020)
		require.LessOrEqual(t, ulps(math.Log(x), Log(x)), int64(2), "log %v", x)
		x = math.Pi * (2*u - 1)
		require.InDelta(t, math.Cos(x), Cos(x), 1e-15, "cos %v", x)
		n := draw.Below(12)
		require.Equal(t, math.Pow(1+u, float64(n)), Power(1+u, n))
		require.InEpsilon(t, math.Pow(u+1e-9, 1/float64(n+1)), Root(u+1e-9, n+1), 1e-14)
	}
	for _, x := range []float64{0, 1, -1, 710, -746, 1e300, -1e300, math.Inf(1), math.Inf(-1)} {
		require.LessOrEqual(t, ulps(math.Exp(x), Exp(x)), int64(2), "%v", x)
	}
	require.True(t, math.IsNaN(Exp(math.NaN())))
	require.Equal(t, 0.0, Log(1))
}

// gonum is the oracle for means and deviations.
func TestMeanSD(t *testing.T) {
	draw := rng.New(3, 4)
	for n := 2; n < 40; n++ {
		x := make([]float64, n)
		for i := range x {
			x[i] = 1000 + draw.Unit()
		}
		mean, sd := MeanSD(x)
		require.InEpsilon(t, stat.Mean(x, nil), mean, 1e-15)
		require.InEpsilon(t, stat.StdDev(x, nil), sd, 1e-12)
	}
}

// The bits were recorded on amd64. Other processors run this test too.
func TestSameBits(t *testing.T) {
	draw, sum := rng.New(5, 6), fnv.New64a()
	for range 20_000 {
		u := draw.Unit()
		mean, sd := MeanSD([]float64{u, draw.Unit(), 3 * draw.Unit()})
		for _, v := range []float64{Exp(100 * (u - 0.5)), Log(u), Cos(3 * u), Root(u, 3), Power(u, 5), mean, sd} {
			bits := math.Float64bits(v)
			for ; bits > 0; bits >>= 8 {
				sum.Write([]byte{byte(bits)})
			}
		}
	}
	require.Equal(t, uint64(0xf7c7acb76ae76da4), sum.Sum64())
}
