package figures

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/mnc"
)

// The cheap figures are as recorded, and so are curves of fewer data. Drawing
// stops when its context ends.
func TestMNCFigures(t *testing.T) {
	ctx := context.Background()
	for _, f := range mncFigures() {
		if f.Name == "mnc-efficiency" || f.Name == "mnc-transfers" {
			continue // a few seconds each
		}
		checkPicture(t, f)
	}
	curves := Figure{
		Width: width, Height: height,
		Draw: mncCurves("MNC: efficiency", "efficiency", 500, func(s mnc.Stats) float64 { return s.Efficiency }),
	}
	data, err := Encode(ctx, curves, "curves.svg")
	require.NoError(t, err)
	golden.Check(t, "mnc-curves.svg", data)

	ctx, cancel := context.WithCancel(ctx)
	cancel()
	for _, f := range mncFigures() {
		_, err := Encode(ctx, f, "x.svg")
		require.ErrorIs(t, err, context.Canceled, f.Name)
	}
}
