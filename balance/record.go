package balance

import (
	"math"

	"emsim/internal/base/agenda"
	"emsim/internal/base/moves"
)

// Record is the record of what moved in a run, and why.
type Record = moves.Record

// Entry is an event that is passed to Record.Tell.
type Entry = moves.Entry

// recorder fills a Record. The moved items are units. The loads that workers know of each other are from messages and
// peeks. Without a Record it does nothing.
type recorder struct {
	*moves.Record
	rule    string
	pending agenda.Agenda[func()] // events that end or leave later
	number  uint64                // number of the next of these events
	over    int64                 // the end of the run, once it is known
	cuts    [][][2]int64          // by worker: times taken by messages since its unit began
	learned [][]moves.Belief      // by worker: loads learned since its last decision
}

// did is the purpose of some CPU time.
type did struct {
	doing string
	use   moves.Use
	peer  int   // worker whose message had to arrive first, or moves.Outside
	sent  int64 // when that message left
}

// alone returns the purpose of CPU time that depends on no other worker's message.
func alone(doing string, use moves.Use) did { return did{doing, use, moves.Outside, 0} }

func newRecorder(r *moves.Record, s Policy, workers int) *recorder {
	if r == nil {
		return nil
	}
	r.Workers = workers
	return &recorder{
		Record: r, rule: s.Name + ": " + s.Title, over: math.MaxInt64, cuts: make([][][2]int64, workers),
		learned: make([][]moves.Belief, workers),
	}
}

// later arranges for tell to be called at the given time.
func (r *recorder) later(at int64, tell func()) {
	r.pending.Add(agenda.Item[func()]{At: at, Order: r.number, What: tell})
	r.number++
}

// until records everything that has ended or left by now.
func (r *recorder) until(now int64) {
	for r != nil && len(r.pending) > 0 && r.pending[0].At <= now {
		r.pending.Next().What()
	}
}

// end records what is in progress at the end of the run, up to that time.
func (r *recorder) end(now int64) {
	if r != nil {
		r.over = now
		r.until(math.MaxInt64)
	}
}

// worked records that a unit or a part of one has run, leaving out the time of messages in between.
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
		if to = min(to, r.over); from <= to {
			r.Do(moves.Span{Worker: i.ID, Doing: d.doing, Use: d.use, From: from, To: to, Peer: d.peer, Sent: d.sent})
		}
	})
}

// born records a unit that arrives at a worker from outside the machine.
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
			continue // a map may move a unit that has ended
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

// learn records that a worker knows the load that another worker had at a time.
func (r *recorder) learn(i *Worker, of int, load, at int64) {
	if r == nil {
		return
	}
	known := moves.Belief{Worker: of, Load: float64(load), At: at}
	r.learned[i.ID] = append(r.learned[i.ID], known)
	r.Learn(moves.Learned{Belief: known, By: i.ID, Told: i.Now()})
}
