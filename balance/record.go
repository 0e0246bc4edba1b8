package balance

import (
	"emsim/internal/base/agenda"
	"emsim/internal/base/moves"
)

// Record is what moved in a run, and why.
type Record = moves.Record

// Entry is what a Record's Tell is told.
type Entry = moves.Entry

// recorder fills a Record: what moves are units, and what workers know of each other
// are the loads that messages tell and looks show. Without a Record it does nothing.
type recorder struct {
	*moves.Record
	rule    string
	pending agenda.Agenda[func()] // what ends or leaves later
	number  uint64                // of the next of these
	cuts    [][][2]int64          // by worker: times of messages since its unit began
	learned [][]moves.Known       // by worker: since it decided last
}

// did says what CPU time is for.
type did struct {
	doing string
	use   moves.Use
	peer  int   // whose message had to come first, or moves.Outside
	sent  int64 // when that left
}

// alone returns what a worker does without a message of another one.
func alone(doing string, use moves.Use) did { return did{doing, use, moves.Outside, 0} }

func newRecorder(r *moves.Record, s Scheme, workers int) *recorder {
	if r == nil {
		return nil
	}
	r.Workers = workers
	return &recorder{
		Record: r, rule: s.Name + ": " + s.Title, cuts: make([][][2]int64, workers),
		learned: make([][]moves.Known, workers),
	}
}

// later lets something be recorded at its time.
func (r *recorder) later(at int64, tell func()) {
	r.pending.Add(agenda.Item[func()]{At: at, Order: r.number, What: tell})
	r.number++
}

// until records what has ended or left by now.
func (r *recorder) until(now int64) {
	for r != nil && len(r.pending) > 0 && r.pending[0].At <= now {
		r.pending.Next().What()
	}
}

// worked records a unit, or a part of one, that has run, without the messages in its midst.
func (r *recorder) worked(worker int, from, to int64) {
	if r == nil {
		return
	}
	add := func(from, to int64) {
		r.Do(moves.Span{Worker: worker, Doing: "run", Use: moves.Work, From: from, To: to, Peer: moves.Outside})
	}
	for _, cut := range r.cuts[worker] {
		if cut[0] >= from {
			add(from, cut[0])
			from = cut[1]
		}
	}
	add(from, to)
	r.cuts[worker] = r.cuts[worker][:0]
}

// charged records CPU time for a message or a decision.
func (r *recorder) charged(i *Worker, d did, from, to int64) {
	if r == nil {
		return
	}
	if i.running >= 0 {
		r.cuts[i.ID] = append(r.cuts[i.ID], [2]int64{from, to})
	}
	r.later(to, func() {
		r.Do(moves.Span{Worker: i.ID, Doing: d.doing, Use: d.use, From: from, To: to, Peer: d.peer, Sent: d.sent})
	})
}

// born records a unit that comes to a worker from outside.
func (r *recorder) born(u int32, at int, now int64) {
	if r != nil {
		r.Pass(moveOf(u, moves.Outside, at, moves.By("a unit is born", now), now))
	}
}

// left records a unit that has run for the last time.
func (r *recorder) left(u int32, at int, now int64) {
	if r != nil {
		r.Pass(moveOf(u, at, moves.Outside, moves.By("the unit has run", now), now))
	}
}

func moveOf(u int32, from, to int, c *moves.Cause, now int64) moves.Move {
	return moves.Move{Cause: c, Kind: "unit", Item: int(u), Count: 1, From: from, To: to, Left: now, Came: now}
}

// sent records units that a worker has decided to send, and that leave later.
func (r *recorder) sent(i *Worker, m *Message, at int64) {
	if r == nil || len(m.units) == 0 || m.To == i.ID {
		return
	}
	c := &moves.Cause{Rule: r.rule, By: i.ID, At: i.Now(), Knew: r.learned[i.ID]}
	r.learned[i.ID] = nil
	for _, u := range m.units {
		if int(i.world.units[u].runs) == i.world.rounds() {
			continue // a map may move what has ended
		}
		x := moveOf(u, i.ID, m.To, c, at)
		r.later(at, func() { r.Send(u, x) })
	}
}

// came records a unit that a worker has read.
func (r *recorder) came(u int32, now int64) {
	if r != nil {
		r.Take(u, now)
	}
}

// free records a unit that a bound gives to a worker at no cost.
func (r *recorder) free(u int32, from, to int, now int64) {
	if r != nil && from != to {
		r.Pass(moveOf(u, from, to, &moves.Cause{Rule: r.rule, By: moves.Outside, At: now}, now))
	}
}

// learn records that a worker knows the load that another one had.
func (r *recorder) learn(i *Worker, of int, load, at int64) {
	if r == nil {
		return
	}
	known := moves.Known{Worker: of, Load: float64(load), At: at}
	r.learned[i.ID] = append(r.learned[i.ID], known)
	r.Learn(moves.Learned{Known: known, By: i.ID, Told: i.Now()})
}
