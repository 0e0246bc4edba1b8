package omega

import (
	"fmt"
	"math/bits"
	"slices"

	"emsim/internal/base/barrier"
	"emsim/internal/base/hugepages"
	"emsim/internal/base/rng"
	"emsim/internal/base/state"
	"emsim/packet"
)

// Pattern is the choice of the destinations of synthetic packets.
type Pattern string

// The patterns.
const (
	Uniform   Pattern = "uniform"   // any other PE
	Neighbour Pattern = "neighbour" // alternately the next PE in-group and out-of-group
	Hotspot   Pattern = "hotspot"   // one packet in eight to [0,0], the others, and all from [0,0], to any other PE
	Reverse   Pattern = "reverse"   // the PE at the end of k out-of-group links: the last PE of the reverse circuit
)

// Patterns lists all patterns.
func Patterns() []Pattern { return []Pattern{Uniform, Neighbour, Hotspot, Reverse} }

// TrafficConfig describes the packets that synthetic PEs offer.
type TrafficConfig struct {
	Pattern Pattern
	Load    float64 // words offered per PE and clock, 0..1; a packet has two words
	Seed    uint64
}

// Traffic is a network with synthetic PEs. Each PE adds packets at random to an unbounded queue, sends packets from the
// queue, and takes arriving packets at once.
type Traffic struct {
	Net     *Network
	Offered uint64 // packets that the PEs wanted to send
	Arrived uint64 // packets delivered
	Latency uint64 // clocks from the offer until the PE takes the packet, both included, summed over delivered packets
	Slowest uint64 // the longest of these latencies
	// Deliver, if not nil, is called with every packet that a PE takes.
	Deliver func(pe int, p *packet.Packet)
	// Stall, if not nil, reports whether a PE refuses to take its packet in this clock.
	Stall func(pe int, clock uint64) bool

	pins    []packet.Pins
	clock   uint64
	chance  uint32 // chance of an offer in a clock, in units of 2^-32
	pattern Pattern
	random  []rng.Stream // one for each 64 PEs
	queue   [][]uint64   // by PE: the clocks in which its waiting packets were offered
	first   []uint32     // by PE: index of the oldest packet in queue
	sent    []uint32     // by PE: number of packets sent
	backlog []uint64     // set of PEs whose queue is not empty
	holding []uint64     // set of PEs whose packet the switch has not accepted
	arrived []uint64     // set of PEs with a packet in the intake
	offers  bool         // the PEs offer packets in this clock

	shares  []share          // by thread
	threads *barrier.Threads // nil if there is only one
	windows Windows
}

// share is one thread's part of the network, with the counts since the last gather.
type share struct {
	part                               *Part
	offered, arrived, latency, slowest uint64
	_                                  [24]byte // padding to a whole cache line
}

// NewTraffic returns a network with synthetic PEs. It returns an error if a parameter is out of its range.
func NewTraffic(t Topology, c Config, tc TrafficConfig) (*Traffic, error) {
	if !(tc.Load >= 0 && tc.Load <= 1) {
		return nil, fmt.Errorf("load is %v, it must be 0..1 words per PE and clock", tc.Load)
	}
	if !slices.Contains(Patterns(), tc.Pattern) {
		return nil, fmt.Errorf("pattern is %q, it must be one of %v", tc.Pattern, Patterns())
	}
	pins := make([]packet.Pins, t.N)
	hugepages.Advise(pins)
	for i := range pins {
		pins[i] = packet.NewPins()
	}
	n, err := NewNetwork(t, packet.FormatFor(t.K), c, pins)
	if err != nil {
		return nil, err
	}
	words := (t.N + 63) >> 6
	tr := &Traffic{
		Net: n, pins: pins, pattern: tc.Pattern,
		chance:  uint32(tc.Load / 2 * (1 << 32)),
		random:  make([]rng.Stream, words),
		queue:   make([][]uint64, t.N),
		first:   make([]uint32, t.N),
		sent:    make([]uint32, t.N),
		backlog: make([]uint64, words),
		holding: make([]uint64, words),
		arrived: make([]uint64, words),
	}
	for w := range tr.random {
		tr.random[w] = rng.Stream(rng.Mix(tc.Seed + uint64(w)*rng.Golden))
	}
	tr.windows = Windows{Net: n.scheduler(), Length: n.scheduler().Window(), Clock: tr.clockOf}
	tr.split(1)
	return tr, nil
}

// Clock returns the number of clocks stepped so far.
func (tr *Traffic) Clock() uint64 { return tr.clock }

// InFlight returns the number of packets sent and not yet taken.
func (tr *Traffic) InFlight() uint64 { return uint64(tr.Net.InFlight()) }

// Queued returns the number of packets offered but not yet sent.
func (tr *Traffic) Queued() uint64 {
	sum := uint64(0)
	for i := range tr.queue {
		sum += uint64(len(tr.queue[i])) - uint64(tr.first[i])
	}
	return sum
}

// UseThreads divides the work of every clock among at most n threads. This holds until the returned function is called,
// or UseThreads with another number. The states do not depend on n. A plain network (Scheduler.Plain) is stepped by one
// thread.
func (tr *Traffic) UseThreads(n int) (stop func()) {
	if n = max(1, min(n, len(tr.random))); tr.Net.scheduler().Plain() {
		n = 1
	}
	if n != len(tr.shares) {
		if tr.threads != nil {
			tr.threads.Close()
			tr.threads = nil
		}
		if tr.split(n); n > 1 {
			tr.threads = barrier.New(n)
		}
	}
	return func() { tr.UseThreads(1) }
}

// split divides the PEs among n threads, in whole words of the sets, because the PEs of a word draw from one stream of
// random numbers.
func (tr *Traffic) split(n int) {
	bound := make([]int, n+1)
	for th := range bound {
		bound[th] = min(th*len(tr.random)/n<<6, tr.Net.N)
	}
	tr.Net.scheduler().Split(bound...)
	tr.shares = make([]share, n)
	for th := range tr.shares {
		tr.shares[th].part = tr.Net.scheduler().Part(th)
	}
}

// Step simulates one clock. offer says whether the PEs offer new packets.
func (tr *Traffic) Step(offer bool) { tr.Steps(1, offer) }

// Steps simulates n clocks.
func (tr *Traffic) Steps(n uint64, offer bool) {
	to := tr.clock + n
	for tr.offers = offer; tr.clock < to; tr.gather() {
		tr.clock = tr.windows.Step(tr.threads, tr.clock, to)
	}
}

// gather collects the mail between the threads, and adds up their counts.
func (tr *Traffic) gather() {
	for th := range tr.shares {
		p := &tr.shares[th]
		p.part.Collect()
		tr.Offered += p.offered
		tr.Arrived += p.arrived
		tr.Latency += p.latency
		tr.Slowest = max(tr.Slowest, p.slowest)
		p.offered, p.arrived, p.latency, p.slowest = 0, 0, 0, 0
	}
}

// clockOf simulates clock t of one thread: first its switches, then its PEs. Switches see the packets of the PEs only
// from the next clock on.
func (tr *Traffic) clockOf(th int, t uint64) {
	p := &tr.shares[th]
	p.part.Step(t)
	for at := range p.part.Words() {
		w := p.part.Unit(at) >> 6
		if tr.offers {
			tr.offer(p, w, p.part.Present(at), t)
		}
		tr.eject(p, w, t)
		tr.inject(p, w, t)
		tr.holding[w] &^= p.part.Accepted(at) // takes effect in the next clock
		tr.arrived[w] |= p.part.TakeDelivered(at)
	}
}

// offer draws, for all PEs of a set at once, whether they want to send a packet in this clock. It compares the bits of
// 64 random numbers with the chance, from the highest bit down, until every PE is decided.
func (tr *Traffic) offer(p *share, w int, open, t uint64) {
	var hit uint64
	for b := 31; b >= 0 && open != 0; b-- {
		r := tr.random[w].Next()
		if tr.chance>>b&1 == 1 {
			hit |= open &^ r
			open &= r
		} else {
			open &^= r
		}
	}
	p.offered += uint64(bits.OnesCount64(hit))
	tr.backlog[w] |= hit
	for m := hit; m != 0; m &= m - 1 {
		i := w<<6 + bits.TrailingZeros64(m)
		tr.queue[i] = append(tr.queue[i], t)
	}
}

// eject lets the PEs of word w take the packets that have arrived.
func (tr *Traffic) eject(p *share, w int, t uint64) {
	for m := tr.arrived[w]; m != 0; m &= m - 1 {
		i := w<<6 + bits.TrailingZeros64(m)
		pins := &tr.pins[i]
		if !pins.InFull || pins.InReady > t || tr.Stall != nil && tr.Stall(i, t) {
			continue
		}
		pins.InFull = false
		tr.arrived[w] &^= m & -m
		latency := t + 1 - pins.In.Data
		p.arrived++
		p.latency += latency
		p.slowest = max(p.slowest, latency)
		if tr.Deliver != nil {
			tr.Deliver(i, &pins.In)
		}
	}
}

// inject lets the PEs of word w send the oldest packet in their queues. The packet's payload is the clock in which it
// was offered.
func (tr *Traffic) inject(p *share, w int, t uint64) {
	for m := tr.backlog[w] &^ tr.holding[w]; m != 0; m &= m - 1 {
		i := w<<6 + bits.TrailingZeros64(m)
		pins := &tr.pins[i]
		if !pins.OutFreeQ(t) {
			continue
		}
		tr.holding[w] |= m & -m
		f := tr.first[i]
		tr.sent[i]++
		pins.Out = packet.Packet{Data: tr.queue[i][f], Dest: tr.destination(w, i), Src: uint32(i), Seq: tr.sent[i]}
		pins.OutFull, pins.OutReady = true, t+1
		p.part.Offer(i, t+1)
		if f++; int(f) == len(tr.queue[i]) {
			tr.queue[i], f = tr.queue[i][:0], 0
			tr.backlog[w] &^= m & -m
		} else if int(f) > 1024 && int(f)*2 > len(tr.queue[i]) {
			kept := copy(tr.queue[i], tr.queue[i][f:])
			tr.queue[i], f = tr.queue[i][:kept], 0
		}
		tr.first[i] = f
	}
}

func (tr *Traffic) destination(w, i int) packet.PE {
	n := tr.Net
	switch tr.pattern {
	case Neighbour:
		return n.Next(n.Address(i), int(tr.sent[i]&1))
	case Reverse:
		p := n.Address(i)
		for range n.K {
			p = n.Next(p, OutGroup)
		}
		return p
	case Hotspot:
		if tr.random[w].Next()>>61 == 0 && i != 0 {
			return packet.PE{}
		}
	}
	other, _ := bits.Mul64(tr.random[w].Next(), uint64(n.N-1))
	if int(other) >= i {
		other++
	}
	return n.Address(int(other))
}

// State visits the state of the network and of its synthetic PEs.
func (tr *Traffic) State(c *state.Codec) {
	tr.Net.State(c)
	for _, x := range []*uint64{&tr.clock, &tr.Offered, &tr.Arrived, &tr.Latency, &tr.Slowest} {
		state.Num(c, x)
	}
	state.Nums(c, tr.random)
	state.Nums(c, tr.sent)
	for i := range tr.queue {
		waiting := tr.queue[i][tr.first[i]:]
		n := len(waiting)
		state.Num(c, &n)
		state.Nums(c, waiting)
	}
}
