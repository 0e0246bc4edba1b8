package spmd

import "emsim/internal/base/state"

// Limits of the values in a restored state [chosen: no run comes near].
const (
	latest = 1 << 60 // microseconds
	most   = 1 << 40 // counts
)

// state visits everything that a run changes; the rest follows from Config. A restore checks what the end of a run
// relies on: every running task ends, and every request has its answer.
func (m *machine) state(c *state.Codec) {
	n, all := len(m.procs), len(m.result.RanOn)
	state.Index(c, &m.now, 0, latest)
	for i := range m.procs {
		m.procs[i].state(c, n, all)
	}
	m.queue.State(c, m.now, func(e *pending) {
		state.Index(c, &e.kind, 0, int(intervalOver)+1)
		state.Index(c, &e.to, 0, n)
		state.Index(c, &e.from, -1, n)
		state.Index(c, &e.nth, 0, 1<<16)
		state.Index(c, &e.n, 0, most)
		state.List(c, &e.tasks, all, func(k *int) { state.Index(c, k, 0, all) })
	})
	state.Num(c, &m.owed)
	m.result.state(c)
	if c.Loading() && c.Err() == nil {
		m.left = 0
		for i := range m.procs {
			if !m.procs[i].ended {
				m.left++
			}
		}
		m.checkState(c)
	}
}

func (p *processor) state(c *state.Codec, n, all int) {
	source, _ := p.source.MarshalBinary() // never fails
	if state.Bytes(c, &source, len(source)); c.Loading() && p.source.UnmarshalBinary(source) != nil {
		c.Fail("invalid state of a random generator")
	}
	state.Index(c, &p.next, 0, all+1)
	state.Index(c, &p.last, p.next, all+1)
	state.List(c, &p.active, all, func(k *int) { state.Index(c, k, 0, all) })
	state.Index(c, &p.running, -1, all)
	state.Index(c, &p.until, 0, latest)
	state.Index(c, &p.unanswered, 0, most)
	state.Index(c, &p.waitsFor, -1, n)
	state.Index(c, &p.finished, 0, most)
	state.Index(c, &p.power, -1, most)
	state.Index(c, &p.interval, 0, most)
	state.List(c, &p.sources, len(p.sources), func(k *int) { state.Index(c, k, 0, n) })
	for k := range p.heard {
		state.Index(c, &p.heard[k], -1, most)
	}
	state.Index(c, &p.sentAt, 0, latest)
	state.Index(c, &p.sent, 0, 1<<16)
	state.Bool(c, &p.ended)
}

func (r *Result) state(c *state.Codec) {
	state.Nums(c, r.Tasks)
	state.Nums(c, r.EndUS)
	state.Nums(c, r.BusyUS)
	for _, row := range r.Moved {
		state.Nums(c, row)
	}
	for k := range r.RanOn {
		state.Index(c, &r.RanOn[k], -1, len(r.Tasks))
	}
	state.Num(c, &r.Requests)
	state.Num(c, &r.Refused)
	state.Num(c, &r.Messages)
}

// checkState rejects a state from which a run would not end.
func (m *machine) checkState(c *state.Codec) {
	ends, unanswered, owed := make([]int, len(m.procs)), 0, 0
	for _, x := range m.queue {
		if x.Order != x.What.order() {
			c.Fail("an event at %d us in the order %d", x.At, x.Order)
		}
		switch x.What.kind {
		case taskDone:
			ends[x.What.to]++
		case tasksArrive, requestComes:
			owed++
		}
	}
	for i := range m.procs {
		p := &m.procs[i]
		unanswered += p.unanswered
		if p.running >= 0 {
			ends[i]--
		}
		if ends[i] != 0 {
			c.Fail("processor %d runs task %d, and it has %d ends more or less", i, p.running, ends[i])
		}
	}
	if unanswered != owed || m.owed != owed {
		c.Fail("%d requests without an answer, %d and %d in flight", unanswered, m.owed, owed)
	}
}
