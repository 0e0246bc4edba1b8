// Package em4 is the EM-4: N EMC-R PEs on a circular omega network, and the clock that drives them.
//
//	host ──► [0,0] own-PE port             own-PE port of [0,0] ──► host
//	           │                                     ▲
//	   SU ═ SU ═ SU …  (omega/)   2 links each, one direction
//	   │    │    │
//	   PE   PE   PE …  (emcr/)
//
//	config.go   the parameters of a machine; the presets
//	knobs.go    every parameter with unit, range and source
//	program.go  what the loader writes into the memories, and whether it fits
//	machine.go  building a machine, one clock
//	run.go      boot, run
//	progress.go a run in progress and its result
//	counters.go what the hardware counts, and totals of it
//	stats.go    every statistic: its name, its unit and where it appears
//	errors.go   deadlock, no result, clock limit
//	explain.go  what waits for what
//	leak.go     operand segments that a run has not released
//	watch.go    tracing a span of clocks
//	state.go    the state, for hashes and checkpoints, and its invariants
//	schedule.go the simulator's part: which PEs are simulated in a clock, and
//	            why that is equal to simulating all of them
//	threads.go  spans of clocks, on several threads
//
// paper: 80 PEs; "the execution time is the time from putting in the start packet until the result packet comes back"
// [003 §3.2]. chosen: the host is connected to the own-PE ports of [0,0].
package em4

import (
	"emsim/emcr"
	"emsim/internal/base/barrier"
	"emsim/internal/base/hugepages"
	"emsim/isa"
	"emsim/omega"
	"emsim/packet"
	"emsim/trace"
)

// Machine is an EM-4 with a program in its memory.
type Machine struct {
	config Config
	Net    *omega.Network

	pe    []emcr.PE
	pins  []packet.Pins
	cfg   emcr.Config
	image *emcr.Image
	prog  Program

	clock     uint64
	lastMove  uint64          // last clock in which anything moved
	hostQueue []packet.Packet // packets that the host has not sent yet
	hostSent  uint64          // packets that the host has sent since the statistics began
	watch     watch
	faulted   bool // a PE has a fault

	// The simulator's part: schedule.go, threads.go.
	thread   []uint8          // by PE: index of its part
	onAccept []uint8          // by PE: clocks from the acceptance of its packet to its deadline
	parts    []part           // by thread
	windows  omega.Windows    // the clocks that the parts step before they meet
	words    int              // words to the host before these windows
	threads  *barrier.Threads // nil unless a run with several threads is in progress
	choice   Chooser          // chooses the number of threads; nil if that is fixed
}

// New builds a machine with a program in its memory. The program can read seed from a special register. If the program
// does not fit the machine, New returns a *Usage that wraps a *Misfit.
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
	if err := prog.checkFit(c, &cfg); err != nil {
		return nil, err
	}
	image, err := prog.image(isa.Width(cfg.Format.DataBits))
	if err != nil {
		return nil, err
	}
	image.Fill(topo.N, cfg.Format, peOfRelation(topo))
	m := &Machine{
		config: c, pe: make([]emcr.PE, c.PEs), pins: make([]packet.Pins, c.PEs), cfg: cfg, prog: prog,
		image: image,
	}
	hugepages.Advise(m.pe)
	hugepages.Advise(m.pins)
	for i := range m.pe {
		m.pins[i] = packet.NewPins()
		m.pe[i].Init(&m.cfg, m.image, &m.pins[i], topo.Address(i), uint32(i))
	}
	m.Net, err = omega.NewNetwork(topo, cfg.Format, c.Network(), m.pins)
	if err != nil {
		return nil, err
	}
	m.thread, m.onAccept = make([]uint8, c.PEs), make([]uint8, c.PEs)
	m.sched().BeforeRead(m.catchUp, func(i int) uint64 { return m.lazyPE(i).IntakeFree() })
	m.windows = omega.Windows{
		Net: m.sched(), Length: min(m.sched().Window(), wordClocks), Clock: m.clockOf, MustReturn: m.mustReturn,
	}
	m.SetThreads(1)
	return m, nil
}

// Config returns the machine's knobs, which never change.
func (m *Machine) Config() Config { return m.config }

// PEConfig returns the parameters that all PEs share, with the addresses of the parts of their memory.
func (m *Machine) PEConfig() emcr.Config { return m.cfg }

// SetEager makes the machine evaluate every unit in every clock. This is the reference: the scheduler must give the
// same states.
func (m *Machine) SetEager(on bool) {
	m.catchUpAll()
	m.sched().SetEager(on)
	m.evaluateAllNext()
}

// Clock returns the number of clocks stepped since the machine was built.
func (m *Machine) Clock() uint64 { return m.clock }

// HostQueue returns the packets that the host has not sent yet.
func (m *Machine) HostQueue() []packet.Packet { return m.hostQueue }

// HostSent returns the number of packets that the host has sent since the
// statistics began.
func (m *Machine) HostSent() uint64 { return m.hostSent }

// PE returns PE i for inspection, in its state at the start of the next clock.
func (m *Machine) PE(i int) *emcr.PE {
	m.catchUp(i, m.clock)
	return &m.pe[i]
}

// Step simulates one clock: every switch decides from the state at the clock's
// start, every PE works, and the switches' packets move. "The unit works
// independently of the processor" [003 §2].
func (m *Machine) Step() { m.stepTo(m.clock + 1) }

// stepHost puts the host's next packet on the own-PE port of [0,0] if that port is free. The PE is in the first part.
func (m *Machine) stepHost(t uint64) {
	if len(m.hostQueue) == 0 {
		return
	}
	m.catchUp(0, t)
	if m.pins[0].OutFull {
		return
	}
	m.pins[0].Out, m.pins[0].OutReady = m.hostQueue[0], t
	m.pins[0].OutFull = true
	m.onAccept[0] = uint8(m.lazyPE(0).DeadlineOnAccept(0))
	m.hostQueue = m.hostQueue[1:]
	if m.watch.on {
		m.watch.rec.Event(trace.Event{Clock: t, Unit: trace.Host, Kind: trace.Entered, Packet: m.pins[0].Out})
	}
	m.hostSent++
	m.parts[0].net.Offer(0, t)
	m.parts[0].lastMove = t
}

// Quiet reports whether the machine has drained: no packet is in flight, and every PE is quiet and has no fault.
// Operands may still wait for partners that never come.
func (m *Machine) Quiet() bool {
	return !m.faulted && len(m.hostQueue) == 0 && m.Net.InFlight() == 0 && m.Busy() == 0
}

// fault returns the earliest fault, completed with facts that only the machine knows. Of several faults in one clock it
// returns the one of the lowest PE.
func (m *Machine) fault() error {
	m.catchUpAll()
	var first *emcr.Fault
	for i := range m.pe {
		if f := m.pe[i].Fault(); f != nil && (first == nil || f.Clock < first.Clock) {
			first = f
		}
	}
	if x := first.Packet; x != nil && x.Src != packet.Host {
		x.Sender = m.Net.Address(int(x.Src))
	}
	if first.Kind() == emcr.SegmentOverflow {
		first.FreeSegments = m.freeSegments()
	}
	return first
}

// freeSegments returns the PEs that have no free operand segment, and the number of free segments on the other PEs.
func (m *Machine) freeSegments() *emcr.FreeSegments {
	r := &emcr.FreeSegments{PEs: len(m.pe)}
	for i := range m.pe {
		free := m.cfg.Segments - m.pe[i].SegmentsInUse()
		if r.Free += free; free == 0 {
			r.Full = append(r.Full, m.Net.Address(i))
		}
	}
	return r
}
