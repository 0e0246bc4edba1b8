package figures

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"

	"emsim/em4"
	"emsim/internal/golden"
)

// The packet finds the least load of its circuit; only PEs of no greater load
// rewrite it.
func TestMLPEWalk(t *testing.T) {
	d, err := mlpeWalk(80)
	require.NoError(t, err)
	w := d.(walk)
	require.Len(t, w.stops, 5)
	require.Equal(t, "[1,"+w.stops[3].pe.String()+"]", w.back)
	require.Equal(t, "[5,[0,0]]", w.stops[0].data)
	require.Equal(t, w.stops[1].data, w.stops[2].data, "a greater load changes nothing")
	var changed []bool
	for _, s := range w.stops {
		changed = append(changed, s.changed)
	}
	require.Equal(t, []bool{false, true, false, true, false}, changed)
	_, err = mlpeWalk(81)
	require.Error(t, err)
	svg, err := Encode(context.Background(), Figure{Width: 24 * vg.Centimeter, Height: 6 * vg.Centimeter, Draw: func(context.Context) (Drawing, error) { return d, nil }}, "a.svg")
	require.NoError(t, err)
	golden.Check(t, "em4-mlpe.svg", svg)
}

// The cells are those of figure 3.
func TestLoadTable(t *testing.T) {
	rows := loadOf(em4.Prototype80()).rows
	require.Equal(t, []string{"0", "1–7", "8–F", "10–"}, rows[0].cells[:4])
	require.Equal(t, []string{"1–1F", "20–3F", "40–5F", "60–7F", "80–9F", "A0–BF", "C0–DF", "E0–FF", "100–FFF", "", "", "1000–"}, rows[1].cells[4:])
	require.Equal(t, "0–7", rows[2].cells[15])
	require.Equal(t, "0–15", rows[3].cells[15])
	for _, f := range em4MLPEFigures() {
		_, err := Encode(context.Background(), f, f.Name+".png")
		require.NoError(t, err)
	}
}
