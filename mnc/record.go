package mnc

import (
	"fmt"

	"emsim/internal/base/moves"
)

// Record is what moved in a run, and why.
type Record = moves.Record

// recorder fills a moves.Record: what moves are data, X and Y, and what PEs know of each
// other is the X that they published.
type recorder struct {
	*Record
	pes []recorded
	way map[uint32]int // moves of the data that are in rings, by number
}

// recorded is what a recorder remembers of a PE.
type recorded struct {
	cause     *moves.Cause // of its action
	published int64        // when it last wrote its status words
	seen      [MaxNeighbours]int
}

// The kinds of moves.
const (
	kindX = "X"
	kindY = "Y"
)

// Record fills a record from now on: before the first clock, of the whole run. It changes
// nothing.
func (m *Machine) Record(r *Record) {
	r.Workers = len(m.pes)
	m.record = &recorder{Record: r, pes: make([]recorded, len(m.pes)), way: map[uint32]int{}}
}

var (
	bornCause  = moves.Cause{Rule: "born in the PE's local memory", By: moves.Outside}
	fedCause   = moves.Cause{Rule: "XGET: the host feeds X into the source QPR [000 §4.2]", By: moves.Outside}
	procCause  = moves.Cause{Rule: "PROC: f() makes a Y of every X [000 §4.2]", By: moves.Outside}
	drainCause = moves.Cause{Rule: "YPUT: the host takes Y from the sink QPR [000 §4.2]", By: moves.Outside}
)

// at is a cause at a time.
func at(c moves.Cause, t int64) *moves.Cause {
	c.At = t
	return &c
}

// pass records the move of a datum, and remembers one that goes into a ring.
func (r *recorder) pass(kind string, d *Datum, from, to int, cause *moves.Cause, left, came int64, via string) {
	n := r.Pass(moves.Move{Cause: cause, Kind: kind, Item: int(d.ID), Count: 1, From: from, To: to, Left: left, Came: came, Via: via})
	if came == moves.OnTheWay {
		r.way[d.ID] = n
	}
}

// boardName names a board.
func (m *Machine) boardName(board int) string { return "QPR " + m.cfg.Wiring.Boards[board].Name }

// recordBorn records a datum that is born in a PE.
func (m *Machine) recordBorn(e *pe, t int64) {
	if r := m.record; r != nil {
		r.pass(kindX, e.x.At(e.x.Len()-1), moves.Outside, e.id, at(bornCause, t), t, t, "")
	}
}

// recordGiving records what leaves a PE by its action, before the action ends.
func (m *Machine) recordGiving(e *pe, t int64) {
	r, a := m.record, &e.act
	if r == nil || a.kind != Proc && a.kind != XPut && a.kind != YPut {
		return
	}
	kind, held := kindX, &e.x
	if a.kind == YPut {
		kind, held = kindY, &e.y
	}
	if a.kind == Proc {
		for n := range a.total {
			r.pass(kindX, e.x.At(n), e.id, moves.Outside, at(procCause, a.start), t, t, "")
			r.pass(kindY, e.x.At(n), moves.Outside, e.id, at(procCause, a.start), t, t, "")
		}
		return
	}
	n := 0
	for i := range e.n {
		k := e.kthNeighbour(i)
		nb := &e.nb[k]
		for range a.amount[k] {
			r.pass(kind, held.At(n), e.id, int(nb.pe), r.pes[e.id].cause, t, moves.OnTheWay, m.boardName(int(nb.board)))
			n++
		}
	}
	for ; n < a.total; n++ {
		r.pass(kind, held.At(n), e.id, moves.Outside, at(drainCause, a.start), t, t, m.boardName(e.snk.board))
	}
}

// recordDone records what has come to a PE by its action, and the action.
func (m *Machine) recordDone(e *pe, t int64) {
	r, a := m.record, &e.act
	if r == nil || a.kind == Idle {
		return
	}
	kind, held, s := kindX, &e.x, moves.Span{Worker: e.id, Doing: "sense and plan", Use: moves.Balance, From: a.start, To: a.work, Peer: moves.Outside}
	switch a.kind {
	case YGet:
		kind, held = kindY, &e.y
		fallthrough
	case XGet:
		for n := held.Len() - a.total; n < held.Len(); n++ {
			d := held.At(n)
			on, given := r.way[d.ID]
			if !given {
				r.pass(kind, d, moves.Outside, e.id, at(fedCause, a.start), t, t, m.boardName(e.src.board))
				continue
			}
			delete(r.way, d.ID)
			x := &r.Moves[on]
			if x.Came = t; x.Left > s.Sent || s.Peer == moves.Outside {
				s.Peer, s.Sent = x.From, x.Left
			}
		}
	}
	r.Do(s)
	s = moves.Span{Worker: e.id, Doing: a.kind.String(), Use: moves.Balance, From: a.work, To: t, Peer: moves.Outside}
	if a.kind == Proc {
		s.Use = moves.Work
	}
	r.Do(s)
}

// recordSensing records what PEs learn when they have exchanged their status words.
func (m *Machine) recordSensing(due []int, t int64) {
	r := m.record
	if r == nil {
		return
	}
	for _, i := range due {
		r.pes[i].published = t
	}
	for _, i := range due {
		e, old := &m.pes[i], &r.pes[i]
		for k := range e.n {
			if x := e.view.x[k]; x != old.seen[k] {
				old.seen[k] = x
				r.Learn(t, i, r.known(e, k))
			}
		}
	}
}

// known is what a PE knows of a neighbour.
func (r *recorder) known(e *pe, k int) moves.Known {
	nb := int(e.nb[k].pe)
	return moves.Known{Worker: nb, Load: float64(e.view.x[k]), At: r.pes[nb].published}
}

// recordPlan records why a PE has planned to give.
func (m *Machine) recordPlan(e *pe, t int64) {
	r, a, v := m.record, &e.act, &e.view
	if r == nil || a.kind != XPut && a.kind != YPut {
		return
	}
	c := &moves.Cause{By: e.id, At: t}
	r.pes[e.id].cause = c
	x := e.x.Len()
	switch {
	case a.kind == YPut:
		c.Rule = fmt.Sprintf("YPUT: of %d Y, more than the mean, towards the sink to the neighbour with least Y [000 §4.3]", e.y.Len())
	case m.cfg.Give != nil:
		c.Rule = "XPUT: a policy of one's own"
	default:
		c.Rule = fmt.Sprintf("XPUT: %d X are above the proper load %.1f of equation (2): to the neighbour with least X for its ability [000 §4.3]", x, float64(Share{e, &m.cfg}.Proper())/One)
	}
	for k := range e.n {
		known := r.known(e, k)
		if known.Detail = fmt.Sprintf("%d X on the way to it, ability %.2f", v.sx[k], float64(e.ability.pa[k])/One); a.kind == YPut {
			if !e.nb[k].closer {
				continue
			}
			known.Load, known.Detail = float64(v.y[k]), fmt.Sprintf("Y, %d on the way to it", v.sy[k])
		}
		c.Knew = append(c.Knew, known)
	}
}
