package figures

import (
	"math"
	"strconv"

	"emsim/cluster/spmd"
	"emsim/mnc"
	"emsim/pdes"
)

// A wiring is the drawing of a machine: its workers, then its boards, and the lines between them.
type wiring struct {
	graph
	board map[string]int // the node of a board, by the board's name in a moves.Move
	box   string         // what the boxes are, or "" if there are no boxes
	line  string         // what the lines are; if "", the legend leaves them out
}

// wiringOf returns the wiring of a machine, from its configuration and number of workers. Workers
// without coordinates stand on a circle.
func wiringOf(config any, workers int) wiring {
	w := wiring{graph: graph{ofRun: true}, board: map[string]int{}}
	switch c := config.(type) {
	case *mnc.Setup:
		if built, err := c.Build(); err == nil {
			w.ofMNC(&built.Wiring)
		}
	case *spmd.Setup:
		w.circle(workers, 1)
		if built, err := c.Build(); err == nil {
			w.line = "reads the other's Power"
			for i, readers := range built.Topology {
				for _, j := range readers {
					w.link(i, j)
				}
			}
		}
	case *pdes.Setup:
		if built, err := c.Build(); err == nil {
			w.ofPDES(&built)
		}
	default:
		w.circle(workers, 1)
	}
	return w
}

// circle places n workers on a circle, or with part < 1, n boards on a smaller one.
func (w *wiring) circle(n int, part float64) {
	radius := float64(part*float64(max(n, len(w.nodes)))) / (2 * math.Pi)
	for i := range n {
		angle := 2 * math.Pi * float64(i) / float64(n)
		x := discNode(float64(radius*math.Sin(angle)), float64(-radius*math.Cos(angle)), strconv.Itoa(i), 0)
		x.box, x.small = part < 1, part < 1
		w.nodes = append(w.nodes, x)
	}
}

func (w *wiring) link(from, to int) {
	if from != to {
		w.links = append(w.links, link{from: from, to: to, style: greyLine(215, 1)})
	}
}

func (w *wiring) ofMNC(in *mnc.Incidence) {
	w.box = "QPR"
	w.circle(in.PEs, 1)
	w.circle(len(in.Boards), 0.6)
	for q, b := range in.Boards {
		w.board["QPR "+b.Name] = in.PEs + q
		for _, pe := range b.Ports {
			if pe >= 0 {
				w.link(pe, in.PEs+q)
			}
		}
	}
	for i := range w.nodes {
		x := &w.nodes[i]
		if x.box {
			x.name = in.Boards[i-in.PEs].Name
		} else {
			x.name = in.PEName(i)
		}
	}
}

// ofPDES places PPs by their coordinates. The axes point alternately to the right and down.
func (w *wiring) ofPDES(c *pdes.Config) {
	w.line = map[string]string{"hxb": "crossbar", "torus": "ring", "hcb": "link"}[string(c.Net.Kind)]
	for i := range c.Net.Nodes() {
		at, step := [2]float64{}, [2]float64{1, 1}
		for axis, n := range c.Net.Dims {
			x := c.Net.Coord(i, axis)
			if x == 0 {
				w.link(i, c.Net.At(i, axis, n-1))
			}
			at[axis%2] += float64(step[axis%2] * float64(x))
			step[axis%2] = float64(step[axis%2] * (float64(n) + 0.25))
		}
		w.nodes = append(w.nodes, discNode(at[0], at[1], strconv.Itoa(i), 0))
	}
}
