// Package figures draws the plots of emsim: the papers' figures with the
// models' numbers, and others. Every figure is readable in grey: series differ
// by line pattern, glyph or hatching as well as by shade.
//
//	figures.go    the list, saving as SVG or PNG
//	kit.go        the kit: texts, lines, boxes, legends, plots and their ticks
//	palette.go    colours of both themes, as on the page
//	svg.go        SVG files, and the sizes of texts
//	plotters.go   series, bars, areas, heat maps
//	lineends.go   names of lines at their ends
//	markrows.go   rows of marks
//	panels.go     panels below a heading and a legend
//	graph.go      nodes and links
//	own*.go       figures of any run, among them paper 003's
//	speedup.go    a program on machines of several sizes
//	motion.go     a stretch of a run; motionsvg.go: as a moving picture; grid.go: places of PEs and links
//	machine*.go   figures of any run of the other machines
//	wiring.go     places of their workers
//	series.go     a file of --series: loads; statesseries.go: states of the EM-4
//	blocks.go     programs cut into blocks
//	loadlatency.go  latency of the network against its load
//	sweep.go      the table of a sweep
//	shadedtable.go  tables with shaded cells
//	balance.go    the comparison of policies
//	em4*.go       paper 003, the tour, and the tables of docs/BEYOND.md
//	mnc.go        paper 000; rhinet.go: 001; spmd.go: 002; pdes.go: 004
package figures

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"emsim/docs"
	"emsim/internal/base/simerr"
	"emsim/verify"
)

// A Drawing is anything that paints itself on a canvas; *plot.Plot is one.
type Drawing interface {
	Draw(c draw.Canvas)
}

// A Figure is one named plot.
type Figure struct {
	Name   string // as in "emsim plot NAME"
	Title  string // one line: what it shows
	Source string // the paper's figure that it reproduces, "ours", or what it draws, such as "any run"
	Width  vg.Length
	Height vg.Length
	Draw   Drawer // nil if the drawing is kept in docs/img as SVG
	SVG    []byte // instead of Draw: a moving picture
}

// A Drawer does the necessary runs and returns the drawing.
type Drawer func(ctx context.Context) (Drawing, error)

func figure(name, title, source string, wide, high vg.Length, draw Drawer) Figure {
	return Figure{Name: name, Title: title, Source: source, Width: wide, Height: high, Draw: draw}
}

// All lists every figure.
func All() []Figure {
	return slices.Concat(
		EM4(verify.NewBench003(verify.Standard003())), spmdFigures(), rhinetFigures(), mncFigures(), pdesFigures(),
		balanceFigures(),
		em4TourFigures(), beyondFigures(docs.Beyond), spreadFigures(),
	)
}

// Formats returns the file endings that Encode supports.
func Formats() []string { return []string{".svg", ".png"} }

// Encode draws a figure and returns the bytes of its file. The ending of name
// chooses the format: moving pictures and kept drawings exist only as .svg.
func Encode(ctx context.Context, f Figure, name string) ([]byte, error) {
	ext := strings.ToLower(filepath.Ext(name))
	var c vg.CanvasWriterTo
	switch {
	case !slices.Contains(Formats(), ext):
		return nil, fmt.Errorf("%q: a figure is saved as .svg or .png", name)
	case f.SVG != nil && ext != ".svg":
		return nil, simerr.Usagef("%q: %s is a moving picture, which is saved as .svg", name, f.Name)
	case f.SVG != nil:
		return f.SVG, nil
	case f.Draw == nil && ext != ".svg":
		return nil, simerr.Usagef("%q: %s is a drawing, which is kept as .svg", name, f.Name)
	case f.Draw == nil:
		return docs.Drawings.ReadFile("img/" + f.Name + ".svg")
	case ext == ".svg":
		c = newSVG(f.Width, f.Height)
	default:
		c = vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(f.Width, f.Height), vgimg.UseDPI(144))}
	}
	d, err := f.Draw(ctx)
	if err != nil {
		return nil, err
	}
	d.Draw(draw.New(c))
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
