package rtl

import (
	"context"

	"emsim/emcr"
	"emsim/internal/base/rng"
	"emsim/omega"
	"emsim/packet"
)

// Traffic is one comparison of the switches alone. Every PE offers and takes packets at random, and has a random load
// in every clock.
type Traffic struct {
	PEs          int
	Switches     omega.Config // without priority
	InjectClocks int          // 1..8
	Seed         uint64
	Offer        uint32 // chance in 256 that a PE puts a packet into a free port register
	Consume      uint32 // chance in 256 that it takes a packet from its intake
	Host         uint32 // chance in 256 that the host has a packet
	Clocks       int
}

// network is the model's side of a Traffic comparison.
type network struct {
	run     *Traffic
	topo    omega.Topology
	net     *omega.Network
	pins    []packet.Pins
	random  []rng.Stream
	drawn   []draw
	clock   uint64
	probes  []Probe
	scratch node
}

// draw is the random input of one PE in one clock.
type draw struct {
	packet packet.Packet // packet that the EXU offers
	offer  bool
	take   bool
}

func newNetwork(r *Traffic) (*network, error) {
	topo, err := omega.ForPEs(r.PEs)
	if err != nil {
		return nil, err
	}
	n := &network{
		run: r, topo: topo, pins: make([]packet.Pins, r.PEs), random: make([]rng.Stream, r.PEs),
		drawn: make([]draw, r.PEs), probes: make([]Probe, r.PEs),
	}
	for i := range n.pins {
		n.pins[i] = packet.NewPins()
		n.random[i] = rng.New(r.Seed, uint64(i))
	}
	n.scratch.format = packet.FormatFor(topo.K)
	if n.net, err = omega.NewNetwork(topo, n.scratch.format, r.Switches, n.pins); err != nil {
		return nil, err
	}
	n.scheduler().SetEager(true)
	return n, nil
}

func (n *network) scheduler() *omega.Scheduler { return (*omega.Scheduler)(n.net) }

// stimulate draws the input of PE i in this clock. sim/switches.cpp draws the same.
func (n *network) stimulate(i int) {
	a, b := n.random[i].Next(), n.random[i].Next()
	pins, d := &n.pins[i], &n.drawn[i]
	pins.LoadQ = uint8(a & 15)
	full, host := pins.OutFull, false
	if i == 0 {
		h := n.random[i].Next()
		if host = uint32(b>>50&0xff) < n.run.Host; host && !full {
			pins.Out = packet.Packet{
				Data: b & 0xffffffff, Addr: uint32(h & 0x3ffff), Src: packet.Host,
				Dest: n.peFrom(h), Direct: true,
			}
			pins.OutReady, pins.OutFull = n.clock, true
		}
	}
	p := packet.Packet{Data: b & 0xffffffff, Addr: uint32(b >> 32 & 0x3ffff)}
	switch {
	case a>>23&63 == 0:
		p.Addr, p.ToHost = 0, true
	case a>>20&7 == 0:
		p.Kind, p.Direct, p.Dest = packet.MLPE, true, n.topo.Address(i)
	default:
		p.Match, p.Direct, p.Dest = packet.Match((a>>29&3)%3), a>>31&1 == 1, n.peFrom(a)
	}
	*d = draw{p, !full && !host && uint32(a>>4&0xff) < n.run.Offer, pins.InFull && uint32(a>>12&0xff) < n.run.Consume}
}

// peFrom returns the PE selected by the upper half of a random number.
func (n *network) peFrom(random uint64) packet.PE {
	return n.topo.Address(int(random >> 32 % uint64(n.topo.N)))
}

// stepClock simulates a clock, and returns the digest after it.
func (n *network) stepClock() (sum uint64) {
	t := n.clock
	for i := range n.pins {
		n.stimulate(i)
	}
	switches := n.scheduler().Part(0)
	switches.Decide(t)
	for i := range n.pins {
		pins, d := &n.pins[i], &n.drawn[i]
		if d.offer {
			pins.Out, pins.OutReady, pins.OutFull = d.packet, t+uint64(n.run.InjectClocks), true
		}
		if d.take {
			pins.InFull = false
		}
	}
	switches.Move(t)
	n.net.ClearHost()
	n.clock++
	for i := range n.probes {
		n.net.Registers(i, n.clock, &n.scratch.su)
		n.scratch.pe.Port, n.scratch.pe.Intake = emcr.PortsAt(&n.pins[i], n.clock, uint64(n.run.InjectClocks))
		n.scratch.packProbe(&n.probes[i], switchWords)
		sum = digest(sum, n.probes[i][:switchWords])
	}
	return sum
}

func (r *Traffic) connect(ctx context.Context, exe string, n *network) (*chips, error) {
	c, err := startChips(ctx, n.topo.N, exe)
	if err != nil {
		return nil, err
	}
	cfg := emcr.Config{InjectClocks: uint64(r.InjectClocks), SegmentWords: 8, GetsegClocks: 2}
	c.sendNumbers(uint32(n.topo.K), r.Offer, r.Consume, r.Host)
	for i := range n.topo.N {
		c.sendNumbers(straps(n.topo.Address(i), n.topo.K, r.Switches, &cfg), uint64(n.random[i]))
	}
	return c, nil
}

// Compare compares all registers of all switches at every clock. exe is a SwitchTarget that Build has built. If
// registers differ, the error is a *Difference. moved is the number of words that crossed links, by which a test can
// check that there was traffic.
func (r *Traffic) Compare(ctx context.Context, exe string) (moved uint64, err error) {
	n, err := newNetwork(r)
	if err != nil {
		return 0, err
	}
	c, err := r.connect(ctx, exe, n)
	if err != nil {
		return 0, err
	}
	defer c.close()
	for done := 0; done < r.Clocks; {
		clocks := min(1024, r.Clocks-done)
		c.sendNumbers(uint8(cmdRun), uint32(clocks))
		if c.err == nil {
			c.err = c.to.Flush() // the chips work while the model does
		}
		want, got := make([]uint64, clocks), make([]uint64, clocks)
		for i := range want {
			want[i] = n.stepClock()
		}
		c.receive(got)
		if c.err != nil {
			return 0, c.err
		}
		for i := range want {
			if want[i] != got[i] {
				return 0, r.findDifference(ctx, exe, done+i+1)
			}
		}
		done += clocks
	}
	return n.net.FlitHops(), nil
}

// findDifference runs both sides again, up to the clock after which they differ, and returns the difference.
func (r *Traffic) findDifference(ctx context.Context, exe string, clock int) error {
	n, err := newNetwork(r)
	if err != nil {
		return err
	}
	c, err := r.connect(ctx, exe, n)
	if err != nil {
		return err
	}
	defer c.close()
	for range clock {
		n.stepClock()
	}
	c.runClocks(clock)
	return c.difference(uint64(clock), n.probes, switchWords, n.topo.Address)
}
