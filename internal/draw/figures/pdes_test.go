package figures

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/pdes/network"
	"emsim/pdes/study"
)

// The cheap figures are as recorded: a changed line is a changed map, route or
// clock.
func TestPDESFigures(t *testing.T) {
	for _, f := range pdesFigures() {
		if f.Name == "pdes-cost-runtime" {
			continue // 150 runs; fewer and shorter ones are below
		}
		checkPicture(t, f)
	}
	cloud := func(ctx context.Context) (Drawing, error) {
		return costRuntime(ctx, study.Case{Kind: network.Torus, Shape: "4x2", Stages: 2}, 9, 12)
	}
	svg, err := Encode(context.Background(), Figure{Width: 2 * width, Height: height, Draw: cloud}, "x.svg")
	require.NoError(t, err)
	golden.Check(t, "pdes-cloud.svg", svg)
}
