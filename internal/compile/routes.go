package compile

import (
	"emsim/em4"
	"emsim/omega"
)

// routes is what a trial knows of the network: paths and the PEs of the policies.
type routes struct {
	machine em4.Config
	topo    omega.Topology
	next    [2][]int32 // by port
	last    []bool     // of the last column, behind which packets change their banks
	line    []int32    // the next PE of the line
	rings   [][]int32  // the 2k others of both circuits, in the table's order
	round   [][]int32  // the links of the reverse circuit
	paths   [][]int32  // found so far, by from * PEs + to
}

func newRoutes(c em4.Config) (*routes, error) {
	topo, err := omega.ForPEs(c.PEs)
	if err != nil {
		return nil, err
	}
	r := &routes{machine: c, topo: topo, last: make([]bool, c.PEs), line: make([]int32, c.PEs), rings: make([][]int32, c.PEs), round: make([][]int32, c.PEs)}
	if c.PEs <= 1024 {
		r.paths = make([][]int32, c.PEs*c.PEs)
	}
	for port := range r.next {
		r.next[port] = make([]int32, c.PEs)
	}
	for i := range c.PEs {
		p := topo.Address(i)
		for port, of := range []int{omega.InGroup, omega.OutGroup} {
			r.next[port][i] = int32(topo.Index(topo.Next(p, of)))
		}
		r.last[i] = int(p.CA) == topo.K
		r.line[i] = r.next[0][i]
		if c := int(p.CA); c > 0 && int(p.GA) < 1<<(topo.K-c+1) {
			r.line[i] = r.next[1][i]
		}
		in, out := topo.Ring(p, omega.InGroup), topo.Ring(p, omega.OutGroup)
		for j := 1; j < len(in); j++ {
			r.rings[i] = append(r.rings[i], int32(topo.Index(in[j])), int32(topo.Index(out[j])))
		}
		for _, q := range out {
			r.round[i] = append(r.round[i], int32(2*topo.Index(q)+1))
		}
	}
	return r, nil
}

// path lists the links from one PE to another.
func (r *routes) path(from, to int32) []int32 {
	if from == to {
		return nil
	}
	at := int(from)*r.machine.PEs + int(to)
	if r.paths != nil && r.paths[at] != nil {
		return r.paths[at]
	}
	var list []int32
	goal := r.topo.Address(int(to))
	for p := from; p != to; {
		port := int32(0)
		if r.topo.Route(r.topo.Address(int(p)), goal) == omega.OutGroup {
			port = 1
		}
		list = append(list, 2*p+port)
		p = r.next[port][p]
	}
	if r.paths != nil {
		r.paths[at] = list
	}
	return list
}

// choose is a PE for a call, as lib/place.s chooses it, and the clocks that this takes.
func (x *exec) choose(p *trialPE, which int) (int32, uint64) {
	r, n := x.routes, len(x.pes)
	ring := r.rings[x.pe]
	switch x.policy {
	case "random":
		return int32((int(x.pe) + n - 1 - p.draw(n)) % n), chooseRandom
	case "round-robin":
		p.index++
		return int32((int(x.pe) + p.index - 1) % n), chooseTable
	case "ring-random":
		return ring[len(ring)-1-p.draw(len(ring))], chooseRandom
	case "ring-round-robin":
		p.index++
		return ring[(p.index-1)%len(ring)], chooseTable
	case "line":
		to := r.line[x.pe]
		if which == 2 {
			to = r.line[to]
		}
		return to, chooseNext
	}
	return r.next[2-which][x.pe], chooseNext
}

// draw is a random number below n.
func (p *trialPE) draw(n int) int {
	p.random = 69069*p.random + 1
	return int(uint64(p.random) * uint64(n) >> 32)
}
