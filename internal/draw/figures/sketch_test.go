package figures

import (
	"context"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
)

// A sketch has the texts and paths of an SVG, with y counted upward.
type sketch struct {
	texts []written
	paths []stroke
}

type written struct {
	x, y, size float64
	text       string
	anchor     float64 // the part of the text left of its place in the file
	turned     bool
}

// stroke is a path: its corners, without curves, and its attributes.
type stroke struct {
	points [][2]float64
	style  string
}

var (
	svgHeight   = regexp.MustCompile(`viewBox="0 0 \S+ (\S+)"`)
	svgText     = regexp.MustCompile(`<text x="(\S+)" y="(\S+)" font-size="(\S+)"([^>]*)>([^<]*)</text>`)
	svgPath     = regexp.MustCompile(`<path d="([^"]*)"([^>]*)/>`)
	svgClass    = regexp.MustCompile(` class="[^"]*"`)
	strokeWidth = regexp.MustCompile(`stroke-width="([0-9.]+)"`)
	svgTo       = regexp.MustCompile(`[ML]([-0-9.]+),([-0-9.]+)`)
)

func number64(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

func readSketch(t *testing.T, svg []byte) (s sketch) {
	t.Helper()
	value := func(text string) float64 { return number64(t, text) }
	high := value(svgHeight.FindStringSubmatch(string(svg))[1])
	for _, m := range svgText.FindAllStringSubmatch(string(svg), -1) {
		w := written{
			x: value(m[1]), y: high - value(m[2]), size: value(m[3]), text: html.UnescapeString(m[5]),
			turned: strings.Contains(m[4], "rotate"),
		}
		style := sansStyle(vg.Length(w.size), 0, 0)
		if strings.Contains(m[4], "bold") {
			style = boldStyle(style)
		}
		if strings.Contains(m[4], "middle") {
			w.anchor = 0.5
		} else if strings.Contains(m[4], `"end"`) {
			w.anchor = 1
		}
		room := map[bool]float64{false: spare, true: spareBold}[style.Font.Weight > 0]
		w.x -= w.anchor * style.Width(w.text).Points() / room
		s.texts = append(s.texts, w)
	}
	for _, m := range svgPath.FindAllStringSubmatch(string(svg), -1) {
		p := stroke{style: svgClass.ReplaceAllString(m[2], "")}
		for _, to := range svgTo.FindAllStringSubmatch(m[1], -1) {
			p.points = append(p.points, [2]float64{value(to[1]), high - value(to[2])})
		}
		s.paths = append(s.paths, p)
	}
	return s
}

// sketched draws d with 400 by 300 points and reads it back.
func sketched(t *testing.T, d Drawing) sketch {
	t.Helper()
	svg, err := Encode(t.Context(), Figure{
		Width: 400, Height: 300,
		Draw: func(context.Context) (Drawing, error) { return d, nil },
	}, "x.svg")
	require.NoError(t, err)
	return readSketch(t, svg)
}

// find returns a text of the sketch.
func (s sketch) find(t *testing.T, text string) written {
	t.Helper()
	i := slices.IndexFunc(s.texts, func(w written) bool { return w.text == text })
	require.GreaterOrEqual(t, i, 0, "%q is not in the picture", text)
	return s.texts[i]
}

// styled returns the paths whose attributes contain style, in the order of painting.
func (s sketch) styled(style string) (list []stroke) {
	for _, p := range s.paths {
		if strings.Contains(p.style, style) && len(p.points) > 0 {
			list = append(list, p)
		}
	}
	return list
}

// ends returns the least and the greatest coordinate on an axis: 0 across, 1 upward.
func (p stroke) ends(axis int) (low, high float64) {
	low, high = p.points[0][axis], p.points[0][axis]
	for _, at := range p.points {
		low, high = min(low, at[axis]), max(high, at[axis])
	}
	return low, high
}

// encoded draws d in the size of most figures.
func encoded(t *testing.T, d Drawing) []byte {
	t.Helper()
	svg, err := Encode(t.Context(), Figure{
		Width: width, Height: height,
		Draw: func(context.Context) (Drawing, error) { return d, nil },
	}, "x.svg")
	require.NoError(t, err)
	return svg
}

// encodedSize is the size of a panel.
var encodedSize = vg.Point{X: 300, Y: 300}
