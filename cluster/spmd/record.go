package spmd

import (
	"fmt"

	"emsim/internal/base/moves"
)

// recorder fills a moves.Record. The moved items are tasks. The load that processors know of each
// other is the Power.
type recorder struct {
	*moves.Record
	procs      []recorded
	unanswered map[[2]int][]*moves.Cause // requests without an answer, by requester and giver, the oldest first
}

// recorded holds a recorder's data about a processor.
type recorded struct {
	began   int64 // when its task began
	from    int   // sender of the tasks that it waited for, or moves.Outside
	sent    int64 // when these tasks were sent
	heardAt map[int]int64
}

func (m *machine) beginRecord() {
	if m.watch.Record == nil {
		return
	}
	m.record = &recorder{
		Record: m.watch.Record, procs: make([]recorded, len(m.procs)),
		unanswered: map[[2]int][]*moves.Cause{},
	}
	m.record.Workers = len(m.procs)
	start := moves.By("own tasks at the start", 0)
	for i, p := range m.procs {
		m.record.procs[i] = recorded{from: moves.Outside, heardAt: map[int]int64{}}
		m.record.Pass(moves.Move{
			Cause: start, Kind: "task", Item: p.next, Count: p.last - p.next, From: moves.Outside,
			To: i,
		})
	}
}

// recordTask records the end of a task.
func (m *machine) recordTask(i int) {
	r := m.record
	if r == nil {
		return
	}
	p, task := &r.procs[i], m.procs[i].running
	r.Do(moves.Span{
		Worker: i, Doing: "task", What: moves.Items("task", task, 1), Use: moves.Work, From: p.began,
		To: m.now, Peer: p.from, Sent: p.sent,
	})
	p.from = moves.Outside
	done := &moves.Cause{Rule: "Processing Task has finished it [002 §2.1]", By: i, At: p.began}
	r.Pass(moves.Move{
		Cause: done, Kind: "task", Item: task, Count: 1, From: i, To: moves.Outside, Left: m.now,
		Came: m.now,
	})
}

// recordHeard records the arrival of a Power.
func (m *machine) recordHeard(e pending) {
	if r := m.record; r != nil {
		r.procs[e.to].heardAt[e.from] = m.now - m.LatencyUS
		r.Learn(moves.Learned{
			Belief: moves.Belief{Worker: e.from, Load: float64(e.n), At: m.now - m.LatencyUS}, By: e.to,
			Told: m.now,
		})
	}
}

// recordRequest records why a processor requests tasks from another one.
func (m *machine) recordRequest(i, whom, heard, n int) {
	r := m.record
	if r == nil {
		return
	}
	own := m.procs[i].power
	rule := fmt.Sprintf("Check Message: own Power %d is larger than %d: asks for ", own, heard)
	switch {
	case m.Request != nil:
		rule = fmt.Sprintf("a policy of your own asks for %d", n)
	case own <= heard:
		rule = fmt.Sprintf("out of tasks, and has to ask again: for %d", n)
	case m.Policy == Static:
		rule += "one [002 §2.2, static]"
	default:
		rule += fmt.Sprintf("the difference, %d [002 §2.2, proposed]", n)
	}
	c := &moves.Cause{Rule: rule, By: i, At: m.now}
	if at, told := r.procs[i].heardAt[whom]; told {
		c.Knew = append(c.Knew, moves.Belief{Worker: whom, Load: float64(heard), At: at})
	}
	c.Knew = append(c.Knew, moves.Belief{Worker: i, Load: float64(own), At: m.now, Detail: "its own"})
	key := [2]int{i, whom}
	r.unanswered[key] = append(r.unanswered[key], c)
}

// recordGiven records the answer to a request: n tasks starting with number first.
func (m *machine) recordGiven(e pending, first, n int) {
	r := m.record
	if r == nil {
		return
	}
	request, give := [2]int{e.from, e.to}, [2]int{e.to, e.from}
	cause := r.unanswered[request][0]
	r.unanswered[request] = r.unanswered[request][1:]
	r.Send(give, moves.Move{Cause: cause, Kind: "task", Item: first, Count: n, From: e.to, To: e.from, Left: m.now})
}

// recordArrival records that tasks have arrived.
func (m *machine) recordArrival(e pending) {
	r := m.record
	if r == nil {
		return
	}
	if x := r.Take([2]int{e.from, e.to}, m.now); m.procs[e.to].running < 0 && x.Count > 0 {
		r.procs[e.to].from, r.procs[e.to].sent = e.from, x.Left
	}
}
