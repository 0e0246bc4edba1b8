package figures

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/golden"
)

// The cheap figures are compared as text: a changed line is a changed map,
// route or clock.
func TestPDESFigures(t *testing.T) {
	for _, f := range pdesFigures() {
		if f.Name == "pdes-cost-runtime" {
			continue // 150 runs; its numbers are tested in package study
		}
		svg, err := Encode(context.Background(), f, f.Name+".svg")
		require.NoError(t, err)
		golden.Check(t, f.Name+".svg", svg)
	}
}
