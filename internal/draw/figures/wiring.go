package figures

import (
	"math"
	"strconv"

	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/mnc"
	"emsim/pdes"
)

// A wiring is how a machine is drawn: its workers, then its boards or switches, and the
// lines between them.
type wiring struct {
	nodes []place
	links [][2]int
	board map[string]int // the node of a board, by its name in a moves.Move
	box   string         // what a box is
	line  string         // what a line is
}

// A place is where a node is, to the right and down; neighbours are about 1 apart.
type place struct {
	x, y float64
	name string
	box  bool // a board or a switch
}

// wiringOf is the wiring of a machine with so many workers that has been built. Machines
// without coordinates are drawn as circles.
func wiringOf(config any, workers int) wiring {
	w := wiring{board: map[string]int{}}
	switch c := config.(type) {
	case *mnc.Setup:
		if built, err := c.Build(); err == nil {
			w.ofMNC(&built.Wiring)
		}
	case *rhinet.Config:
		w.ofRHiNET(c)
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
	}
	return w
}

// circle places workers on one, or boards on one of a part of its radius.
func (w *wiring) circle(n int, part float64) {
	radius := float64(part*float64(max(n, len(w.nodes)))) / (2 * math.Pi)
	for i := range n {
		angle := 2 * math.Pi * float64(i) / float64(n)
		w.nodes = append(w.nodes, place{x: float64(radius * math.Sin(angle)), y: float64(-radius * math.Cos(angle)), name: strconv.Itoa(i), box: part < 1})
	}
}

func (w *wiring) link(from, to int) {
	if from != to {
		w.links = append(w.links, [2]int{from, to})
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
		if in.Name == "net16" { // where names are row and column
			x.x, x.y = float64(x.name[1]-'0'), float64(x.name[0]-'0')
		}
	}
}

// hostsAtSwitch of the torus [001 §5.1].
const hostsAtSwitch = 4

func (w *wiring) ofRHiNET(c *rhinet.Config) {
	if c.Network != rhinet.RHiNET2 || c.Torus.Switches != nil {
		w.circle(c.Nodes, 1)
		return
	}
	w.box, w.line = "switch", "link to a switch, or ring of switches"
	corner := func(side int) float64 { return []float64{-0.8, 0.8}[side] }
	for i := range c.Nodes {
		sw, port := i/hostsAtSwitch, i%hostsAtSwitch
		w.nodes = append(w.nodes, place{x: float64(3*(sw%c.Torus.Width)) + corner(port%2), y: float64(3*(sw/c.Torus.Width)) + corner(port/2), name: strconv.Itoa(i)})
		w.link(i, c.Nodes+sw)
	}
	for sw := range c.Torus.Width * c.Torus.Height {
		w.nodes = append(w.nodes, place{x: float64(3 * (sw % c.Torus.Width)), y: float64(3 * (sw / c.Torus.Width)), box: true})
		if sw < c.Torus.Width {
			w.link(c.Nodes+sw, c.Nodes+sw+c.Torus.Width*(c.Torus.Height-1))
		}
		if sw%c.Torus.Width == 0 {
			w.link(c.Nodes+sw, c.Nodes+sw+c.Torus.Width-1)
		}
	}
}

// ofPDES places PPs by their coordinates: the planes of a third axis in rows of their
// own, further axes of a hypercube in turn beside and below.
func (w *wiring) ofPDES(c *pdes.Config) {
	w.line = map[string]string{"hxb": "crossbar", "torus": "ring", "hcb": "link"}[string(c.Net.Kind)]
	planes := len(c.Net.Dims) == 3 && c.Net.Kind != "hcb"
	if planes {
		w.line += " (but of the third axis)"
	}
	for i := range c.Net.Nodes() {
		x, step := place{name: strconv.Itoa(i)}, [2]float64{1, 1}
		for axis, n := range c.Net.Dims {
			at, across := c.Net.Coord(i, axis), n
			if planes && axis == 2 {
				across = int(math.Ceil(math.Sqrt(float64(n))))
				x.y += float64(step[1] * float64(at/across))
				at %= across
			} else if at == 0 {
				w.link(i, c.Net.At(i, axis, n-1))
			}
			if axis%2 == 0 {
				x.x += float64(step[0] * float64(at))
			} else {
				x.y += float64(step[1] * float64(at))
			}
			step[axis%2] = float64(step[axis%2] * (float64(across) + 0.25))
		}
		w.nodes = append(w.nodes, x)
	}
}
