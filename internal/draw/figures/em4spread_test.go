package figures

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
)

func TestCallSpread(t *testing.T) {
	d, err := callSpread(t.Context(), em4.Small12(), 10)
	require.NoError(t, err)
	svg, err := Encode(t.Context(), Figure{
		Width: width, Height: height,
		Draw: func(context.Context) (Drawing, error) { return d, nil },
	}, "em4-spread.svg")
	require.NoError(t, err)
	golden.Check(t, "em4-spread.svg", compared(t, svg))
}

func TestHalfOfTheCalls(t *testing.T) {
	pes, most := halfOfCalls([]uint64{1, 5, 2, 0, 4})
	require.Equal(t, 2, pes) // 5 + 4 of 12
	require.EqualValues(t, 5, most)
}
