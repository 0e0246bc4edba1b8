package mnc

import (
	"cmp"
	"context"
	"math"
	"slices"

	"emsim/internal/base/agenda"
	"emsim/internal/base/moves"
)

// never is the end of an action that never ends.
const never = math.MaxInt64

// boardWiring lists the PEs at a board's ports, and for each pair of them the neighbour index of the second at the
// first.
type boardWiring struct {
	pe    [Ports]int
	index [Ports][Ports]int8
}

// A Machine is a running MNC computer. New makes it, and Step, Run or RunTo
// advance it in any mixture; it is not safe for concurrent use.
type Machine struct {
	cfg    Config
	pes    []pe
	qprs   []QPR
	boards []boardWiring
	host   host
	events []Event // in order of their clocks
	clock  int64   // the next clock, which is also the number of clocks done
	stall  int64
	err    error // why the run failed

	touched []int                   // boards touched by this clock's due PEs (scratch)
	due     []uint8                 // by board: ports whose PE is due (scratch)
	list    []int                   // due PEs (scratch)
	ends    agenda.Agenda[struct{}] // ends of all actions, by PE: Run skips clocks in which none ends

	Progress func() // if not nil, called now and then while RunTo runs, to show progress

	give          Giver     // the policy in use
	record        *recorder // nil if nothing is recorded
	planBackwards bool      // tests only: the order of planning in phase b must not matter
}

// New builds a machine at clock 0. It returns a *Usage if cfg is invalid.
func New(cfg Config) (*Machine, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	m := &Machine{
		cfg:    cfg,
		give:   cfg.giver(),
		pes:    make([]pe, cfg.Wiring.PEs),
		qprs:   make([]QPR, len(cfg.Wiring.Boards)),
		boards: make([]boardWiring, len(cfg.Wiring.Boards)),
		host:   newHost(&cfg),
		events: slices.Clone(cfg.Events),
		stall:  cfg.stallLimit(),
		due:    make([]uint8, len(cfg.Wiring.Boards)),
	}
	slices.SortStableFunc(m.events, func(a, b Event) int { return cmp.Compare(a.Clock, b.Clock) })
	m.connect()
	for i := range m.pes {
		e := &m.pes[i]
		e.ability = newAbility(e.n)
		e.wait = cfg.Cost.Idle
		if e.percent = 100; cfg.Slow != nil {
			e.percent = cfg.Slow[i]
		}
		// PE i leaves reset at clock i; otherwise equal PEs would stay in
		// lock-step [chosen].
		at := int64(i)
		e.act = action{start: at, work: at, end: at}
	}
	for _, b := range m.host.births {
		if b.PE != Source {
			m.pes[b.PE].unborn = append(m.pes[b.PE].unborn, b)
		}
	}
	m.host.fillSources(m.boards, m.qprs)
	return m, nil
}

// connect connects PEs and boards, boards ascending, so that every PE meets its
// neighbours in the order of Incidence.Neighbours.
func (m *Machine) connect() {
	w := &m.cfg.Wiring
	sources, sinks := w.Sources(), w.Sinks()
	hops := w.SinkHops()
	for i := range m.pes {
		m.pes[i].id = i
		m.pes[i].src.board, m.pes[i].snk.board = -1, -1
	}
	for q, b := range w.Boards {
		m.boards[q].pe = b.Ports
		for mine, i := range b.Ports {
			if i == noPE {
				continue
			}
			e := &m.pes[i]
			e.ports = append(e.ports, port{q, mine})
			if k := slices.Index(sources, q); k >= 0 {
				e.src, e.feed = port{q, mine}, k
			}
			if slices.Contains(sinks, q) {
				e.snk = port{q, mine}
			}
			for his, k := range b.Ports {
				if k == noPE || k == i {
					continue
				}
				out, in := pairOf(mine, his), pairOf(his, mine)
				m.boards[q].index[mine][his] = int8(e.n)
				e.nb[e.n] = neighbour{
					pe: uint16(k), board: uint16(q), toHim: uint8(out), toMe: uint8(in), closer: hops[k] < hops[i],
					xOut: ringAt(out, m.cfg.Slots), xIn: ringAt(in, m.cfg.Slots),
					yOut: ringAt(pairRings+out, m.cfg.Slots), yIn: ringAt(pairRings+in, m.cfg.Slots),
				}
				e.n++
			}
		}
	}
}

// Clock returns the number of clocks done.
func (m *Machine) Clock() int64 { return m.clock }

// Done reports whether every Y is at the sink.
func (m *Machine) Done() bool { return m.host.delivered == m.cfg.Items }

// statisticsClock returns the clock up to which statistics are counted.
func (m *Machine) statisticsClock() int64 {
	if m.Done() {
		return m.host.lastY
	}
	return max(0, m.clock-1)
}

// Step does one clock: the PEs whose action ends now commit it, publish and plan the next. After the run has ended or
// failed, Step does nothing. It returns a *Deadlock if the run stalls, and a *Fault for a mistake of the model.
func (m *Machine) Step() error {
	if m.err != nil || m.Done() {
		return m.err
	}
	t := m.clock
	m.applyEvents(t)
	m.list = m.list[:0]
	for i := range m.pes {
		if m.pes[i].act.end == t {
			m.list = append(m.list, i)
		}
	}
	return m.cycle(t, m.list)
}

// Run does clocks until the last Y is at the sink. It skips clocks in which no action ends; statistics and state are
// as with Step. It stops with the context's error when ctx is cancelled, and can then be continued.
func (m *Machine) Run(ctx context.Context) error { return m.RunTo(ctx, never) }

// RunTo works like Run, but only up to and including clock last.
func (m *Machine) RunTo(ctx context.Context, last int64) error {
	const ctxInterval = 1 << 12 // due clocks between two checks of ctx
	m.planEnds()
	for n := 0; m.err == nil && !m.Done(); n++ {
		if n%ctxInterval == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if m.Progress != nil {
				m.Progress()
			}
		}
		t := max(m.clock, min(m.ends[0].At, m.host.nextBirth(), m.host.quiet()+m.stall))
		if len(m.events) > 0 {
			t = max(m.clock, min(t, m.events[0].Clock))
		}
		if t > last {
			m.clock = max(m.clock, last+1)
			return nil
		}
		if m.applyEvents(t) {
			m.planEnds()
		}
		for m.list = m.list[:0]; len(m.ends) > 0 && m.ends[0].At <= t; {
			m.list = append(m.list, int(m.ends.Next().Order))
		}
		if m.cycle(t, m.list) == nil {
			for _, i := range m.list {
				m.planEnd(i)
			}
		}
	}
	return m.err
}

// planEnds puts the ends of all PEs' actions into the agenda.
func (m *Machine) planEnds() {
	m.ends = m.ends[:0]
	for i := range m.pes {
		m.planEnd(i)
	}
}

func (m *Machine) planEnd(pe int) {
	m.ends.Add(agenda.Item[struct{}]{At: m.pes[pe].act.end, Order: uint64(pe)})
}

// applyEvents applies the events due at the start of clock t and reports whether any was due.
func (m *Machine) applyEvents(t int64) bool {
	n := 0
	for ; n < len(m.events) && m.events[n].Clock <= t; n++ {
		ev := m.events[n]
		e := &m.pes[ev.PE]
		switch {
		case e.dead:
		case ev.Dead:
			e.stats.bookAction(&e.act, t) // the finished part of its action
			e.dead = true
			e.act = action{kind: Idle, start: t, work: t, end: never}
		default:
			e.percent = ev.Percent
		}
	}
	m.events = m.events[n:]
	return n > 0
}

// cycle simulates clock t for the PEs that are due, in ascending order.
func (m *Machine) cycle(t int64, due []int) error {
	m.clock = t + 1
	if m.host.advance(t) {
		m.host.fillSources(m.boards, m.qprs)
	}
	for _, i := range due { // phase a: commit
		m.recordGiving(&m.pes[i], t)
		if err := m.commit(&m.pes[i], t); err != nil {
			m.err = err
			return err
		}
		m.recordDone(&m.pes[i], t)
		for m.host.bearLocally(&m.pes[i], t, m.cfg.XCap) {
			if e := &m.pes[i]; m.record != nil {
				m.record.Pass(m.datumMove("X", e.x.At(e.x.Len()-1), moves.Outside, i, -1,
					moves.By("born in the PE's local memory", t), t))
			}
		}
	}
	m.publish(due)
	m.recordSensing(due, t)
	for n := range due { // phase b: sense and plan, private to each PE
		i := due[n]
		if m.planBackwards {
			i = due[len(due)-1-n]
		}
		m.planPE(&m.pes[i], t)
	}
	if !m.Done() && t-m.host.quiet() >= m.stall {
		m.err = m.stalled(t)
	}
	return m.err
}

// publish exchanges status words on every board that a due PE touches.
func (m *Machine) publish(due []int) {
	m.touched = m.touched[:0]
	for _, i := range due {
		e := &m.pes[i]
		e.view.busy = 0
		for _, p := range e.ports {
			if m.due[p.board] == 0 {
				m.touched = append(m.touched, p.board)
			}
			m.due[p.board] |= 1 << p.port
		}
	}
	for _, b := range m.touched {
		m.exchange(b, m.due[b])
		m.due[b] = 0
	}
}

// planPE does phase b for one PE.
func (m *Machine) planPE(e *pe, t int64) {
	e.readRings(m.qprs, m.host.rings[max(0, e.src.port)])
	e.stats.Busy += e.view.busy
	updated := false
	if m.cfg.Policy == Auto {
		updated = e.ability.integrate(e, &m.cfg, t)
	}
	e.planAction(&m.cfg, m.give)
	m.recordPlan(e, t)
	e.schedule(&m.cfg, t, updated)
}

// Held is the content of one PE's local memory and its current action.
type Held struct {
	X, Y   int
	Action ActionKind
	Dead   bool
}

// Held returns the current content of a PE's local memory and its action.
func (m *Machine) Held(pe int) Held {
	e := &m.pes[pe]
	return Held{X: e.x.Len(), Y: e.y.Len(), Action: e.act.kind, Dead: e.dead}
}
