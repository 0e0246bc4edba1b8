package figures

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// Marks, bars and bands lie at their values; values off the scale lie on its edge.
func TestMarkRows(t *testing.T) {
	m := &markRows{low: -10, high: 10, equal: 0, room: 0.5, rows: []markRow{
		{
			name: "first", band: [2]float64{-5, 5}, bar: [2]float64{-2, 4},
			marks: []mark{glyphAt(3, draw.BoxGlyph{}, 2)},
			text:  "three",
		},
		{name: "group", head: true},
		{name: "second", band: [2]float64{-99, 99}, marks: []mark{glyphAt(-20, draw.BoxGlyph{}, 2)}},
	}}
	s := sketched(t, m.rowPlot("title", "per cent"))
	rule := s.styled(`stroke="#aaaaaa"`)
	require.Len(t, rule, 2)
	from, to := rule[0].ends(0)
	value := func(x float64) float64 { return -10 + 20*(x-from)/(to-from) }
	values := func(style string) (list [][2]float64) {
		for _, p := range s.styled(style) {
			low, high := p.ends(0)
			list = append(list, [2]float64{math.Round(value(low)*10) / 10, math.Round(value(high)*10) / 10})
		}
		return list
	}
	require.Equal(t, [][2]float64{{-5, 5}, {-10, 10}}, values(`fill="#dedede"`))
	require.Equal(t, [][2]float64{{-2, 4}}, values(`stroke="#464646"`))
	require.Equal(t, [][2]float64{{-10, 20}}, values(`fill="#e8e8e8"`), "a heading is as wide as the plot")
	require.Equal(t, [][2]float64{{0, 0}}, values(`stroke="#000000" stroke-width="0.6"`))
	require.Greater(t, s.find(t, "first").y, s.find(t, "group").y)
	require.Greater(t, s.find(t, "group").y, s.find(t, "second").y)
	require.InDelta(t, s.find(t, "first").y, s.find(t, "three").y, 2)
	require.InDelta(t, to+6, s.find(t, "three").x, 0.1)
	var marks []float64
	for _, p := range s.paths {
		if low, high := p.ends2(); len(p.points) == 4 && strings.Contains(p.style,
			`fill="#000000"`) && math.Abs(high-low-3.41) < 0.02 {
			marks = append(marks, math.Round(value((low+high)/2)*10)/10)
		}
	}
	require.Equal(t, []float64{3, -10}, marks)
	for text, at := range map[string]float64{"-10": -10, "0": 0, "10": 10} {
		require.InDelta(t, at, value(s.find(t, text).x), 1, text)
	}
}

// ends2 returns the ends across of a path, 0 without corners.
func (p stroke) ends2() (low, high float64) {
	if len(p.points) == 0 {
		return 0, 0
	}
	return p.ends(0)
}

// An area lies between its steps, and each interval has its own width.
func TestArea(t *testing.T) {
	p := runPlot("", "clock", "PEs", 40, 10)
	addArea(p, []float64{0, 10, 40}, []float64{0, 1}, []float64{10, 5}, states[1])
	require.Equal(t, plotter.XYs{{X: 0, Y: 3}, {X: 10, Y: 3}, {X: 10, Y: 4}, {X: 40, Y: 4}},
		steps([]float64{0, 10, 40}, []float64{3, 4}))
	area := sketched(t, p).styled(`fill="` + hex(states[1]))
	require.Len(t, area, 1)
	left, right := area[0].ends(0)
	low, high := area[0].ends(1)
	var corners [][2]float64
	for _, at := range area[0].points {
		corners = append(corners, [2]float64{
			math.Round((at[0]-left)/(right-left)*400) / 10,
			math.Round((at[1]-low)/(high-low)*100) / 10,
		})
	}
	require.Equal(t, [][2]float64{{0, 10}, {10, 10}, {10, 5}, {40, 5}, {40, 1}, {10, 1}, {10, 0}, {0, 0}}, corners)
}

// inside returns the picture in a small drawing.
func inside(t *testing.T, d Drawing) image.Image {
	t.Helper()
	svg, err := Encode(t.Context(), Figure{
		Width: 200, Height: 150,
		Draw: func(context.Context) (Drawing, error) { return d, nil },
	}, "x.svg")
	require.NoError(t, err)
	text := inlinePicture.Find(svg)
	require.NotEmpty(t, text)
	data, err := base64.StdEncoding.DecodeString(string(text[len("base64,"):]))
	require.NoError(t, err)
	img, err := png.Decode(bytes.NewReader(data))
	require.NoError(t, err)
	return img
}

// Every cell of a heat map has its colour in its place; few cells have more pixels.
func TestHeat(t *testing.T) {
	sizes := map[bool]int{}
	for _, grid := range []struct{ columns, rows int }{{4, 3}, {90, 30}} {
		colour := func(x, y int) color.RGBA { return color.RGBA{uint8(x), uint8(8 * y), 77, 255} }
		p := runPlot("", "", "", 4, 3)
		p.Add(heat{0, 0, 4, 3, grid.columns, grid.rows, func(x0, x1, y0, y1 int) color.RGBA {
			require.True(t, x0 < x1 && x1 <= grid.columns && y0 < y1 && y1 <= grid.rows)
			return colour(x0, y0)
		}})
		img := inside(t, p)
		size := img.Bounds().Size()
		for x := range grid.columns {
			for y := range grid.rows {
				at := img.At((2*x+1)*size.X/(2*grid.columns), size.Y-1-(2*y+1)*size.Y/(2*grid.rows))
				require.Equal(t, colour(x, y), color.RGBAModel.Convert(at), "%d, %d", x, y)
			}
		}
		sizes[grid.columns == 4] = size.X
	}
	require.InDelta(t, 3/1.8, float64(sizes[true])/float64(sizes[false]), 0.02)
}

// A legend breaks into lines at the canvas's edge, and returns the canvas below.
func TestLegend(t *testing.T) {
	var left float64
	keys := []key{
		{words: "box", colour: rust},
		{words: "line", line: greyLine(9, 3)},
		{words: "glyph", glyph: glyphAt(0, draw.BoxGlyph{}, 3).glyph},
	}
	for range 9 {
		keys = append(keys, key{words: "another box", colour: rust})
	}
	s := sketched(t, painter(func(c draw.Canvas) {
		left = legend(c, sansStyle(10, draw.XLeft, draw.YCenter),
			keys).Max.Y.Points()
	}))
	require.Len(t, s.styled(`fill="`+hex(rust)), 10)
	require.Len(t, s.styled(`stroke="#090909"`), 1)
	lines := map[float64]float64{}
	for i, w := range s.texts {
		if i > 0 && w.y == s.texts[i-1].y {
			require.Greater(t, w.x, s.texts[i-1].x+20)
		}
		lines[w.y] = w.x
		require.Less(t, w.x, 350.0, "nothing leaves the canvas")
		require.Greater(t, w.y, left)
	}
	require.Len(t, lines, 3)
	require.InDelta(t, 300-3*16-4, left, 0.1)
}

type painter func(c draw.Canvas)

func (p painter) Draw(c draw.Canvas) { p(c) }

// Panels stand in rows with aligned axes; a title has as many lines as it needs.
func TestPanels(t *testing.T) {
	var all panels
	all.heading, all.columns = "The heading of all panels, which is much longer than the width of a "+
		"figure of 400 points", 2
	for i := range 3 {
		p := runPlot(fmt.Sprintf("title %d that needs several lines above its panel", i), "",
			"", 1, math.Pow(1000, float64(i)))
		p.Add(heat{0, 0, 1, p.Y.Max, 1, 1, func(_, _, _, _ int) color.RGBA { return rust }})
		all.parts = append(all.parts, p)
	}
	s := sketched(t, all)
	frames := s.styled(`stroke="#787878"`)
	require.Len(t, frames, 3)
	ends := func(i, axis int) [2]float64 { low, high := frames[i].ends(axis); return [2]float64{low, high} }
	require.Equal(t, ends(0, 0), ends(2, 0), "one below the other")
	require.Equal(t, ends(0, 1), ends(1, 1), "beside each other")
	require.Greater(t, ends(1, 0)[0], ends(0, 0)[1])
	require.Less(t, ends(2, 1)[1], ends(0, 1)[0])
	require.Equal(t, 2, count(s, 13), "lines of the heading")
	require.Equal(t, 6, count(s, 10), "lines of the titles")
	all.heading = ""
	require.Greater(t, func() float64 {
		_,
			high := sketched(t, all).styled(`stroke="#787878"`)[0].ends(1)
		return high
	}(), ends(0, 1)[1]+30)
	p := newPlot("", "", "")
	p.X.Tick.Marker, p.Y.Tick.Marker = roundTicks{}, plot.DefaultTicks{}
	fitTitle(p, encodedSize)
	require.Equal(t, roundTicks{5}, p.X.Tick.Marker)
	require.Equal(t, plot.DefaultTicks{}, p.Y.Tick.Marker)
}

func count(s sketch, size float64) (n int) {
	for _, w := range s.texts {
		if w.size == size {
			n++
		}
	}
	return n
}

// A table's cells have the shades and texts of their values, white on the dark ones.
func TestShadedTable(t *testing.T) {
	s := sketched(t, shadedTables{title: "a table", panels: []shadedTable{{
		title: "one", rows: []string{"up", "down"}, groups: []string{"g", "h"}, columns: [][]string{{"a", "b"}, {"c"}},
		cells: []tableCell{
			{"0", 0},
			{"half", 0.5},
			{"all", 1},
			{"x", 0.2},
			{"y", 0.61},
			{"a very long text in a cell, which is made smaller until it fits", 0},
		},
	}}})
	cells := s.styled(`fill="#`)
	require.Len(t, cells, 6)
	fills := map[string]string{}
	for text, part := range map[string]float64{"0": 0, "half": 0.5, "all": 1, "x": 0.2, "y": 0.61} {
		fills[text] = hex(shade(part))
	}
	for _, c := range cells {
		left, right := c.ends(0)
		low, high := c.ends(1)
		for _, w := range s.texts {
			if w.x > left && w.x < right && w.y > low && w.y < high && fills[w.text] != "" {
				require.Contains(t, c.style, fills[w.text], w.text)
				delete(fills, w.text)
			}
		}
	}
	require.Empty(t, fills)
	require.Greater(t, s.find(t, "up").y, s.find(t, "down").y)
	require.Less(t, s.texts[len(s.texts)-1].size, 7.5)
	a, _ := cells[0].ends(0)
	_, b := cells[2].ends(0)
	c, _ := cells[4].ends(0)
	require.Less(t, a, b)
	require.Greater(t, c-b, 7.0, "a gap between groups")
}

// fitScale makes room for all bars, bands and marks, and for other values.
func TestFitScale(t *testing.T) {
	m := comparison("tolerance")
	m.rows = []markRow{comparedRow("a", 4, 6, "%.0f", ""), {name: "failed"}}
	m.rows[0].bar, m.rows[0].band = [2]float64{5, 10}, [2]float64{2, 6}
	m.fitScale()
	require.InDeltaSlice(t, []float64{2 - 0.4, 10 + 0.4}, []float64{m.low, m.high}, 1e-9)
	m.fitScale(0, 20)
	require.InDeltaSlice(t, []float64{-1, 21}, []float64{m.low, m.high}, 1e-9)
	m.rows = nil
	m.fitScale(3)
	require.InDeltaSlice(t, []float64{2, 4}, []float64{m.low, m.high}, 1e-9)
}
