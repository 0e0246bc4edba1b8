package mnc

import (
	"fmt"

	"emsim/internal/base/moves"
)

// Record is the record of what moved in a run, and why.
type Record = moves.Record

// Entry is an event that is passed to Record.Tell.
type Entry = moves.Entry

// recorder fills a Record. The moved items are data, X and Y. The load that a PE knows of another PE is the number
// of X that the other one published.
type recorder struct {
	*Record
	cause     []*moves.Cause // by PE: why its current action gives
	published []int64        // by PE: when it last wrote its status words
	seen      [][MaxNeighbours]int
	since     [][MaxNeighbours]int64 // when the values in seen were written
}

// Record begins to fill r. If it is called before the first clock, r covers the whole run. Recording does not change
// the run.
func (m *Machine) Record(r *Record) {
	r.Workers = len(m.pes)
	m.record = &recorder{
		Record: r, cause: make([]*moves.Cause, len(m.pes)), published: make([]int64, len(m.pes)),
		seen: make([][MaxNeighbours]int, len(m.pes)), since: make([][MaxNeighbours]int64, len(m.pes)),
	}
}

// datumMove returns the move of a datum over a board; board is -1 if there is no board.
func (m *Machine) datumMove(kind string, d *Datum, from, to, board int, c *moves.Cause, t int64) moves.Move {
	x := moves.Move{Cause: c, Kind: kind, Item: int(d.ID), Count: 1, From: from, To: to, Left: t, Came: t}
	if board >= 0 {
		x.Via = "QPR " + m.cfg.Wiring.Boards[board].Name
	}
	return x
}

// recordGiving records the data that leave a PE by its action, before the action ends.
func (m *Machine) recordGiving(e *pe, t int64) {
	r, a, n := m.record, &e.act, 0
	if r == nil {
		return
	}
	kind, held := "X", &e.x
	switch a.kind {
	case Proc:
		for ; n < a.total; n++ {
			c := moves.By("PROC: f() makes a Y of every X [000 §4.2]", a.start)
			r.Pass(m.datumMove("X", e.x.At(n), e.id, moves.Outside, -1, c, t))
			r.Pass(m.datumMove("Y", e.x.At(n), moves.Outside, e.id, -1, c, t))
		}
	case YPut:
		kind, held = "Y", &e.y
		fallthrough
	case XPut:
		for i := range e.n {
			k := e.kthNeighbour(i)
			for range a.amount[k] {
				r.Send(held.At(n).ID, m.datumMove(kind, held.At(n), e.id, int(e.nb[k].pe), int(e.nb[k].board),
					r.cause[e.id], t))
				n++
			}
		}
		for ; n < a.total; n++ {
			r.Pass(m.datumMove(kind, held.At(n), e.id, moves.Outside, e.snk.board,
				moves.By("YPUT: the host takes Y from the sink QPR [000 §4.2]", a.start), t))
		}
	}
}

// recordDone records the action and the data that it brought to the PE.
func (m *Machine) recordDone(e *pe, t int64) {
	r, a := m.record, &e.act
	if r == nil || a.kind == Idle {
		return
	}
	kind, held := "X", &e.x
	plan, work := moves.Span{
		Worker: e.id, Doing: "sense and plan", Use: moves.Balance, From: a.start, To: a.work,
		Peer: moves.Outside,
	}, moves.Work
	switch a.kind {
	case YGet:
		kind, held = "Y", &e.y
		fallthrough
	case XGet:
		for n := held.Len() - a.total; n < held.Len(); n++ {
			d := held.At(n)
			if x := r.Take(d.ID, t); x == nil {
				r.Pass(m.datumMove(kind, d, moves.Outside, e.id, e.src.board,
					moves.By("XGET: the host feeds X into the source QPR [000 §4.2]", a.start), t))
			} else if x.Left > plan.Sent {
				plan.Peer, plan.Sent = x.From, x.Left
			}
		}
	}
	if r.Do(plan); a.kind != Proc {
		work = moves.Balance
	}
	r.Do(moves.Span{Worker: e.id, Doing: a.kind.String(), Use: work, From: a.work, To: t, Peer: moves.Outside})
}

// recordSensing records what PEs learn by exchanging their status words.
func (m *Machine) recordSensing(due []int, t int64) {
	r := m.record
	if r == nil {
		return
	}
	for _, i := range due {
		r.published[i] = t
	}
	for _, i := range due {
		for k := range m.pes[i].n {
			r.since[i][k] = r.published[m.pes[i].nb[k].pe]
			if x := m.pes[i].view.x[k]; x != r.seen[i][k] {
				r.seen[i][k] = x
				r.Learn(moves.Learned{Belief: moves.Belief{
					Worker: int(m.pes[i].nb[k].pe), Load: float64(x),
					At: r.since[i][k],
				}, By: i, Told: t})
			}
		}
	}
}

// recordPlan records why a PE plans to give data away.
func (m *Machine) recordPlan(e *pe, t int64) {
	r, a, v := m.record, &e.act, &e.view
	if r == nil || a.kind != XPut && a.kind != YPut {
		return
	}
	c := &moves.Cause{By: e.id, At: t, Rule: "XPUT: a policy of your own"}
	r.cause[e.id] = c
	if a.kind == YPut {
		c.Rule = fmt.Sprintf("YPUT: of %d Y, more than the mean, towards the sink to the neighbour with "+
			"least Y [000 §4.3]", e.y.Len())
	} else if m.cfg.Give == nil {
		c.Rule = fmt.Sprintf("XPUT: %d X are above the proper load %.1f of equation (2): to the neighbour with least "+
			"X for its ability [000 §4.3]", e.x.Len(), float64(Share{e, &m.cfg}.Proper())/One)
	}
	for k := range e.n {
		known := moves.Belief{
			Worker: int(e.nb[k].pe), Load: float64(v.x[k]),
			Detail: fmt.Sprintf("%d X on the way to it, ability %.2f", v.sx[k], float64(e.ability.pa[k])/One),
		}
		if known.At = r.since[e.id][k]; a.kind == YPut {
			known.Load, known.Detail = float64(v.y[k]), fmt.Sprintf("Y, %d on the way to it", v.sy[k])
		}
		if a.kind == XPut || e.nb[k].closer {
			c.Knew = append(c.Knew, known)
		}
	}
}
