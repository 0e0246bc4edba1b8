package figures

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"emsim/em4"
	"emsim/internal/golden"
)

// The tour's pictures, on a machine whose timing calibration does not change;
// the strips of fib with a smaller argument.
func TestEM4TourFigures(t *testing.T) {
	c := em4.Small12()
	c.HopClocks, c.InjectClocks, c.BankClocks = 4, 1, 2
	for name, f := range map[string]func(ctx context.Context) (Drawing, error){
		"em4-packet": func(ctx context.Context) (Drawing, error) { return em4Packet(ctx, c) },
		"em4-fib5":   func(ctx context.Context) (Drawing, error) { return em4Fib(ctx, c, 5) },
	} {
		svg, err := Encode(context.Background(), Figure{Width: 24 * vg.Centimeter, Height: 10 * vg.Centimeter, Draw: f}, name+".svg")
		require.NoError(t, err)
		golden.Check(t, name+".svg", svg)
	}
}

// Every figure of the tour can be drawn on the current machine.
func TestEM4TourFiguresDraw(t *testing.T) {
	for _, f := range em4TourFigures() {
		_, err := Encode(context.Background(), f, f.Name+".png")
		require.NoError(t, err)
	}
}
