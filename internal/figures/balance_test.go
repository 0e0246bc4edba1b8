package figures

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/golden"
)

func TestBalanceFigures(t *testing.T) {
	for _, f := range balanceFigures() {
		svg, err := Encode(t.Context(), f, f.Name+".svg")
		require.NoError(t, err)
		golden.Check(t, f.Name+".svg", svg)
	}
}
