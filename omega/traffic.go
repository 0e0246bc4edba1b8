package omega

import (
	"fmt"
	"math/bits"

	"emsim/internal/crew"
	"emsim/internal/rng"
	"emsim/internal/state"
	"emsim/packet"
)

// Pattern is where synthetic traffic goes.
type Pattern string

// The patterns.
const (
	Uniform   Pattern = "uniform"   // any other PE
	Neighbour Pattern = "neighbour" // the next PE in-group and out-of-group, in turn
	Hotspot   Pattern = "hotspot"   // one in eight to [0,0], the others to any other PE
	Reverse   Pattern = "reverse"   // the PE k out-of-group links on: the last of the reverse circuit
)

// Patterns lists them.
func Patterns() []Pattern { return []Pattern{Uniform, Neighbour, Hotspot, Reverse} }

// TrafficConfig says what synthetic PEs offer.
type TrafficConfig struct {
	Pattern Pattern
	Load    float64 // words offered per PE and clock, 0..1; a packet has two
	Seed    uint64
}

// Traffic drives a network with synthetic PEs: each offers packets at random
// into a queue without bound and takes what arrives at once.
type Traffic struct {
	Net     *Network
	Offered uint64 // packets that the PEs wanted to send
	Arrived uint64 // packets delivered
	Latency uint64 // sum over delivered packets, in clocks from offer to the second word's arrival
	Slowest uint64 // the longest latency
	// Deliver, when not nil, sees every packet that a PE takes.
	Deliver func(pe int, p *packet.Packet)
	// Stall, when not nil, says that a PE does not take its packet in this
	// clock.
	Stall func(pe int, clock uint64) bool

	pins    []packet.Pins
	clock   uint64
	chance  uint32 // of an offer in a clock, in 2^-32
	pattern Pattern
	random  []rng.Stream    // one for 64 PEs
	queue   [][]uint64      // offer clocks of the packets that wait at each PE
	first   []uint32        // index of the oldest one
	sent    []uint32        // packets that each PE put out
	backlog []uint64        // set of PEs whose queue is not empty
	arrived []uint64        // set of PEs with a packet on In
	parts   []part          // by thread
	crew    *crew.Crew      // the threads, when there are several
	halves  [2]func(th int) // decide, change
	offers  bool            // in this clock
}

// part is what one thread counted in a clock.
type part struct {
	lo, hi                             int // words
	offered, arrived, latency, slowest uint64
	_                                  [16]byte // threads write to cache lines of their own
}

// NewTraffic builds a network with synthetic PEs on it.
func NewTraffic(t Topology, c Config, tc TrafficConfig) (*Traffic, error) {
	if !(tc.Load >= 0 && tc.Load <= 1) {
		return nil, fmt.Errorf("load is %v, it must be 0..1 words per PE and clock", tc.Load)
	}
	known := false
	for _, p := range Patterns() {
		known = known || p == tc.Pattern
	}
	if !known {
		return nil, fmt.Errorf("pattern %q is none of %v", tc.Pattern, Patterns())
	}
	pins := make([]packet.Pins, t.N)
	for i := range pins {
		pins[i] = packet.NewPins()
	}
	n, err := NewNetwork(t, packet.FormatFor(t.K), c, pins)
	if err != nil {
		return nil, err
	}
	tr := &Traffic{
		Net: n, pins: pins, pattern: tc.Pattern,
		chance:  uint32(tc.Load / 2 * (1 << 32)),
		random:  make([]rng.Stream, n.Words()),
		queue:   make([][]uint64, t.N),
		first:   make([]uint32, t.N),
		sent:    make([]uint32, t.N),
		backlog: make([]uint64, n.Words()),
		arrived: make([]uint64, n.Words()),
	}
	for w := range tr.random {
		tr.random[w] = rng.Stream(rng.Mix(tc.Seed + uint64(w)*rng.Golden))
	}
	tr.halves = [2]func(int){tr.decide, tr.change}
	tr.Share(nil)
	return tr, nil
}

// Clock returns the clocks stepped so far.
func (tr *Traffic) Clock() uint64 { return tr.clock }

// InFlight returns the packets put out and not yet delivered.
func (tr *Traffic) InFlight() uint64 {
	sum := uint64(tr.Net.InFlight())
	for i := range tr.pins {
		if tr.pins[i].OutFull {
			sum++
		}
		if tr.pins[i].InFull {
			sum++
		}
	}
	return sum
}

// Queued returns the packets offered and not yet put out.
func (tr *Traffic) Queued() uint64 {
	sum := uint64(0)
	for i := range tr.queue {
		sum += uint64(len(tr.queue[i])) - uint64(tr.first[i])
	}
	return sum
}

// Share shares the work of every clock among the threads of c; nil ends it.
// The state at every clock is the same for any number.
func (tr *Traffic) Share(c *crew.Crew) {
	n, words := 1, tr.Net.Words()
	if tr.crew = c; c != nil {
		n = c.Threads()
	}
	tr.Net.SetThreads(n)
	tr.parts = make([]part, n)
	for th := range tr.parts {
		tr.parts[th].lo, tr.parts[th].hi = th*words/n, (th+1)*words/n
	}
}

// Step advances one clock; offer says whether the PEs offer new packets.
func (tr *Traffic) Step(offer bool) {
	tr.offers = offer
	if tr.crew != nil {
		tr.crew.Do(tr.halves[0])
		tr.crew.Do(tr.halves[1])
	} else {
		tr.decide(0)
		tr.change(0)
	}
	tr.count()
	tr.clock++
}

// count brings together what the threads counted.
func (tr *Traffic) count() {
	for th := range tr.parts {
		p := &tr.parts[th]
		tr.Offered += p.offered
		tr.Arrived += p.arrived
		tr.Latency += p.latency
		tr.Slowest = max(tr.Slowest, p.slowest)
		p.offered, p.arrived, p.latency = 0, 0, 0
	}
}

// decide is the first half of a clock for one thread.
func (tr *Traffic) decide(th int) {
	p, t := &tr.parts[th], tr.clock
	tr.Net.Arbitrate(t, p.lo, p.hi)
	for w := p.lo; w < p.hi; w++ {
		if tr.offers {
			tr.offer(p, w, t)
		}
		tr.take(p, w, t)
		tr.put(w, t)
	}
}

// change is the second half.
func (tr *Traffic) change(th int) {
	p := &tr.parts[th]
	tr.Net.Transfer(tr.clock, p.lo, p.hi, th)
	woken := tr.Net.Woken()
	for w := p.lo; w < p.hi; w++ {
		tr.arrived[w] |= woken[w]
		woken[w] = 0
	}
}

// offer draws for 64 PEs at once whether each wants to send in this clock: the
// bits of 64 random numbers are compared with the chance from the top down,
// until every lane is decided.
func (tr *Traffic) offer(p *part, w int, t uint64) {
	var hit uint64
	open := tr.Net.present(w)
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

// take lets the PEs of word w take what has arrived.
func (tr *Traffic) take(p *part, w int, t uint64) {
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

// put lets the PEs of word w put the oldest packet of their queues on Out. The
// payload is the clock of the offer.
func (tr *Traffic) put(w int, t uint64) {
	for m := tr.backlog[w]; m != 0; m &= m - 1 {
		i := w<<6 + bits.TrailingZeros64(m)
		pins := &tr.pins[i]
		if !pins.Free(t) {
			continue
		}
		f := tr.first[i]
		tr.sent[i]++
		pins.Out = packet.Packet{Data: tr.queue[i][f], Dest: tr.dest(w, i), Src: uint32(i), Seq: tr.sent[i]}
		pins.OutFull, pins.OutReady = true, t+1
		tr.Net.Offer(i, t+1)
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

func (tr *Traffic) dest(w, i int) packet.PE {
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
	state.Num(c, &tr.clock)
	state.Num(c, &tr.Offered)
	state.Num(c, &tr.Arrived)
	state.Num(c, &tr.Latency)
	state.Num(c, &tr.Slowest)
	state.Nums(c, tr.random)
	state.Nums(c, tr.sent)
	for i := range tr.queue {
		waiting := tr.queue[i][tr.first[i]:]
		n := len(waiting)
		state.Num(c, &n)
		state.Nums(c, waiting)
	}
}
