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
//	machine.go  building, one clock, sleeping PEs
//	run.go      boot, run, totals
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
	awake    []uint64        // set of PEs that are evaluated
	counted  []uint64        // clock up to which each PE's states are counted
	plain    bool
	watch    watch
	faulted  bool // a PE has a fault
}

// New builds a machine with a program in its memories. seed is for the
// program's special register. A program that does not fit is a *Misfit.
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
		image: image, counted: make([]uint64, c.PEs),
	}
	for i := range m.pe {
		m.pins[i] = packet.NewPins()
		m.pe[i].Init(&m.cfg, m.image, &m.pins[i], topo.Address(i), uint32(i))
	}
	m.Net, err = omega.NewNetwork(topo, cfg.Format, omega.Config{HopClocks: c.HopClocks, BankClocks: c.BankClocks, Banks: c.Banks, Compare: c.MLPECompare}, m.pins, 1)
	if err != nil {
		return nil, err
	}
	m.awake = make([]uint64, m.Net.Words())
	return m, nil
}

// SetPlain makes every unit awake at every clock: the plain stepper that the
// sleeping one must equal.
func (m *Machine) SetPlain(on bool) {
	m.plain = on
	m.Net.SetPlain(on)
}

// Clock returns the clocks stepped since the machine was built.
func (m *Machine) Clock() uint64 { return m.clock }

// HostSent returns the packets that the host put in since the statistics
// began.
func (m *Machine) HostSent() uint64 { return m.fed }

// PE returns a PE to look at.
func (m *Machine) PE(i int) *emcr.PE { return &m.pe[i] }

// Step advances the machine by one clock: every unit decides from the state
// at the clock's start (Arbitrate, and the wires inside a PE), then every
// unit changes its own.
func (m *Machine) Step() {
	t := m.clock
	if m.watch.rec != nil {
		m.watchClock(t)
	}
	m.feedHost(t)
	words := len(m.awake)
	moved := m.Net.Arbitrate(t, 0, words)
	for w := range words {
		if m.stepPEs(w, t) {
			moved = true
		}
	}
	m.Net.Transfer(t, 0, words, 0)
	m.wake()
	if moved {
		m.lastMove = t
	}
	m.clock++
}

// stepPEs advances the PEs of one word of the set that are awake and reports
// whether anything moved in them.
func (m *Machine) stepPEs(w int, t uint64) bool {
	moved := false
	set := m.awake[w]
	if m.plain || m.watch.on {
		set = m.all(w)
	}
	for s := set; s != 0; s &= s - 1 {
		i := w<<6 + bits.TrailingZeros64(s)
		p := &m.pe[i]
		p.Clocks[emcr.Idle] += t - m.counted[i]
		m.counted[i] = t + 1
		if m.stepped(i, p.Clock(t)) {
			moved = true
		}
		if p.Asleep() {
			m.awake[w] &^= s & -s
		}
	}
	return moved
}

// stepped follows up a PE's clock and reports whether anything moved in it.
func (m *Machine) stepped(i int, st emcr.State) bool {
	if m.pins[i].OutFull {
		m.Net.Offer(i)
	}
	if m.pe[i].Fault() != nil {
		m.faulted = true
	}
	return st == emcr.ExuFmu || st == emcr.IbuOnly
}

// wake wakes the PEs to which a packet is on its way.
func (m *Machine) wake() {
	woken := m.Net.Woken()
	for w := range woken {
		m.awake[w] |= woken[w]
		woken[w] = 0
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
	if len(m.feed) == 0 || m.pins[0].OutFull {
		return
	}
	m.pins[0].Out, m.pins[0].OutReady = m.feed[0], t
	m.pins[0].OutFull = true
	m.feed = m.feed[1:]
	if m.watch.on {
		m.watch.rec.Event(trace.Event{Clock: t, Unit: trace.Host, Kind: trace.Entered, Packet: m.pins[0].Out})
	}
	m.fed++
	m.Net.Offer(0)
	m.lastMove = t
}

// Quiet reports whether nothing moves any more and nothing will: for callers
// that step the machine themselves, with Step only.
func (m *Machine) Quiet() bool { return m.quiet() }

// quiet reports whether nothing moves any more and nothing will: the machine
// has drained, or what is left waits for ever.
func (m *Machine) quiet() bool {
	for _, a := range m.awake {
		if a != 0 {
			return false
		}
	}
	return len(m.feed) == 0 && m.Net.Idle()
}

// fault returns the fault of the lowest PE that has one.
func (m *Machine) fault() error {
	for i := range m.pe {
		if f := m.pe[i].Fault(); f != nil {
			return f
		}
	}
	return nil
}

// settle counts the idle clocks of sleeping PEs up to now.
func (m *Machine) settle() {
	for i := range m.pe {
		m.pe[i].Clocks[emcr.Idle] += m.clock - m.counted[i]
		m.counted[i] = m.clock
	}
}
