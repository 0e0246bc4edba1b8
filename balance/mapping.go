package balance

import (
	"context"

	"emsim/internal/base/lists"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// mapper is the migration of paper 004, which happens once. Worker 0 asks all workers for the traffic of their units,
// and searches for a map of least communication cost by exchanging units of neighbouring workers. It then tells all
// workers which units to send where. The search is in package pdes/mapping; its cost depends on distances but not on
// loads.
type mapper struct {
	Hooks
	have    int            // reports received
	places  mapping.Map    // by unit; used by worker 0
	edges   []mapping.Edge // with their traffic; used by worker 0
	leaving []int32        // units to send as soon as they are not running, ...
	to      []int32        // ... and the workers they go to
}

// The messages.
const (
	traffic  = 1 + iota // a request, or its answer; Data: unit and its steps so far, alternating
	exchange            // Data: unit and new worker, alternating
	newcomer
)

// mapAt is the time at which the migration begins, in typical units (chosen: a quarter of the comparison's run
// without balancing).
const mapAt = 20

// thinkSwap is the CPU time to rate one exchange (package pdes: 20 clocks, where one end of a message takes 100).
const thinkSwap = 8

func newMapping(w *Worker) Agent {
	if w.ID == 0 {
		w.After(mapAt*w.Typical(), 0)
	}
	return &mapper{Hooks: Hooks{w}}
}

// Timer begins the migration.
func (p *mapper) Timer(key int) {
	if key == Barrier || p.W.world.mesh == nil {
		return
	}
	p.places = make(mapping.Map, len(p.W.world.units))
	p.edges = lists.Of(p.W.world.mesh.edges,
		func(e Traffic) mapping.Edge { return mapping.Edge{From: e.From, To: e.To} })
	for i := 1; i < p.W.Workers(); i++ {
		p.W.Tell(i, Message{Kind: traffic})
	}
	p.collect(p.W.ID, p.counts())
}

// counts returns each unit of the worker with its number of steps. In each step, a unit sends a message over each of
// its edges.
func (p *mapper) counts() []int64 {
	var d []int64
	for u := range p.W.world.units {
		if x := &p.W.world.units[u]; int(x.at) == p.W.ID {
			d = append(d, int64(u), int64(x.runs))
		}
	}
	return d
}

// collect stores the counts of one worker, and decides when all have arrived.
func (p *mapper) collect(from int, d []int64) {
	for ; len(d) > 0; d = d[2:] {
		p.places[d[0]] = int32(from)
		for _, k := range p.W.world.mesh.out[d[0]] {
			p.edges[k].Traffic = d[1]
		}
	}
	if p.have++; p.have == p.W.Workers() {
		p.decide()
	}
}

// Message answers a request for traffic, stores traffic, or starts to move units.
func (p *mapper) Message(m *Message) {
	switch m.Kind {
	case traffic:
		if p.W.ID == 0 {
			p.collect(m.From, m.Data)
		} else {
			p.W.Tell(0, Message{Kind: traffic, Data: p.counts()})
		}
	case exchange:
		for d := m.Data; len(d) > 0; d = d[2:] {
			p.leaving, p.to = append(p.leaving, int32(d[0])), append(p.to, int32(d[1]))
		}
		p.leave()
	}
}

// Done sends the unit that has just run, if it has to move.
func (p *mapper) Done() { p.leave() }

// leave sends the units that have to move and are not running.
func (p *mapper) leave() {
	for k := 0; k < len(p.leaving); {
		if !p.W.handUnit(p.leaving[k], int(p.to[k]), Message{Kind: newcomer}) {
			k++
			continue
		}
		p.leaving = append(p.leaving[:k], p.leaving[k+1:]...)
		p.to = append(p.to[:k], p.to[k+1:]...)
	}
}

// decide finds the new map and tells the workers which units to send where.
func (p *mapper) decide() {
	w := p.W.world
	found := newMap(p.places, p.edges, w.rows, w.cols)
	p.W.Think(thinkSwap * found.Evaluations)
	for i := range w.workers {
		var d []int64
		for u, to := range found.Map {
			if int(p.places[u]) == i && int(to) != i {
				d = append(d, int64(u), int64(to))
			}
		}
		if d != nil {
			p.W.Send(i, Message{Kind: exchange, Data: d})
		}
	}
}

// newMap returns the map that the policy of paper 004 finds from an old one, on a
// torus of rows by cols workers.
func newMap(old mapping.Map, edges []mapping.Edge, rows, cols int) mapping.Search {
	net, err := network.New(network.Torus, cols, rows)
	if err != nil {
		return mapping.Search{Map: old} // there are more workers than the tables can hold
	}
	problem := mapping.NewProblem(mapping.NewGraph(len(old), edges), net, mapping.Reference())
	found, err := problem.Greedy(context.Background(), old, mapping.Grid, mapping.ByCost)
	if err != nil {
		return mapping.Search{Map: old}
	}
	return found
}
