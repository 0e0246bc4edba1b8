package figures

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// linksHeight has room for every group of the network.
func linksHeight(runs []OwnRun) vg.Length {
	groups := 1
	for _, r := range runs {
		groups = max(groups, r.Topology.Groups)
	}
	one := max(11, 3.2+float64(0.72*float64(groups)))
	if len(runs) > 1 {
		one = max(9, 3.2+0.5*float64(groups))
	}
	return vg.Length(vg.Length(1.2+float64(one*float64((len(runs)+1)/2))) * vg.Centimeter)
}

// ownLinks is the map of the network for each run, two beside each other.
type ownLinks []OwnRun

// Draw paints the maps with a common scale.
func (runs ownLinks) Draw(c draw.Canvas) {
	c = heading(c, runs, "Packets over every link of the network")
	m := linkMap{colours: true}
	for _, r := range runs {
		m.runs = append(m.runs, linkLoad{r.Name, r.Hops})
	}
	m.measure(m.runs)
	c = m.key(c)
	for i, at := range grid(c, len(runs)) {
		m.topo = runs[i].Topology
		var waited uint64
		for _, b := range runs[i].Blocked {
			waited += b[0] + b[1]
		}
		m.one(runTitle(at, runs, i, fmt.Sprintf("%s; packets waited %s for links", clocksOf(runs[i]), thousands(float64(waited)))), linkLoad{"", runs[i].Hops})
	}
}

// grid cuts a canvas for n panels, two beside each other.
func grid(c draw.Canvas, n int) []draw.Canvas {
	if n == 1 {
		return []draw.Canvas{c}
	}
	var list []draw.Canvas
	for _, row := range rowsOfCanvas(c, (n+1)/2) {
		list = append(list, columnsOfCanvas(row, 2)...)
	}
	return list[:n]
}

// ownCalls is a matrix of callers and callees for each run.
type ownCalls []OwnRun

// Draw paints the matrices, each with the instances of every PE below it.
func (runs ownCalls) Draw(c draw.Canvas) {
	c = heading(c, runs, "Where calls went")
	for i, at := range grid(c, len(runs)) {
		r := runs[i]
		pes := r.Topology.N
		var most, all uint64
		made := make([]uint64, pes)
		for pair, n := range r.Calls.Pairs {
			made[pair[1]] += n
			all += n
			if pair[0] >= 0 { // not the host
				most = max(most, n)
			}
		}
		at = runTitle(at, runs, i, fmt.Sprintf("%s instances; rust: %s calls", thousands(float64(all)), thousands(float64(most))))
		below := vg.Length(at.Size().Y * 0.28)
		top := draw.Crop(at, 0, 0, below, 0)
		a := newAxes(top, "PE of the instance", "PE of the caller", float64(pes), float64(pes))
		picture(a.Canvas, pes, pes, func(x0, x1, y0, y1 int) color.RGBA {
			var n uint64
			for at := x0; at < x1; at++ {
				for by := y0; by < y1; by++ {
					n = max(n, r.Calls.Pairs[[2]int{by, at}])
				}
			}
			if n == 0 {
				return color.RGBA{0xff, 0xff, 0xff, 0xff}
			}
			return scale(math.Sqrt(float64(n) / float64(most)))
		})
		a.frame()
		greatest := uint64(1)
		for _, n := range made {
			greatest = max(greatest, n)
		}
		b := newAxes(draw.Crop(at, 0, 0, 0, below-at.Size().Y), "PE", "instances", float64(pes), float64(greatest))
		for pe, n := range made {
			if n > 0 {
				b.FillPolygon(states[0], []vg.Point{b.at(float64(pe), 0), b.at(float64(pe+1), 0), b.at(float64(pe+1), float64(n)), b.at(float64(pe), float64(n))})
			}
		}
		b.frame()
	}
}
