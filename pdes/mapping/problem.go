package mapping

import (
	"emsim/internal/base/portable"
	"emsim/internal/base/simerr"
	"emsim/pdes/network"
)

// Weights are the coefficients of the cost function: A and B of [004 §3], and C, which is not from the paper.
type Weights struct {
	A float64 // weight of the communication distance, in message times per hop
	B float64 // factor for every change of axis
	C float64 // beyond the paper: weight of the compute term, see Problem.Compute; 0 means none
}

// Reference returns the pair of the reference hypothesis: with it the model gives
// the paper's 1/4 and 1/3 (chosen; other pairs do too).
func Reference() Weights { return Weights{A: 0.1, B: 4.5} }

// MaxWeight bounds the weights from above, and 1/MaxWeight bounds B from below, so that costs stay finite.
const MaxWeight = 1_000_000

// Of returns the cost of one message over distance d with c changes of axis.
func (w Weights) Of(d, c int) float64 {
	return float64((1 + float64(w.A*float64(d))) * portable.Power(w.B, c))
}

// A Map says which node each LP is on: Map[lp] is a node.
type Map []int32

// A Problem is a graph to be placed on a network.
type Problem struct {
	Graph *Graph
	Net   *network.Net

	nodes   int
	pair    []float64 // cost of a message by from*nodes+to
	path    [][]int32 // ports between the nodes of a pair, without inj and ej
	weights Weights
	work    *Work   // nil if unknown
	mean    float64 // mean of the work
	term    float64 // factor of the compute term
}

// NewProblem returns the problem of placing g on net, with the costs and paths between all pairs of nodes.
func NewProblem(g *Graph, net *network.Net, w Weights) *Problem {
	n := net.Nodes()
	p := &Problem{Graph: g, Net: net, nodes: n, weights: w, pair: make([]float64, n*n), path: make([][]int32, n*n)}
	for from := range n {
		for to := range n {
			if from == to {
				continue // on one PP a message costs nothing
			}
			d, c := net.Distance(from, to)
			p.pair[from*n+to] = w.Of(d, c)
			p.path[from*n+to] = net.Between(nil, from, to)
		}
	}
	return p
}

// Conventional returns the map of a user who ignores the network. It places LPs in order of their ids, row by row,
// and in equal shares if there are fewer PPs than LPs.
func Conventional(lps, nodes int) Map {
	m := make(Map, lps)
	for lp := range m {
		m[lp] = int32(lp * nodes / max(lps, nodes))
	}
	return m
}

// Check returns an error if the map does not fit: a wrong length, or a node that does not exist.
func (m Map) Check(lps, nodes int) error {
	if len(m) != lps {
		return simerr.Usagef("the map places %d LPs, the program has %d", len(m), lps)
	}
	for lp, node := range m {
		if node < 0 || int(node) >= nodes {
			return simerr.Usagef("the map puts LP %d on node %d; the network has the nodes 0 to %d", lp, node, nodes-1)
		}
	}
	return nil
}

// Cost returns the communication cost of a map, in messages of zero distance.
func (p *Problem) Cost(m Map) float64 {
	sum := 0.0
	for _, e := range p.Graph.Edges {
		sum += float64(float64(e.Traffic) * p.pair[int(m[e.From])*p.nodes+int(m[e.To])])
	}
	return sum
}

// Loads returns the traffic over every port of the network. It counts only ports between nodes: inj and ej have the
// same load with every map if every LP has its own PP.
func (p *Problem) Loads(m Map) []int64 {
	loads := make([]int64, p.Net.Ports())
	for _, e := range p.Graph.Edges {
		for _, port := range p.path[int(m[e.From])*p.nodes+int(m[e.To])] {
			loads[port] += e.Traffic
		}
	}
	return loads
}

// PortLoad returns the traffic over the busiest port between the nodes, and the
// sum of squares over all ports.
func (p *Problem) PortLoad(m Map) (highest int64, squares float64) {
	for _, l := range p.Loads(m) {
		highest = max(highest, l)
		squares += square(l)
	}
	return highest, squares
}

// square returns a square as a float64, which is exact for loads up to 94 million.
func square(load int64) float64 { return float64(float64(load) * float64(load)) }

// Turned returns the number of edges with a change of axis, and the number of all edges.
func (p *Problem) Turned(m Map) (turned, all int) {
	for _, e := range p.Graph.Edges {
		if _, c := p.Net.Distance(int(m[e.From]), int(m[e.To])); c > 0 {
			turned++
		}
	}
	return turned, len(p.Graph.Edges)
}
