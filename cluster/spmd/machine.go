package spmd

import (
	"context"
	"math/rand/v2"
	"slices"

	"emsim/internal/base/agenda"
	"emsim/internal/base/moves"
	"emsim/internal/base/state"
)

// An eventKind is the kind of an event at one processor.
type eventKind uint8

// The kinds, in the order in which a processor handles events of the same microsecond (chosen): work first, then
// messages, then the estimate.
const (
	taskDone     eventKind = iota // Processing Task finished a task
	tasksArrive                   // tasks that this processor requested arrive
	requestComes                  // another processor's request for tasks arrives
	powerComes                    // another processor's Power arrives, for Check Message
	intervalOver                  // Estimate Load counts and sends
)

// pending is a future event. At any time, (to, kind, from, nth) is unique: a processor ends at most one task and one
// interval at a time, and messages from one sender are numbered.
type pending struct {
	to, from int
	kind     eventKind
	nth      int // number of the message among the messages that its sender sent in the same microsecond
	n        int
	tasks    []int // tasksArrive
}

// order returns the order of events at the same time: by processor, then by kind, then by sender. Events from the
// same sender are in the order of sending.
func (e pending) order() uint64 {
	return uint64(((e.to<<8|int(e.kind))<<16|(e.from+1))<<16 | e.nth)
}

type processor struct {
	taskUS int64 // time of a usual task
	source rand.PCG
	rng    *rand.Rand // draws from source
	// The Schedule Queue consists of the processor's own tasks with numbers next to last-1. The Active Queue holds
	// received tasks.
	next, last int
	active     []int
	running    int   // number of the running task, or -1
	until      int64 // when the last task that began ends
	unanswered int   // requests without an answer yet
	waitsFor   int   // processor that got the last of these requests
	phase      int64 // when the first interval begins
	finished   int   // tasks finished in this interval
	power      int   // of the last interval, -1 before the first
	interval   int   // intervals ended
	sources    []int // with RequestAgain: givers, the next one first; a giver that had no tasks is removed
	heard      []int // the last Powers of the sources, by processor
	sentAt     int64 // when this processor last sent a message
	sent       int   // number of messages that it sent at that time
	ended      bool
}

type machine struct {
	Config
	now       int64
	procs     []processor
	queue     agenda.Agenda[pending]
	owed      int // requests and answers in flight
	requester Requester
	sizes     []int64 // by task, in millionths; nil if all tasks are usual ones
	result    *Result
	watch     Watch

	shown  state.Shown
	left   int       // processors that have not ended
	record *recorder // nil if nothing is recorded
}

// Run runs one machine until every processor has ended. If ctx ends first, Run returns the results so far with the
// error of ctx.
func Run(ctx context.Context, c Config) (*Result, error) {
	return RunWatched(ctx, c, Watch{})
}

func (m *machine) runEvents(ctx context.Context) (*Result, error) {
	const checkEvery = 1 << 10 // events between two checks of ctx, at the end of a time
	for n := checkEvery; m.left > 0; n++ {
		next := m.queue[0].At
		if m.shown.Before(next); n >= checkEvery && next > m.now {
			if n = 0; ctx.Err() != nil {
				m.result.stop(m.shown.Stop(next), m.procs)
				return m.result, ctx.Err()
			}
			if m.watch.Progress != nil {
				m.watch.Progress(m.now, m.done(), int64(len(m.result.RanOn)))
			}
		}
		x := m.queue.Next()
		m.now = x.At
		e := x.What
		m.handle(e)
		// The intervals of a waiting processor continue, so the queue never becomes empty when an answer is lost.
		if p := &m.procs[e.to]; p.unanswered > 0 && p.running < 0 && m.owed == 0 {
			return nil, stuck(e.to, p.waitsFor, m.now)
		}
	}
	m.shown.End(m.now)
	return m.result, nil
}

// done returns the number of tasks processed.
func (m *machine) done() (n int64) {
	for _, tasks := range m.result.Tasks {
		n += int64(tasks)
	}
	return n
}

func newMachine(c Config, watch Watch) *machine {
	n := len(c.Topology)
	m := &machine{
		Config: c, requester: c.requester(), procs: make([]processor, n), left: n,
		result: newResult(n, c.allTasks(), c.Seed), watch: watch,
	}
	first := 0
	for i := range m.procs {
		// Each processor has its own generator, so its draws do not depend on another processor's progress: first the
		// phase, then one draw per task. It is PCG, not internal/base/rng, because the published numbers were drawn
		// from PCG.
		p := &m.procs[i]
		*p = processor{
			taskUS: c.usualUS(i), source: *rand.NewPCG(c.Seed, uint64(i)),
			next: first, last: first + c.tasksOf(i),
			running: -1, waitsFor: -1, power: -1,
		}
		for k := range c.tasksOf(i) {
			if c.Hosts != nil {
				m.sizes = append(m.sizes, c.taskSize(i, k))
			}
		}
		first, p.rng = p.last, rand.New(&p.source)
		p.phase = p.rng.Int64N(c.IntervalUS)
		m.schedule(p.phase+c.IntervalUS, pending{to: i, from: -1, kind: intervalOver})
	}
	for i, readers := range c.Topology {
		for _, r := range readers {
			if c.RequestAgain && (c.Policy != None || c.Request != nil) {
				m.procs[r].sources = append(m.procs[r].sources, i)
				m.procs[r].heard = make([]int, n)
			}
		}
	}
	return m
}

// begin begins a run, or continues one.
func (m *machine) begin() error {
	var sample func(at int64)
	if m.watch.Sample != nil {
		sample = m.tellSample
	}
	var err error
	if m.shown, err = state.NewShown(m.watch.EveryUS, sample, m.watch.Snapshots, m.state); err != nil ||
		m.watch.Snapshots.Resumed() {
		return err
	}
	m.beginRecord()
	for i := range m.procs {
		m.dispatch(i)
	}
	return nil
}

func (m *machine) schedule(at int64, e pending) {
	m.queue.Add(agenda.Item[pending]{At: at, Order: e.order(), What: e})
}

func (m *machine) send(from, to int, kind eventKind, n int, tasks []int) {
	m.result.Messages++
	if kind != powerComes {
		m.owed++
	}
	p := &m.procs[from]
	if p.sentAt != m.now {
		p.sentAt, p.sent = m.now, 0
	}
	m.schedule(m.now+m.LatencyUS, pending{to: to, from: from, kind: kind, nth: p.sent, n: n, tasks: tasks})
	p.sent++
}

func (m *machine) handle(e pending) {
	p := &m.procs[e.to]
	if e.kind == requestComes || e.kind == tasksArrive {
		m.owed--
	}
	if p.ended {
		// A processor that has ended answers only requests, so that no processor waits for ever.
		if e.kind == requestComes {
			m.giveTasks(e)
		}
		return
	}
	switch e.kind {
	case taskDone:
		m.taskDone(e)
	case tasksArrive:
		p.unanswered--
		m.recordArrival(e)
		p.active = append(p.active, e.tasks...)
		if len(e.tasks) == 0 { // the sender will not get new ones to give away: only own tasks are given
			p.sources = slices.DeleteFunc(p.sources, func(s int) bool { return s == e.from })
		}
	case requestComes:
		m.giveTasks(e)
	case powerComes:
		m.check(e)
	case intervalOver:
		m.estimate(e.to)
	}
	m.dispatch(e.to)
}

// taskDone handles the end of a task in Processing Task.
func (m *machine) taskDone(e pending) {
	p := &m.procs[e.to]
	m.result.noteRan(p.running, e.to)
	m.recordTask(e.to)
	p.running = -1
	if m.now > p.phase { // an interval includes its end but not its beginning
		p.finished++
	}
}

// dispatch does the rest of Processing Task: it starts the next task, from the Active Queue first [002 §2.1]. If
// there is none and none is expected, the processor ends [002 §3.1].
func (m *machine) dispatch(i int) {
	p := &m.procs[i]
	switch {
	case p.ended || p.running >= 0:
		return
	case len(p.active) > 0:
		p.running, p.active = p.active[0], p.active[1:]
	case p.next < p.last:
		p.running = p.next
		p.next++
	case p.unanswered > 0:
		return
	case len(p.sources) > 0:
		m.requestAgain(i)
		return
	default:
		p.ended = true
		m.left--
		m.result.EndUS[i] = m.now
		return
	}
	usual := p.taskUS
	if m.sizes != nil {
		size := m.sizes[p.running]
		usual = max(1, usual/million*size+usual%million*size/million)
	}
	spread := usual * m.JitterPPM / million
	t := m.endOfWork(i, m.now, max(1, usual-spread+p.rng.Int64N(2*spread+1))) - m.now
	m.result.BusyUS[i] += t
	p.until = m.now + t
	if m.record != nil {
		m.record.procs[i].began = m.now
	}
	m.schedule(m.now+t, pending{to: i, from: -1, kind: taskDone, n: p.running})
}

// estimate does Estimate Load at the end of an interval. The Power is the number of tasks finished in the interval.
func (m *machine) estimate(i int) {
	p := &m.procs[i]
	p.power, p.finished = p.finished, 0
	if r := m.record; r != nil {
		r.Be(moves.Truth{Worker: i, At: m.now, Load: float64(p.power)})
	}
	p.interval++
	if readers := m.Topology[i]; len(readers) > 0 {
		if m.Send == InTurn {
			// Fitted, see docs/SPMD.md. The turns start at the processor's own number (chosen), which spreads the
			// first Powers.
			k := (p.interval + i) % len(readers)
			readers = readers[k : k+1]
		}
		for _, r := range readers {
			m.send(i, r, powerComes, p.power, nil)
		}
	}
	m.schedule(m.now+m.IntervalUS, pending{to: i, from: -1, kind: intervalOver})
}

// check does Check Message for a Power: if the policy says so, the reader requests tasks.
func (m *machine) check(e pending) {
	p := &m.procs[e.to]
	if p.heard != nil {
		p.heard[e.from] = e.n
	}
	m.recordHeard(e)
	if n := m.requester(m.reading(e.to, e.from, e.n)); n > 0 {
		m.recordRequest(e.to, e.from, e.n, n)
		m.request(e.to, e.from, n)
	}
}

func (m *machine) reading(i, from, heard int) Reading {
	p := &m.procs[i]
	return Reading{Processor: i, From: from, Own: p.power, Heard: heard, Left: p.last - p.next + len(p.active)}
}

// request requests n tasks from another processor.
func (m *machine) request(i, whom, n int) {
	p := &m.procs[i]
	p.unanswered++
	p.waitsFor = whom
	m.result.Requests++
	m.send(i, whom, requestComes, min(n, maxAllTasks), nil)
}

// requestAgain makes an idle processor request tasks from the next processor whose Power it reads, as if that Power had
// just arrived. It requests one task if the policy would request none.
func (m *machine) requestAgain(i int) {
	p := &m.procs[i]
	whom := p.sources[0]
	p.sources = append(p.sources[1:], whom)
	n := max(1, m.requester(m.reading(i, whom, p.heard[whom])))
	m.recordRequest(i, whom, p.heard[whom], n)
	m.request(i, whom, n)
}

// giveTasks answers a request from the Schedule Queue. Tasks that have moved once stay (chosen). The last own tasks
// are given first (chosen; if tasks are equal, this does not affect times).
func (m *machine) giveTasks(e pending) {
	p := &m.procs[e.to]
	n := min(e.n, p.last-p.next)
	if n == 0 {
		m.result.Refused++
	}
	tasks := make([]int, n)
	for k := range tasks {
		p.last--
		tasks[k] = p.last
	}
	m.recordGiven(e, p.last, n)
	m.result.Moved[e.to][e.from] += n
	m.send(e.to, e.from, tasksArrive, n, tasks)
}
