package blockgraph

import (
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// The widths equal the widths of the font that paints plots.
func TestWidths(t *testing.T) {
	for _, inBold := range []bool{false, true} {
		f := font.From(plot.DefaultFont, vg.Points(FontSize))
		f.Variant = "Sans"
		if inBold {
			f.Weight = xfont.WeightBold
		}
		face := plot.DefaultTextHandler.Cache().Lookup(f, vg.Points(FontSize))
		for r := ' '; r <= '~'; r++ {
			require.InDelta(t, face.Width(string(r)).Points(), width(string(r), inBold), 1e-9, "%q", r)
		}
		require.InDelta(t, face.Width("…").Points(), width("…", inBold), 1e-9)
		require.InDelta(t, 3*FontSize, width("é世\t", inBold), 1e-9)
		require.InDelta(t, width("n", inBold)+width(" < 3", inBold), width("n < 3", inBold), 1e-9)
	}
	require.Greater(t, width("block", true), width("block", false))
}

// A text is truncated only if it does not fit.
func TestFit(t *testing.T) {
	const words = "return fib(n-1) + fib(n-2)"
	require.Equal(t, words, fitText(words, false, room(words, false)))
	for most := 16.0; most < room(words, false); most++ {
		short := fitText(words, false, most)
		require.LessOrEqual(t, room(short, false), most)
		n := utf8.RuneCountInString(short) - 1
		require.Equal(t, words[:n]+"…", short)
		require.Greater(t, room(words[:n+1]+"…", false), most, "one letter more would not fit")
	}
	require.Equal(t, "x", fitText("x", false, 0))
}
