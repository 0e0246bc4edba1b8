package figures

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"emsim/em4"
	"emsim/internal/golden"
	"emsim/packet"
)

// The clocks of every search come one after the other, a call empties the
// register, and only a search fills it again.
func TestRegister(t *testing.T) {
	r, err := registerOf(t.Context(), em4.Small12(), 12)
	require.NoError(t, err)
	taken := map[int]bool{}
	for _, c := range r.calls {
		if c.empty {
			require.NotEqual(t, packet.PE{}, c.to)
			continue
		}
		require.False(t, taken[c.search], "a segment is taken once")
		taken[c.search] = true
		if c.search >= 0 {
			require.Less(t, r.searches[c.search].filled, c.clock)
			require.Equal(t, r.searches[c.search].at, c.to)
		}
	}
	require.Greater(t, len(r.searches), 2)
	for _, s := range r.searches[:len(r.searches)-1] {
		clocks := []uint64{0, s.sent, s.home, s.found, s.asked, s.reached, s.reserves, s.answered, s.back, s.filled}
		for i := range clocks[1:] {
			require.Less(t, clocks[i], clocks[i+1], "%+v", s)
		}
	}
	require.False(t, r.calls[r.first-1].empty)
	require.True(t, r.calls[r.first].empty)
	require.True(t, r.calls[r.first+1].empty)
	_, err = registerOf(t.Context(), em4.Small12(), 3)
	require.ErrorContains(t, err, "no PE")
}

// The pictures, on a machine whose timing calibration does not change.
func TestEM4PrefetchFigures(t *testing.T) {
	c := em4.Small12()
	c.HopClocks, c.InjectClocks, c.BankClocks = 4, 1, 2
	r, err := registerOf(t.Context(), c, 12)
	require.NoError(t, err)
	for name, d := range map[string]Drawing{"em4-prefetch": r.prefetch(), "em4-fallback": r.fallback()} {
		svg, err := Encode(t.Context(), Figure{Width: 24 * vg.Centimeter, Height: 8 * vg.Centimeter, Draw: func(context.Context) (Drawing, error) { return d, nil }}, name+".svg")
		require.NoError(t, err)
		golden.Check(t, name+".svg", svg)
	}
	for _, f := range em4PrefetchFigures() {
		_, err := Encode(t.Context(), f, f.Name+".png")
		require.NoError(t, err)
	}
}
