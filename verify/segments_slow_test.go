//go:build slow

package verify

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/study/ensemble"
)

// The four outcomes on the line [003 table 1, §4.2] hold for exactly these numbers of operand segments, if eight
// consecutive runs must agree: docs/CALIBRATION.md.
func TestSegmentsOfTheOutcomes(t *testing.T) {
	const least, most = 749, 885
	peaks := func(n uint64, mlpe bool) (peaks []int) {
		s := Standard003()
		s.Config.Segments = 2048 // more than any run needs
		all, err := newBench003(s, ensemble.New(0)).results(t.Context(),
			Run003{Policy: "line", MLPE: mlpe, N: n, Runs: Runs003})
		require.NoError(t, err)
		for _, r := range slices.Concat(all...) {
			peaks = append(peaks, int(r.SegmentsPeak))
		}
		return peaks
	}
	runs := slices.Concat(peaks(20, false), peaks(22, true))
	stops := slices.Concat(peaks(21, false), peaks(23, true))
	t.Logf("runs %v, stops %v", runs, stops)
	require.Equal(t, least, slices.Max(runs))
	require.Equal(t, most+1, slices.Min(stops))
	published := em4.Prototype80().Segments
	require.True(t, least <= published && published <= most)
}
