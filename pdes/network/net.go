package network

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
)

// A Kind is one of the three interconnections of [004 §2].
type Kind string

// The kinds.
const (
	HXB   Kind = "hxb"   // hyper-crossbar: a crossbar along every line of nodes, as in the SR2201
	Torus Kind = "torus" // rings along every line of nodes
	HCB   Kind = "hcb"   // hypercube: two nodes on every axis
)

// Kinds returns the kinds in the order of the paper's text.
func Kinds() []Kind { return []Kind{HCB, Torus, HXB} }

// Title returns the kind's name for titles.
func (k Kind) Title() string {
	switch k {
	case HXB:
		return "HXB"
	case HCB:
		return "hypercube"
	}
	return string(k)
}

// MaxNodes bounds the size of a network, so that tables of all pairs stay small.
const MaxNodes = 1024

// A Net is a network's geometry: nodes, coordinates, ports and routes. Nodes
// are numbered row-major with X fastest. It is immutable.
type Net struct {
	Kind Kind
	Dims []int // nodes along X, Y, Z, ...
	// YFirst makes routes take the axes in reverse order, the highest first.
	YFirst bool

	nodes  int
	stride []int
}

// New returns a network. HCB needs 2 nodes along every axis; the other kinds have one to three axes.
func New(kind Kind, dims ...int) (*Net, error) {
	n := &Net{Kind: kind, Dims: append([]int(nil), dims...), nodes: 1}
	maxAxes := 3
	switch kind {
	case HXB, Torus:
	case HCB:
		maxAxes = 10
	default:
		return nil, simerr.Usagef("no network is called %q; the networks are hxb, torus and hcb", string(kind))
	}
	if len(dims) == 0 || len(dims) > maxAxes {
		return nil, simerr.Usagef("a network %s has 1 to %d axes, got %d (%v)", kind, maxAxes, len(dims), dims)
	}
	for i, d := range dims {
		if d < 1 || d > MaxNodes {
			return nil, simerr.Usagef("axis %d of the shape has %d nodes; expected 1 to %d (routes between all pairs "+
				"are held in memory)", i, d, MaxNodes)
		}
		if kind == HCB && d != 2 {
			return nil, simerr.Usagef("a hypercube has 2 nodes along every axis, got %d along axis %d; give its "+
				"number of dimensions, as in 4", d, i)
		}
		n.stride = append(n.stride, n.nodes)
		n.nodes *= d
		if n.nodes > MaxNodes {
			return nil, simerr.Usagef("the shape %v has more than %d nodes (routes between all pairs are "+
				"held in memory)", dims, MaxNodes)
		}
	}
	return n, nil
}

// Parse returns a network of a given shape: "4x3" or "4x4x2" for HXB and TORUS; for HCB the number of dimensions, as
// in "4", or powers of two, as in "4x4", whose low coordinates are the low bits of a node's number.
func Parse(kind Kind, shape string) (*Net, error) {
	var dims []int
	for _, field := range strings.Split(shape, "x") {
		d, err := strconv.Atoi(field)
		if err != nil {
			return nil, simerr.Usagef("shape %q: %q is not a number; write it as in 4x4 or 4x4x2, a hypercube as its "+
				"number of dimensions", shape, field)
		}
		dims = append(dims, d)
	}
	if kind == HCB {
		axes, err := hypercube(shape, dims)
		if err != nil {
			return nil, err
		}
		dims = axes
	}
	return New(kind, dims...)
}

// hypercube turns a shape into axes of two nodes: a single number is the number of dimensions; several numbers are
// numbers of nodes, each a power of two.
func hypercube(shape string, dims []int) ([]int, error) {
	count := 0
	if len(dims) == 1 {
		count = dims[0]
	} else {
		for _, d := range dims {
			if d < 1 || d&(d-1) != 0 {
				return nil, simerr.Usagef("shape %q: a hypercube is given as its number of dimensions, as in 4, or "+
					"by powers of two, as in 4x4; %d is not a power of two", shape, d)
			}
			count += bits.TrailingZeros(uint(d))
		}
	}
	if count < 1 || count > 10 {
		return nil, simerr.Usagef("shape %q: a hypercube has 1 to 10 dimensions, as in 4 for 16 nodes", shape)
	}
	return slices.Repeat([]int{2}, count), nil
}

// Shape returns the network's shape in the form that Parse reads.
func (n *Net) Shape() string {
	if n.Kind == HCB {
		return strconv.Itoa(len(n.Dims))
	}
	return strings.Join(lists.Of(n.Dims, strconv.Itoa), "x")
}

// Nodes returns the number of nodes, each with one physical processor (PP).
func (n *Net) Nodes() int { return n.nodes }

// Coord returns the coordinate of a node on an axis.
func (n *Net) Coord(node, axis int) int { return node / n.stride[axis] % n.Dims[axis] }

// At returns the node with coordinate c on axis and node's coordinates on all other axes.
func (n *Net) At(node, axis, c int) int {
	return node + (c-n.Coord(node, axis))*n.stride[axis]
}

// Node returns the node at the coordinates x, y, z, ...
func (n *Net) Node(coords ...int) int {
	node := 0
	for axis, c := range coords {
		node += c * n.stride[axis]
	}
	return node
}

// Distance returns, for a pair of nodes, the inputs of the cost function [004 §3]: d, the communication distance, and
// c, the number of axis changes. TORUS: ring hops, and changed axes - 1. HXB (chosen): crossbars crossed, and d-1.
// HCB (chosen): Hamming distance, and d-1.
func (n *Net) Distance(from, to int) (d, c int) {
	axes := 0
	for axis, size := range n.Dims {
		gap := n.Coord(to, axis) - n.Coord(from, axis)
		if gap == 0 {
			continue
		}
		axes++
		if n.Kind != Torus {
			d++
			continue
		}
		if gap < 0 {
			gap += size
		}
		d += min(gap, size-gap)
	}
	return d, max(0, axes-1)
}
