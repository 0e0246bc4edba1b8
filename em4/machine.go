// Package em4 is the EM-4: N EMC-R PEs on a circular omega network, and the
// clock that drives them.
//
//	host ──► [0,0] own-PE port             own-PE port of [0,0] ──► host
//	           │                                     ▲
//	   SU ═ SU ═ SU …  (omega/)   2 links each, one direction
//	   │    │    │
//	   PE   PE   PE …  (emcr/)
//
//	config.go   every knob with unit, range and source; the presets
//	program.go  what the loader puts into the memories, and whether it fits
//	machine.go  building, one clock
//	threads.go  one clock's work on several threads
//	late.go     PEs that are evaluated only when somebody has to know
//	run.go      boot, run
//	counters.go what the hardware counts, and totals of it
//	stats.go    what each count is and where it appears
//	progress.go a run in progress, its result
//	profile.go  what every PE did, window by window, and what every link carried
//	errors.go   deadlock, no result, clock limit
//	explain.go  who waits for what
//	look.go     what else can be looked at
//	watch.go    somebody watches
//	state.go    the state, for hashing and checkpoints, and what is true of it
//
// paper: 80 PEs, host results as time from start packet to result packet
// [003 §3.2]. chosen: the host sits on the own-PE ports of [0,0].
package em4

import (
	"math/bits"

	"emsim/emcr"
	"emsim/internal/crew"
	"emsim/isa"
	"emsim/omega"
	"emsim/packet"
	"emsim/trace"
)

// Machine is an EM-4 with a program in its memories.
type Machine struct {
	Config
	Net *omega.Network

	pe    []emcr.PE
	pins  []packet.Pins
	cfg   emcr.Config
	image *emcr.Image
	prog  Program

	clock    uint64
	lastMove uint64          // last clock in which anything moved
	feed     []packet.Packet // packets that the host has still to put in
	fed      uint64          // packets that the host put in since the statistics began
	late     late            // when each PE is evaluated
	parts    []part          // the threads' shares
	halves   [2]func(th int) // decide, change
	crew     *crew.Crew      // the threads, while a run is in progress that has several
	plain    bool
	watch    watch
	faulted  bool // a PE has a fault
}

// New builds a machine with a program in its memories. seed is for the
// program's special register. A program that does not fit is a *Misfit in a *Usage.
func New(c Config, prog Program, seed uint64) (*Machine, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	topo, err := omega.ForPEs(c.PEs)
	if err != nil {
		return nil, err
	}
	cfg, err := c.layout()
	if err != nil {
		return nil, err
	}
	cfg.K, cfg.Format, cfg.Seed = topo.K, packet.FormatFor(topo.K), seed
	if err := prog.fit(c, &cfg); err != nil {
		return nil, err
	}
	image, err := prog.image(isa.Word(cfg.Format.DataBits))
	if err != nil {
		return nil, err
	}
	m := &Machine{
		Config: c, pe: make([]emcr.PE, c.PEs), pins: make([]packet.Pins, c.PEs), cfg: cfg, prog: prog,
		image: image,
	}
	for i := range m.pe {
		m.pins[i] = packet.NewPins()
		m.pe[i].Init(&m.cfg, m.image, &m.pins[i], topo.Address(i), uint32(i))
	}
	m.Net, err = omega.NewNetwork(topo, cfg.Format, c.Network(), m.pins)
	if err != nil {
		return nil, err
	}
	m.late.init(m)
	m.halves = [2]func(int){m.decide, m.change}
	m.SetThreads(1)
	return m, nil
}

// SetPlain evaluates every unit in every clock: the plain stepper that the
// fast one must equal.
func (m *Machine) SetPlain(on bool) {
	m.settle()
	m.plain = on
	m.Net.SetPlain(on)
	m.dueAll()
}

// Clock returns the clocks stepped since the machine was built.
func (m *Machine) Clock() uint64 { return m.clock }

// HostSent returns the packets that the host put in since the statistics
// began.
func (m *Machine) HostSent() uint64 { return m.fed }

// PE returns a PE to look at, as it is at the start of the next clock.
func (m *Machine) PE(i int) *emcr.PE {
	m.sync(i, m.clock)
	return &m.pe[i]
}

// Step advances the machine by one clock: every unit decides from the state
// at the clock's start (Arbitrate, and the wires inside a PE), then every
// unit changes its own.
func (m *Machine) Step() {
	t := m.clock
	if m.watch.rec != nil {
		m.watchClock(t)
	}
	if len(m.feed) > 0 {
		m.feedHost(t)
	}
	if m.crew != nil && !m.watch.on {
		m.crew.Do(m.halves[0])
		m.crew.Do(m.halves[1])
	} else {
		for th := range m.parts {
			m.decide(th)
		}
		for th := range m.parts {
			m.change(th)
		}
	}
	m.clock++
	m.fold()
}

// stepPEs evaluates the PEs of one word of the sets that are due in clock t.
func (m *Machine) stepPEs(w int, t uint64) {
	if m.plain || m.watch.on {
		for s := m.all(w); s != 0; s &= s - 1 {
			i := w<<6 + bits.TrailingZeros64(s)
			m.pe[i].Clock(t)
			m.follow(i)
		}
		return
	}
	m.takings(w, t)
	for s := m.late.take(w, t); s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		p := m.lag(i)
		p.Advance(t)
		m.follow(i)
		m.late.set(i, p.Due())
	}
}

// follow follows up the clocks of a PE.
func (m *Machine) follow(i int) {
	p := &m.pe[i]
	if pins := &m.pins[i]; pins.OutFull && pins.OutReady >= m.clock {
		m.Net.Offer(i, pins.OutReady)
	}
	share := &m.parts[m.late.owner[i>>6]]
	share.lastMove = max(share.lastMove, m.lag(i).Moved())
	if p.Fault() != nil {
		share.faulted = true
	}
}

func (m *Machine) all(w int) uint64 {
	if left := len(m.pe) - w*64; left < 64 {
		return 1<<left - 1
	}
	return ^uint64(0)
}

// feedHost puts the host's next packet on the own-PE port of [0,0] when
// nothing stands there.
func (m *Machine) feedHost(t uint64) {
	m.sync(0, t)
	if m.pins[0].OutFull {
		return
	}
	m.pins[0].Out, m.pins[0].OutReady = m.feed[0], t
	m.pins[0].OutFull = true
	m.feed = m.feed[1:]
	if m.watch.on {
		m.watch.rec.Event(trace.Event{Clock: t, Unit: trace.Host, Kind: trace.Entered, Packet: m.pins[0].Out})
	}
	m.fed++
	m.Net.Offer(0, t)
	m.lastMove = t
}

// Quiet reports whether nothing moves any more and nothing will: for callers
// that step the machine themselves, with Step only.
func (m *Machine) Quiet() bool { return m.quiet() }

// quiet reports whether nothing moves any more and nothing will: the machine
// has drained, or what is left waits for ever.
func (m *Machine) quiet() bool {
	if len(m.feed) > 0 || !m.Net.Idle() {
		return false
	}
	for i := range m.pe {
		if m.sync(i, m.clock); !m.pe[i].Asleep() {
			return false
		}
	}
	return true
}

// fault returns the first fault: of the lowest PE that has one in that clock.
func (m *Machine) fault() error {
	m.settle()
	var first *emcr.Fault
	for i := range m.pe {
		if f := m.pe[i].Fault(); f != nil && (first == nil || f.Clock < first.Clock) {
			first = f
		}
	}
	return first
}
