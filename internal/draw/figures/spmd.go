package figures

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"emsim/cluster/spmd"
	"emsim/verify"
)

// spmdFigures are tables 1 and 2 of [002] as bars, and the topologies.
func spmdFigures() []Figure {
	return []Figure{
		figure("spmd-tasks", "Tasks of each workstation, paper against model", "[002] table 2", width, 1.4*height,
			spmdBars("tasks", "tasks", func(r *spmd.Result, p int) float64 { return float64(r.Tasks[p]) })),
		figure("spmd-ends", "End times of the workstations, paper against model", "[002] table 1", width, 1.4*height,
			spmdBars("end_time", "end (s)", func(r *spmd.Result, p int) float64 { return float64(r.EndUS[p]) / 1e6 })),
		figure("spmd-topologies", "Who reads whose load, and the tasks that moved", "ours; [002] figure 2 is lost", 1.5*width, 0.85*height, spmdTopologies),
	}
}

const spmdSeeds = 16 // as in verify

func spmdBars(quantity, words string, of func(*spmd.Result, int) float64) Drawer {
	return func(ctx context.Context) (Drawing, error) {
		var out panels
		for _, m := range []spmd.Method{spmd.Static, spmd.Proposed} {
			rs, err := spmd.RunSeeds(ctx, spmd.Paper(m), spmdSeeds)
			if err != nil {
				return nil, err
			}
			paper, err := claimed("002", func(c verify.Claim) bool { return c.Quantity == quantity && c.Cond["method"] == string(m) })
			if err != nil {
				return nil, err
			}
			out.parts = append(out.parts, spmdPanel(m, words, paper, rs, of))
		}
		return out, nil
	}
}

// spmdPanel has the paper's bars beside the means of all seeds.
func spmdPanel(m spmd.Method, words string, paper []paperNumber, rs []*spmd.Result, of func(*spmd.Result, int) float64) *plot.Plot {
	var list []pair
	for i, c := range paper {
		var seeds []float64
		sum := 0.0
		for _, r := range rs {
			seeds = append(seeds, of(r, i))
			sum += of(r, i)
		}
		x := pair{name: fmt.Sprintf("P%d", i), values: [2]float64{c.number, sum / float64(len(rs))}, whisker: 1, low: slices.Min(seeds), high: slices.Max(seeds)}
		if slices.Contains(spmd.Paper(m).Loaded, i) {
			x.name += " (loaded)"
		}
		list = append(list, x)
	}
	return pairs(string(m)+" method; whiskers: smallest to largest seed", words, [2]string{"paper", "model, mean of 16 seeds"}, list)
}

func spmdTopologies(ctx context.Context) (Drawing, error) {
	out := panels{columns: 3}
	for _, t := range []struct {
		name     string
		topology spmd.Topology
		at       func(i int) (x, y float64)
	}{{"T*", spmd.TStar(), onCircle}, {"Fano plane", spmd.Fano(), onCircle}, {"tree", spmd.Tree(7), inTree}} {
		c := spmd.Paper(spmd.Proposed)
		c.Topology = t.topology
		rs, err := spmd.RunSeeds(ctx, c, spmdSeeds)
		if err != nil {
			return nil, err
		}
		m := spmd.MeanOf(rs)
		out.parts = append(out.parts, spmdGraph{
			title: fmt.Sprintf("%s: last end %.0f s", t.name, m.FinishS), at: t.at, config: c, moved: m.Moved,
		})
	}
	return out, nil
}

// onCircle and inTree place seven processors in the square from -1 to 1.
func onCircle(i int) (x, y float64) {
	angle := math.Pi/2 - 2*math.Pi*float64(i)/7
	return math.Cos(angle), math.Sin(angle)
}

func inTree(i int) (x, y float64) {
	switch {
	case i == 0:
		return 0, 0.8
	case i < 3:
		return float64(i) - 1.5, 0
	}
	return (float64(i) - 4.5) * 2 / 3, -0.8
}

// spmdGraph draws processors as discs and an arrow to each reader.
type spmdGraph struct {
	title  string
	at     func(i int) (x, y float64)
	config spmd.Config
	moved  [][]float64
}

// Draw paints the arrows, their labels and the processors, in this order.
func (g spmdGraph) Draw(c draw.Canvas) {
	write := func(size vg.Length, at vg.Point, s string) {
		writeAt(c, size, at.X, at.Y+size/10, s) // digits have no descenders
	}
	const title, disc = vg.Length(16), vg.Length(13)
	write(11, vg.Point{X: c.Center().X, Y: c.Max.Y - title/2}, g.title)
	size := c.Size()
	radius := min(size.X, size.Y-title)/2 - disc - 2
	at := func(i int) vg.Point {
		x, y := g.at(i)
		return vg.Point{X: c.Center().X + vg.Length(radius*vg.Length(x)), Y: c.Center().Y - title/2 + vg.Length(radius*vg.Length(y))}
	}
	arrows := []spmdArrow{}
	for i, readers := range g.config.Topology {
		for _, j := range readers {
			arrows = append(arrows, spmdArrow{at(i), at(j), disc, g.moved[i][j]})
		}
	}
	for _, a := range arrows {
		a.stroke(c)
	}
	for _, a := range arrows {
		if a.moves() {
			middle := a.point(vg.Length(0.4*a.length()), 0)
			c.SetColor(color.White)
			c.Fill(spmdDisc(middle, 5.5))
			write(8, middle, fmt.Sprintf("%.0f", a.moved))
		}
	}
	for i := range g.config.Topology {
		fill := color.Color(color.White)
		if slices.Contains(g.config.Loaded, i) {
			fill = shades[3]
		}
		c.SetColor(fill)
		c.Fill(spmdDisc(at(i), disc))
		c.SetLineStyle(draw.LineStyle{Color: color.Black, Width: 1})
		c.Stroke(spmdDisc(at(i), disc))
		write(10, at(i), strconv.Itoa(i))
	}
}

func spmdDisc(at vg.Point, r vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: at.X + r, Y: at.Y})
	p.Arc(at, r, 0, 2*math.Pi)
	p.Close()
	return p
}

// spmdArrow goes from disc to disc, left of the middle so that two opposite
// ones stay apart.
type spmdArrow struct {
	from, to vg.Point // centres of the discs
	disc     vg.Length
	moved    float64 // tasks
}

func (a spmdArrow) moves() bool { return a.moved >= 0.5 }

func (a spmdArrow) length() vg.Length {
	return vg.Length(math.Hypot(float64(a.to.X-a.from.X), float64(a.to.Y-a.from.Y)))
}

// point is a point at a distance along the arrow and beside it.
func (a spmdArrow) point(along, aside vg.Length) vg.Point {
	ux, uy := (a.to.X-a.from.X)/a.length(), (a.to.Y-a.from.Y)/a.length()
	aside += 4.5
	return vg.Point{X: a.from.X + vg.Length(along*ux) - vg.Length(aside*uy), Y: a.from.Y + vg.Length(along*uy) + vg.Length(aside*ux)}
}

// stroke draws the arrow, the thicker the more tasks moved, and dashed if none did.
func (a spmdArrow) stroke(c draw.Canvas) {
	line := draw.LineStyle{Color: color.Black, Width: vg.Points(0.6 + a.moved/15)}
	if !a.moves() {
		line = draw.LineStyle{Color: shades[1], Width: 0.6, Dashes: []vg.Length{2, 2}}
	}
	tip := a.length() - a.disc
	neck := tip - 7
	from, to := a.point(a.disc, 0), a.point(neck, 0)
	c.StrokeLine2(line, from.X, from.Y, to.X, to.Y)
	half := 3 + line.Width/3
	c.FillPolygon(line.Color, []vg.Point{a.point(tip, 0), a.point(neck, half), a.point(neck, -half)})
}
