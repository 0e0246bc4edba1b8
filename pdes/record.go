package pdes

import (
	"fmt"

	"emsim/internal/base/moves"
)

// recorder fills a moves.Record. The moved items are LPs. The load that PP 0 knows of a PP is the clocks of the
// slots that the PP ran since the last migration.
type recorder struct {
	*moves.Record
	used     []float64 // by PP: the clocks of its slots since the last migration
	again    []bool    // by PP: these clocks have been reported, and count from 0 with the next slot
	reported []int64   // by PP: when it reported these clocks
	cause    *moves.Cause
}

func (m *Machine) beginRecord() {
	if m.watch.Record == nil {
		return
	}
	m.record = &recorder{
		Record: m.watch.Record, used: make([]float64, len(m.pps)), again: make([]bool, len(m.pps)),
		reported: make([]int64, len(m.pps)),
	}
	m.record.Workers = len(m.pps)
	start := moves.By("the map at the start", 0)
	for lp, node := range m.cfg.Map {
		m.record.Pass(moves.Move{Cause: start, Kind: "LP", Item: lp, Count: 1, From: moves.Outside, To: int(node)})
	}
}

// recordReport records that a PP reports its kernels' counts, which then count from 0.
func (m *Machine) recordReport(p *processor) {
	if r := m.record; r != nil {
		r.reported[p.id] = m.queue.Now()
		r.again[p.id] = true
	}
}

// recordDecision records the decision of PP 0, and what it knew.
func (m *Machine) recordDecision(p *processor) {
	r, c := m.record, &m.migration
	if r == nil {
		return
	}
	known := make([]moves.Belief, len(m.pps))
	for i := range known {
		known[i] = moves.Belief{Worker: i, At: r.reported[i]}
	}
	for _, x := range c.counts.work {
		known[p.places[x.lp]].Load += float64(x.clocks)
	}
	for _, k := range known {
		r.Learn(moves.Learned{Belief: k, By: p.id, Told: m.queue.Now()})
	}
	rule := fmt.Sprintf("step 4: the minimiser finds a map of cost %.6g instead of %.6g for the counted "+
		"traffic [004 §3]", c.report.After, c.report.Before)
	r.cause = &moves.Cause{Rule: rule, By: p.id, At: m.queue.Now(), Knew: known}
}

func (m *Machine) recordLeaving(p *processor, mv move) {
	if r := m.record; r != nil {
		r.Send(mv.lp, moves.Move{
			Cause: r.cause, Kind: "LP", Item: int(mv.lp), Count: 1, From: p.id, To: int(mv.to),
			Left: m.queue.Now(),
		})
	}
}

// recordOperation records an operation that has ended. It divides the operation of a slot into the slot itself and the
// sending.
func (m *Machine) recordOperation(p *processor) {
	r, now, o := m.record, m.queue.Now(), &p.now
	if r == nil {
		return
	}
	s := moves.Span{Worker: p.id, Doing: o.kind, Use: moves.Balance, From: o.began, To: now, Peer: o.peer, Sent: o.sent}
	if o.lp >= 0 {
		s.What = moves.Items("LP", int(o.lp), 1)
	}
	switch o.kind {
	case "slot":
		s.Use = moves.Work
		s.To = o.began + o.slot*(now-o.began)/max(1, p.work) // in proportion, on a slow PP
		r.Do(s)
		s = moves.Span{Worker: p.id, Doing: "send", Use: moves.Exchange, From: s.To, To: now, Peer: moves.Outside}
		if r.again[p.id] {
			r.again[p.id], r.used[p.id] = false, 0
		}
		r.used[p.id] += float64(o.slot)
		r.Be(moves.Truth{At: now, Worker: p.id, Load: r.used[p.id]})
	case Cell.String(), Null.String(), Credit.String():
		s.Use = moves.Exchange
	}
	r.Do(s)
}
