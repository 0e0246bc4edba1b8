package rhinet

import (
	"fmt"

	"emsim/internal/base/moves"
)

// recorder fills a moves.Record: what moves are rows, and what ranks know of each other
// is the speed that they reported, in rows a second.
type recorder struct {
	*moves.Record
	reported []int64                 // by rank: when it made its last report
	inPhase  []bool                  // by rank: it balances
	causes   map[*split]*moves.Cause // of the splits that are being adopted
	passing  map[[3]int]int          // moves that one side has yet to adopt, by giver, taker and phase
}

func (s *sim) beginRecord() {
	if s.watch.Record == nil {
		return
	}
	s.record = &recorder{
		Record: s.watch.Record, reported: make([]int64, len(s.ranks)), inPhase: make([]bool, len(s.ranks)),
		causes: map[*split]*moves.Cause{}, passing: map[[3]int]int{},
	}
	s.record.Workers = len(s.ranks)
	start := moves.By("equal shares at the start", 0)
	for i := range s.ranks {
		rows := s.ranks[i].ownRows()
		s.record.Pass(moves.Move{Cause: start, Kind: "row", Item: rows.lo, Count: rows.rowCount(), From: moves.Outside, To: i})
	}
}

// rules are the algorithms in the paper's words.
var rules = map[Algorithm]string{
	CLB:   "CLB: the balancer",
	DLB:   "DLB: every rank, with the loads of all,",
	GLB:   "GLB: every rank of the group, with the loads of the group,",
	IGCLB: "inter group CLB: the balancer",
	IGDLB: "inter group DLB: the representatives, with the loads of all groups,",
	WLB:   "WLB (not of the paper): the balancer, which may let a slow rank rest,",
}

// perSecond is a speed in rows a second.
func (r Report) perSecond() float64 { return r.Speed() / Seconds(1) }

// recordDecision records why a rank splits the rows as it does.
func (s *sim) recordDecision(r *rank) {
	rec := s.record
	if rec == nil {
		return
	}
	c := &moves.Cause{Rule: rules[s.cfg.Algorithm] + " shares the rows by speed, equation (1) [001 §4.1, §4.2]", By: r.id, At: s.now}
	if s.cfg.Own != nil && s.cfg.Own.Split != nil {
		c.Rule = "a policy of one's own"
	}
	for i := range r.known {
		if k := &r.known[i]; k.Loops > 0 {
			c.Knew = append(c.Knew, moves.Known{Worker: i, Load: k.perSecond(), At: rec.reported[i], Detail: fmt.Sprintf("it had %d rows", k.own.rowCount())})
		}
	}
	rec.causes[r.split] = c
}

// recordAdoption records the rows that a rank gives away and takes by its new split.
// What travels is taken when its message has come.
func (s *sim) recordAdoption(r *rank, old span) {
	rec, sp := s.record, r.split
	if rec == nil {
		return
	}
	for id := range sp.spans {
		if id == r.id {
			continue
		}
		if out := old.intersect(sp.spans[id]); out.rowCount() > 0 {
			rec.Moves[rec.passage(r.id, id, r.phase, out, rec.causes[sp])].Left = s.now
		}
		if in := sp.old[id].intersect(r.ownRows()); in.rowCount() > 0 {
			if n := rec.passage(id, r.id, r.phase, in, rec.causes[sp]); !s.app.moves() {
				rec.Moves[n].Came = s.now
			}
		}
	}
}

// passage is the move of rows in a phase, whichever side adopts it first.
func (rec *recorder) passage(from, to, phase int, rows span, c *moves.Cause) int {
	key := [3]int{from, to, phase}
	n, begun := rec.passing[key]
	if !begun {
		n = rec.Pass(moves.Move{Cause: c, Kind: "row", Item: rows.lo, Count: rows.rowCount(), From: from, To: to, Left: moves.OnTheWay, Came: moves.OnTheWay})
		rec.passing[key] = n
	}
	return n
}

// recordMessage records what a rank learns from a message.
func (s *sim) recordMessage(r *rank, m *message) {
	rec := s.record
	if rec == nil {
		return
	}
	r.heard = m.at
	for _, x := range m.payload.infos {
		rec.Learned = append(rec.Learned, moves.Learned{Known: moves.Known{Worker: x.Rank, Load: x.perSecond(), At: rec.reported[x.Rank]}, By: r.id, Told: s.now})
	}
	if r.ops[r.pc].what == someRows {
		rec.Moves[rec.passing[[3]int{m.src, r.id, r.phase}]].Came = s.now
	}
}

// recordOperation records the end of an operation.
func (s *sim) recordOperation(r *rank, o *op) {
	rec := s.record
	if rec == nil {
		return
	}
	x := moves.Span{Worker: r.id, Doing: opNames[o.kind], Use: moves.Exchange, From: r.began, To: s.now, Peer: moves.Outside}
	switch o.kind {
	case opCompute:
		x.Use = moves.Work
		rec.Truths = append(rec.Truths, moves.Truth{At: s.now, Worker: r.id, Load: float64(r.ownRows().rowCount()) / float64(max(1, r.took)) / Seconds(1)})
	case opRecv:
		x.Peer, x.Sent = int(o.peer), r.heard
	case opPhase:
		rec.inPhase[r.id], rec.reported[r.id] = true, s.now
	}
	if rec.inPhase[r.id] || o.kind == opProbe {
		x.Use = moves.Balance
	}
	if rec.Do(x); o.kind == opResume {
		rec.inPhase[r.id] = false
	}
}
