package figures

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/crc32"
	"image/png"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
	"emsim/verify"
)

// smallEM4 returns the figures on 12 PEs with small arguments, which take a
// fraction of a second.
func smallEM4() *em4Set {
	return newEM4Set(verify.NewBench003(verify.Setup003{Config: em4.Small12(), Seed: 1}), 12, 13)
}

// inlinePicture matches a picture inside an SVG.
var inlinePicture = regexp.MustCompile(`base64,[A-Za-z0-9+/=]+`)

// compared replaces each picture in an SVG by a sum of its pixels, because its
// compressed bytes may differ.
func compared(t *testing.T, svg []byte) []byte {
	t.Helper()
	return inlinePicture.ReplaceAllFunc(svg, func(text []byte) []byte {
		data, err := base64.StdEncoding.DecodeString(string(text[len("base64,"):]))
		require.NoError(t, err)
		picture, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		sum, size := crc32.NewIEEE(), picture.Bounds().Size()
		for y := range size.Y {
			for x := range size.X {
				r, g, b, a := picture.At(x, y).RGBA()
				_, _ = sum.Write([]byte{byte(r >> 8), byte(g >> 8), byte(b >> 8), byte(a >> 8)})
			}
		}
		return fmt.Appendf(nil, "base64,... %d x %d pixels, %08x", size.X, size.Y, sum.Sum32())
	})
}

// checkPicture compares a figure with the picture of the documentation, which also has a
// recipe.
func checkPicture(t *testing.T, f Figure) {
	t.Helper()
	svg, err := Encode(t.Context(), f, f.Name+".svg")
	require.NoError(t, err)
	file := "../../../docs/img/" + f.Name + ".svg"
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	_, text := recipe.Find(want)
	svg = recipe.InFile(file, svg, text)
	if golden.Update() {
		require.NoError(t, os.WriteFile(file, svg, 0o644))
		want = svg
	}
	require.True(t, string(compared(t, want)) == string(compared(t, svg)), "%s: look at what -update draws", file)
}

// The figures of runs are as recorded, byte by byte, and pictures by their pixels.
func TestEM4Figures(t *testing.T) {
	for _, f := range smallEM4().figures() {
		if f.Name == "em4-table1" || f.Name == "em4-bands" {
			continue // need 80 PEs; drawn below from rows
		}
		svg, err := Encode(t.Context(), f, f.Name+".svg")
		require.NoError(t, err)
		golden.Check(t, f.Name+".svg", compared(t, svg))
	}
}

// rowsOf returns rows such as verify's, with invented numbers.
func rowsOf() []verify.Row {
	claim := func(id, quantity, unit, paper string, tol float64, gap int) verify.Claim {
		return verify.Claim{
			ID: "003." + id, PaperNo: "003", Quantity: quantity, Unit: unit, Paper: paper,
			Rule: verify.Within, Tolerance: tol, Gap: gap, Recorded: "55", Band: 60,
		}
	}
	return []verify.Row{
		verify.Compare(claim("t1.1.time", "time", "ms", "1.12", 0.1, 0), verify.Number(1.2)),
		verify.Compare(claim("t1.1.util", "pe_utilisation", "%", "54.6", 5, 0), verify.Number(52)),
		verify.Compare(claim("t1.2.time", "time", "ms", "1.98", 0.1, 0), verify.Number(2.2)),       // not ok
		verify.Compare(claim("t1.2.util", "pe_utilisation", "%", "44.0", 5, 1), verify.Number(55)), // a gap
		verify.Compare(claim("t3.mlpe.mlpecalls", "mlpe_calls", "count", "2216", 0.15, 3),
			verify.Number(1)), // off the scale
		verify.Compare(claim("x.line.21", "outcome", "-", "segment overflow", 0, 0), verify.TextValue("runs")),
		verify.Compare(claim("c.t1.fastest", "relation", "-", "a < b", 0, 0), verify.Holds(false, "1 against 2")),
	}
}

// The rows of table 1 have their policies' names, numbers and tolerances.
func TestEM4TableOfPolicies(t *testing.T) {
	f := Figure{
		Width: width, Height: height,
		Draw: func(context.Context) (Drawing, error) { return tableOfPolicies("policies", rowsOf()) },
	}
	svg, err := Encode(t.Context(), f, "x.svg")
	require.NoError(t, err)
	golden.Check(t, "em4-table1.svg", svg)
	require.Equal(t, ", gap 1", remarks(rowsOf()[3]))
	require.Equal(t, ", NOT OK", remarks(rowsOf()[2]))
	require.Empty(t, remarks(rowsOf()[0]))
}

// Only rows with numbers that were measured several times have a band.
func TestEM4Bands(t *testing.T) {
	banded := func(id, unit, paper string, tol float64, gap int, b run.Band) verify.Row {
		c := verify.Claim{
			ID: "003." + id, PaperNo: "003", Quantity: "x", Unit: unit, Paper: paper, Rule: verify.Within,
			Tolerance: tol, Gap: gap, Recorded: "30", Band: 2,
		}
		return verify.Compare(c, verify.Value{
			Number: b.Mean,
			Spread: &verify.Spread{Band: b, First: b.Max, Runs: 8, Seeds: 1},
		})
	}
	rows := append(rowsOf(), banded("a", "ms", "2", 0.1, 0, run.Band{Best: 1.8, Mean: 2.1, Min: 1.8, Max: 2.5}),
		banded("b", "%", "40", 5, 7, run.Band{Best: 31, Mean: 30, Min: 29, Max: 33}),
		banded("c", "ms", "1", 0.1, 0, run.Band{Best: 3, Mean: 3, Min: 3, Max: 3}))
	f := Figure{
		Width: width, Height: height,
		Draw: func(context.Context) (Drawing, error) { return bands("bands", rows) },
	}
	svg, err := Encode(t.Context(), f, "x.svg")
	require.NoError(t, err)
	golden.Check(t, "em4-bands.svg", svg)
	require.Equal(t, "paper 40: 30 [29, 33], gap 7", bandText(rows[8]))
	require.Equal(t, "paper 1: 3 [3, 3], NOT OK", bandText(rows[9]))
	require.NotContains(t, string(svg), "paper 1.12")
	require.InDelta(t, -10, fromPaper(rows[7], 1.8), 1e-9)
	require.InDelta(t, -9, fromPaper(rows[8], 31), 1e-9)
}

// A PNG has the requested size, and drawing stops when its context ends.
func TestEM4PNG(t *testing.T) {
	s := smallEM4()
	for _, f := range s.figures() {
		if f.Name != "em4-heatmap" {
			continue
		}
		data, err := Encode(t.Context(), f, "x.png")
		require.NoError(t, err)
		img, err := png.Decode(bytes.NewReader(data))
		require.NoError(t, err)
		require.InDelta(t, f.Width.Points()*2, float64(img.Bounds().Dx()), 2)
		require.InDelta(t, f.Height.Points()*2, float64(img.Bounds().Dy()), 2)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Encode(cancelled, All()[0], "x.svg")
	require.ErrorIs(t, err, context.Canceled)
}

// A figure that cannot be drawn, or whose file has no format, is an error.
func TestEncodeErrors(t *testing.T) {
	wrong := errors.New("wrong")
	f := Figure{Width: width, Height: height, Draw: func(context.Context) (Drawing, error) { return nil, wrong }}
	for _, name := range []string{"x.gif", "svg", ""} {
		_, err := Encode(t.Context(), f, name)
		require.EqualError(t, err, fmt.Sprintf("%q: a figure is saved as .svg or .png", name))
	}
	for _, name := range []string{"x.SVG", "x.Png"} {
		_, err := Encode(t.Context(), f, name)
		require.ErrorIs(t, err, wrong)
	}
	require.Equal(t, []string{".svg", ".png"}, Formats())
}
