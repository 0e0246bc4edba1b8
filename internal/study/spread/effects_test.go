package spread

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// If factors multiply the values, their effects are their ratios, and they have no common effect. An additional factor
// where two factors meet is the common effect of both.
func TestEffects(t *testing.T) {
	ratios, together := []float64{2, 0.5, 1.25}, 1.1 // additional factor if factors 0 and 2 meet
	cells := make([]Cell, 8)
	for i := range cells {
		mean := 100.0
		for f, r := range ratios {
			if i>>f&1 == 1 {
				mean *= r
			}
		}
		if i&5 == 5 {
			mean *= together
		}
		cells[i] = Cell{uint(i), Spread{N: 4, Mean: mean, SD: mean / 10}}
	}
	for factors, want := range map[uint]float64{
		1: 2 * math.Sqrt(together), 2: 0.5, 4: 1.25 * math.Sqrt(together), 3: 1,
		5: together, 6: 1, 7: 1,
	} {
		r, _, _ := EffectOf(cells, factors).Ratio()
		require.InDelta(t, want, r, 1e-12, factors)
	}
	// A main effect compares two means of 16 values each, whose relative deviation is a tenth.
	e := EffectOf(cells, 2)
	require.InDelta(t, 0.1*math.Sqrt(2./16), e.Error, 1e-12)
	r, low, high := e.Ratio()
	require.InDelta(t, r*math.Exp(2.0638986*e.Error), high, 1e-6, "24 degrees of freedom: three of each cell")
	require.InDelta(t, r/high, low/r, 1e-12)
	require.InDelta(t, 2*e.Error, EffectOf(cells, 3).Error, 1e-12, "of two factors: means of half as many")
	require.True(t, e.Certain())
	require.True(t, EffectOf(cells, 1).Certain())
	require.False(t, EffectOf(cells, 3).Certain())

	m := MeanEffect([]Effect{{1, 0.3, 0.3 * 0.3 * 0.3 * 0.3 / 6}, {3, 0.4, 0.4 * 0.4 * 0.4 * 0.4 / 8}})
	require.InDeltaSlice(t, []float64{2, 0.25}, []float64{m.Log, m.Error}, 1e-12)
	require.InDelta(t, 0.0625/(0.0081/6+0.0256/8), m.Error*m.Error*m.Error*m.Error/m.perDegree, 1e-9, "Welch")
}
