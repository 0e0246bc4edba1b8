package figures

import "gonum.org/v1/plot/vg"

// rounded is a box with round corners.
func rounded(r vg.Rectangle, radius vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: r.Min.X + radius, Y: r.Min.Y})
	corner := func(to, at, after vg.Point) {
		p.Line(to)
		p.QuadTo(at, after)
	}
	corner(vg.Point{X: r.Max.X - radius, Y: r.Min.Y}, vg.Point{X: r.Max.X, Y: r.Min.Y}, vg.Point{X: r.Max.X, Y: r.Min.Y + radius})
	corner(vg.Point{X: r.Max.X, Y: r.Max.Y - radius}, r.Max, vg.Point{X: r.Max.X - radius, Y: r.Max.Y})
	corner(vg.Point{X: r.Min.X + radius, Y: r.Max.Y}, vg.Point{X: r.Min.X, Y: r.Max.Y}, vg.Point{X: r.Min.X, Y: r.Max.Y - radius})
	corner(vg.Point{X: r.Min.X, Y: r.Min.Y + radius}, r.Min, vg.Point{X: r.Min.X + radius, Y: r.Min.Y})
	p.Close()
	return p
}
