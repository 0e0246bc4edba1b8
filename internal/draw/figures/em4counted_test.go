package figures

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/inspect/portrait"
	"emsim/trace"
	"emsim/verify"
)

// The sums of the counters are those of a recording of every clock: states by window and PE, packets and waits by link.
func TestCountedPortrait(t *testing.T) {
	s := smallEM4()
	for _, mlpe := range []bool{false, true} {
		r := verify.Run003{Policy: "ring", MLPE: mlpe, N: s.large}
		want, err := Portrait(t.Context(), s.bench, r, portrait.Options{Window: em4Window})
		require.NoError(t, err)
		got, err := s.portrait(t.Context(), r)
		require.NoError(t, err)
		require.Greater(t, len(want.Cells), 2)
		require.Positive(t, want.Hops[3][1])
		require.Equal(t, want.Hops, got.Hops)
		require.Equal(t, want.Blocked, got.Blocked)
		require.Equal(t, want.Waits[trace.PE], got.Waits[trace.PE])
		require.Equal(t, [4]uint64{want.Start, want.From, want.End, want.Window},
			[4]uint64{got.Start, got.From, got.End, got.Window})
		for w, cells := range want.Cells {
			for pe, c := range cells {
				require.Equal(t, c.State, got.Cells[w][pe].State, "window %d, PE %d", w, pe)
			}
		}
	}
}
