package rhinet

import (
	"fmt"

	"emsim/internal/base/moves"
)

// recorder fills a moves.Record. The moved items are rows. The load that ranks know of each other is the reported
// speed, in rows per second.
type recorder struct {
	*moves.Record
	inPhase []bool                 // by rank: it is in a balancing phase
	passing map[[3]int]*moves.Move // rows in transit that only one side has recorded, by giver, taker and phase
	decided map[[2]int]passage     // the last rows that moved without transit, by giver and taker
}

// passage is a move of rows without transit, and its phase.
type passage struct {
	phase int
	*moves.Move
}

func (s *sim) beginRecord() {
	if s.watch.Record == nil {
		return
	}
	s.record = &recorder{
		Record: s.watch.Record, inPhase: make([]bool, len(s.ranks)),
		passing: map[[3]int]*moves.Move{}, decided: map[[2]int]passage{},
	}
	s.record.Workers = len(s.ranks)
	start := moves.By("equal shares at the start", 0)
	for i := range s.ranks {
		rows := s.ranks[i].ownRows()
		s.record.Pass(moves.Move{
			Cause: start, Kind: "row", Item: rows.lo, Count: rows.rowCount(), From: moves.Outside,
			To: i,
		})
	}
}

// rules describes the policies in the paper's words.
var rules = map[Policy]string{
	CLB:   "CLB: the balancer",
	DLB:   "DLB: every rank, with the loads of all,",
	GLB:   "GLB: every rank of the group, with the loads of the group,",
	IGCLB: "inter group CLB: the balancer",
	IGDLB: "inter group DLB: the representatives, with the loads of all groups,",
	WLB:   "WLB (not from the paper): the balancer, which may let a slow rank rest,",
}

// perSecond returns the reported speed in rows per second.
func (r Report) perSecond() float64 { return r.Speed() / Seconds(1) }

// recordDecision records why a rank decides on its split.
func (s *sim) recordDecision(r *rank) {
	rec := s.record
	if rec == nil {
		return
	}
	c := &moves.Cause{
		Rule: rules[s.cfg.Policy] + " shares the rows by speed, equation (1) [001 §4.1, §4.2]",
		By:   r.id, At: s.now,
	}
	if s.cfg.Own != nil && s.cfg.Own.Split != nil {
		c.Rule = "a policy of your own"
	}
	for i := range r.known {
		if k := &r.known[i]; k.Loops > 0 {
			c.Knew = append(c.Knew, moves.Belief{
				Worker: i, Load: k.perSecond(), At: k.at,
				Detail: fmt.Sprintf("it had %d rows", k.own.rowCount()),
			})
		}
	}
	r.split.cause = c
	if !s.app.moves() {
		s.recordHandover(r)
	}
}

// recordHandover records the rows that change owner by a decision. Every rank has the data of all rows, so nothing is
// sent. No rank computes rows during a balancing phase, so the exact time does not matter: the rows leave their old
// owner when the first of the deciding ranks has decided, even if the old owner learns of it after the new one.
func (s *sim) recordHandover(r *rank) {
	rec, sp := s.record, r.split
	for from := range sp.old {
		for to := range sp.spans {
			rows, pair := sp.old[from].intersect(sp.spans[to]), [2]int{from, to}
			if from == to || rows.rowCount() == 0 || rec.decided[pair].phase == r.phase {
				continue
			}
			rec.decided[pair] = passage{r.phase, rec.Pass(moves.Move{
				Cause: sp.cause, Kind: "row", Item: rows.lo,
				Count: rows.rowCount(), From: from, To: to, Left: s.now, Came: moves.OnTheWay,
			})}
		}
	}
}

// recordAdoption records the rows that a rank gives away and takes by its new split. Rows that travel are taken when
// their message has arrived.
func (s *sim) recordAdoption(r *rank, old span) {
	rec, sp := s.record, r.split
	if rec == nil {
		return
	}
	for id := range sp.spans {
		if id == r.id {
			continue
		}
		if !s.app.moves() {
			if x := rec.decided[[2]int{id, r.id}]; x.Move != nil && x.phase == r.phase {
				rec.Come(x.Move, s.now)
			}
			continue
		}
		if out := old.intersect(sp.spans[id]); out.rowCount() > 0 {
			rec.travel([3]int{r.id, id, r.phase}, out, sp.cause, s.now, moves.OnTheWay)
		}
		if in := sp.old[id].intersect(r.ownRows()); in.rowCount() > 0 {
			rec.travel([3]int{id, r.id, r.phase}, in, sp.cause, moves.OnTheWay, moves.OnTheWay)
		}
	}
}

// travel records what is now known about the move of rows in a phase. Either side may record it first.
func (rec *recorder) travel(key [3]int, rows span, c *moves.Cause, left, came int64) {
	m := rec.passing[key]
	if m == nil {
		m = rec.Pass(moves.Move{
			Cause: c, Kind: "row", Item: rows.lo, Count: rows.rowCount(), From: key[0], To: key[1],
			Left: moves.OnTheWay, Came: moves.OnTheWay,
		})
		rec.passing[key] = m
	}
	if left != moves.OnTheWay {
		rec.Leave(m, left)
	}
	if came != moves.OnTheWay {
		rec.Come(m, came)
	}
	if m.Left != moves.OnTheWay && m.Came != moves.OnTheWay {
		delete(rec.passing, key)
	}
}

// recordMessage records what a rank learns from a message.
func (s *sim) recordMessage(r *rank, m *message) {
	rec := s.record
	if rec == nil {
		return
	}
	r.heard = m.at
	for _, x := range m.payload.infos {
		rec.Learn(moves.Learned{
			Belief: moves.Belief{Worker: x.Rank, Load: x.perSecond(), At: x.at}, By: r.id,
			Told: s.now,
		})
	}
	if r.ops[r.pc].what == someRows {
		rec.travel([3]int{m.src, r.id, r.phase}, span{}, nil, moves.OnTheWay, s.now)
	}
}

// recordOperation records the end of an operation.
func (s *sim) recordOperation(r *rank, o *op) {
	rec := s.record
	if rec == nil {
		return
	}
	x := moves.Span{
		Worker: r.id, Doing: opNames[o.kind], Use: moves.Exchange, From: r.began, To: s.now,
		Peer: moves.Outside,
	}
	switch o.kind {
	case opCompute:
		rows := r.ownRows()
		x.Use, x.What = moves.Work, moves.Items("row", rows.lo, rows.rowCount())
		rec.Be(moves.Truth{
			At: s.now, Worker: r.id,
			Load: float64(rows.rowCount()) / float64(max(1, r.took)) / Seconds(1),
		})
	case opRecv:
		x.Peer, x.Sent = int(o.peer), r.heard
	case opPhase:
		rec.inPhase[r.id] = true
	}
	if rec.inPhase[r.id] || o.kind == opProbe {
		x.Use = moves.Balance
	}
	if rec.Do(x); o.kind == opResume {
		rec.inPhase[r.id] = false
	}
}
