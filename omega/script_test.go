package omega

import (
	"fmt"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// bench is a network with PEs that send the packets of a script, one after another. The PEs take arriving packets at
// once, unless the script stalls them.
type bench struct {
	t     *testing.T
	cfg   Config
	n     *Network
	pins  []packet.Pins
	clock uint64
	queue [][]order // by PE
	stall []stall
	again map[uint64]int // by clock: the PE whose packet is offered again
	made  uint32
	words []string // ends of names: the state's words to damage; empty means all
	banks int      // banks of the network that is restored
}

// order is a packet, and the first clock in which it may be offered.
type order struct {
	from uint64
	p    packet.Packet
}

// stall is a span of clocks in which a PE takes no packet.
type stall struct {
	pe          int
	first, last uint64
}

func newNetworkBench(t *testing.T, c golden.Case) *bench {
	b := &bench{t: t, again: map[uint64]int{}, cfg: Config{HopClocks: 4, BankClocks: 2, Banks: Banks, Compare: true}}
	pes := 12
	numbers := map[string]*int{
		"pes": &pes, "hop_clocks": &b.cfg.HopClocks, "bank_clocks": &b.cfg.BankClocks, "banks": &b.cfg.Banks,
		"switch_priority": &b.cfg.Priority, "restored_banks": &b.banks,
	}
	for _, a := range c.Args {
		if p := numbers[a.Key]; p != nil {
			*p, _ = strconv.Atoi(a.Value)
		}
		switch a.Key {
		case "mlpe_compare":
			b.cfg.Compare = a.Value == "true"
		case "mlpe_tie":
			b.cfg.Strict = a.Value == "strict"
		}
	}
	if b.build(pes); b.banks == 0 {
		b.banks = b.cfg.Banks
	}
	for _, line := range c.Input {
		b.event(line)
	}
	return b
}

func (b *bench) build(pes int) {
	topo, err := ForPEs(pes)
	require.NoError(b.t, err)
	b.pins = make([]packet.Pins, pes)
	for i := range b.pins {
		b.pins[i] = packet.NewPins()
	}
	b.queue = make([][]order, pes)
	b.n, err = NewNetwork(topo, packet.FormatFor(topo.K), b.cfg, b.pins)
	require.NoError(b.t, err)
}

// pe parses a PE's address: 1,2 is [1,2].
func (b *bench) pe(s string) packet.PE {
	var p packet.PE
	_, err := fmt.Sscanf(s, "%d,%d", &p.GA, &p.CA)
	require.NoError(b.t, err, s)
	require.True(b.t, b.n.Contains(p), s)
	return p
}

// event executes one line of a script:
//
//	CLOCK FROM TO [direct|answer|host]   a packet, offered from this clock on
//	CLOCK FROM mlpe|mlpe-group|mlpe-both
//	load PE VALUE
//	stall PE FIRST LAST                  the PE takes no packet in these clocks
//	again CLOCK PE                       the PE's packet is offered again at the clock's end
//	words NAME, NAME, ...                words of the state to damage; all others are skipped
func (b *bench) event(line string) {
	w := strings.Fields(line)
	num := func(s string) uint64 {
		v, err := strconv.ParseUint(s, 0, 64)
		require.NoError(b.t, err, line)
		return v
	}
	switch w[0] {
	case "":
		return
	case "load":
		b.pins[b.n.Index(b.pe(w[1]))].LoadQ = uint8(num(w[2]))
		return
	case "words":
		b.words = strings.Split(strings.TrimPrefix(line, "words "), ", ")
		return
	case "again":
		b.again[num(w[1])] = b.n.Index(b.pe(w[2]))
		return
	case "stall":
		b.stall = append(b.stall, stall{b.n.Index(b.pe(w[1])), num(w[2]), num(w[3])})
		return
	}
	from := b.pe(w[1])
	i := b.n.Index(from)
	b.made++
	p := packet.Packet{Src: uint32(i), Seq: b.made, Data: uint64(b.made)}
	if strings.HasPrefix(w[2], "mlpe") {
		for p.Kind = packet.MLPE; p.Kind.String() != w[2]; p.Kind++ {
			require.True(b.t, p.Kind.Search(), line)
		}
		p.Dest, p.Data = from, mlpe.Payload(b.n.format, b.pins[i].LoadQ, from)
	} else {
		p.Dest = b.pe(w[2])
	}
	switch w = append(w, "", ""); w[3] {
	case "direct":
		p.Direct = true
	case "answer":
		p.Direct, p.Kind = true, packet.Answer
	case "host":
		p.ToHost = true
	}
	b.queue[i] = append(b.queue[i], order{num(w[0]), p})
}

// step simulates one clock: first the switches, then the PEs.
func (b *bench) step() {
	t, part := b.clock, b.n.scheduler().Part(0)
	if b.n.scheduler().Plain() {
		part.Decide(t)
		part.Move(t)
	} else {
		b.n.scheduler().Begin(t)
		part.Step(t)
	}
	for i := range b.pins {
		pins := &b.pins[i]
		if pins.InFull && pins.InReady <= t &&
			!slices.ContainsFunc(b.stall, func(s stall) bool { return s.pe == i && s.first <= t && t <= s.last }) {
			pins.InFull = false
		}
		if len(b.queue[i]) > 0 && b.queue[i][0].from <= t && pins.OutFreeQ(t) {
			pins.Out, pins.OutFull, pins.OutReady = b.queue[i][0].p, true, t+1
			b.queue[i] = b.queue[i][1:]
			part.Offer(i, t+1)
		}
	}
	if i, ok := b.again[t]; ok && b.pins[i].OutFull {
		part.Offer(i, b.pins[i].OutReady)
	}
	b.clock++
}

// run steps a number of clocks, and calls each before every clock.
func (b *bench) run(clocks int, each func()) {
	for range clocks {
		each()
		b.step()
	}
}

// The scripts send packets, and record what the switches do clock by clock.
func TestScripts(t *testing.T) {
	files, err := os.ReadDir("testdata")
	require.NoError(t, err)
	for _, f := range files {
		if f.IsDir() {
			continue
		}
		t.Run(strings.TrimSuffix(f.Name(), ".txt"), func(t *testing.T) {
			golden.Script(t, f.Name(), func(c golden.Case) string {
				b, clocks := newNetworkBench(t, c), 0
				for _, a := range c.Args {
					if a.Key == "clocks" {
						clocks, _ = strconv.Atoi(a.Value)
					}
				}
				var out strings.Builder
				switch c.Cmd {
				case "trace":
					b.trace(clocks, &out)
				case "why":
					b.why(clocks, &out)
				case "awake":
					b.awake(clocks, &out)
				case "damage":
					b.damage(clocks, &out)
				case "traffic":
					repeat(t, &out)
				case "cycle":
					cycle(t, c, &out)
				default:
					require.Fail(t, "no such command", c.Place)
				}
				return out.String()
			})
		})
	}
}

// trace prints the trace events, and then the counters.
func (b *bench) trace(clocks int, out *strings.Builder) {
	ports := [...]string{"in-group", "out-of-group", "own"}
	b.n.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		fmt.Fprintf(out, "%4d %v ", e.Clock, b.n.Address(int(e.PE)))
		switch e.Kind {
		case trace.Moved:
			fmt.Fprintf(out, "packet %d goes from %s to %s\n", e.Packet.Seq, trace.SlotName(e.Slot), ports[e.Out])
		case trace.Rewritten:
			load, at := mlpe.FromPayload(b.n.format, e.Value)
			fmt.Fprintf(out, "packet %d takes load %d of %v\n", e.Packet.Seq, load, at)
		case trace.Changed:
			fmt.Fprintf(out, "%s: %v (%v since %d)\n", trace.SlotName(e.Slot), e.Status, e.Was, e.Since)
		default:
			fmt.Fprintf(out, "%v %v, packet %d, value %d\n", e.Unit, e.Kind, e.Packet.Seq, e.Value)
		}
	}), b.n.N, trace.All(b.n.N)))
	b.run(clocks, func() {})
	b.counters(out)
}

func (b *bench) counters(out *strings.Builder) {
	banks, offered := 0, 0
	for i := range b.n.N {
		banks += bits.OnesCount8(b.n.su[i].full)
		if b.n.pins[i].OutFull {
			offered++
		}
		var hops, waits [3]uint64
		for port := range hops {
			hops[port], waits[port] = b.n.Counters(i, b.clock).Packets[port], b.n.Counters(i, b.clock).WaitClocks[port]
		}
		if hops != [3]uint64{} || waits != [3]uint64{} {
			fmt.Fprintf(out, "%v sent %v, in which they waited %v\n", b.n.Address(i), hops, waits)
		}
	}
	fmt.Fprintf(out, "%d words crossed links, %d packets are in banks, idle: %v\n",
		b.n.FlitHops(), banks, banks+offered == 0)
	for _, w := range b.n.HostWords() {
		fmt.Fprintf(out, "host: %d in clock %d\n", w.Data, w.Clock)
	}
}

// why prints for the start of every clock the places of the packets, what each of them waits for, which are stuck, and
// the cycle of waits.
func (b *bench) why(clocks int, out *strings.Builder) {
	b.run(clocks, func() {
		for i := range b.n.N {
			outputs, inputs := b.n.PortsFree(i)
			for _, s := range b.n.Slots(i, b.clock) {
				why := s.Why()
				switch {
				case s.Ready > b.clock:
					why = "its way here"
				case why == "":
					why = "nothing"
				}
				fmt.Fprintf(out, "%4d %v %s bank %d: packet %d to %s, ready %d, waits for %s",
					b.clock, b.n.Address(i), PortName(s.Input), s.Bank, s.Packet.Seq, PortName(s.Output), s.Ready, why)
				fmt.Fprintf(out, " [output free %d, input free %d]\n", outputs[s.Output], inputs[s.Input])
			}
			for _, s := range b.n.Slots(i, b.clock) {
				if s.Stuck() {
					fmt.Fprintf(out, "     stuck at %s, %v: %v\n", PortName(s.Input), s.Status, s)
				}
			}
		}
		for i, w := range b.n.WaitCycle(b.clock) {
			fmt.Fprintf(out, "     cycle %d: %v %s %v\n", i, b.n.Address(w.Unit), PortName(w.Input), w)
		}
	})
}

// cycle prints the cycle of waits in which uniform traffic at full load ends with one bank.
func cycle(t *testing.T, c golden.Case, out *strings.Builder) {
	seed, _ := strconv.ParseUint(c.Args[0].Value, 10, 64)
	tr := traffic(t, 32, Config{4, 2, 1, true, false, 0, false, false}, TrafficConfig{Uniform, 1, seed})
	for range 3000 {
		tr.Step(true)
	}
	for _, w := range tr.Net.WaitCycle(tr.Clock()) {
		fmt.Fprintf(out, "%v %s: %v\n", tr.Net.Address(w.Unit), PortName(w.Input), w)
	}
}

// repeat prints the statistics of synthetic traffic of every pattern.
func repeat(t *testing.T, out *strings.Builder) {
	for _, load := range []float64{0.05, 0.3} {
		for _, pattern := range Patterns() {
			tr := traffic(t, 80, standard, TrafficConfig{pattern, load, 7})
			for range 500 {
				tr.Step(true)
			}
			fmt.Fprintf(out, "%-9s %-4v offered %4d arrived %4d in %d clocks, the slowest in %d; "+
				"%d under way, %d queued, %d words crossed links\n",
				pattern, load, tr.Offered, tr.Arrived, tr.Latency, tr.Slowest, tr.InFlight(), tr.Queued(),
				tr.Net.FlitHops())
		}
	}
}

// awake prints four sets for every clock: the units with a packet that has arrived, the units with a grant, the PEs
// whose packets are accepted, and the PEs that must catch up.
func (b *bench) awake(clocks int, out *strings.Builder) {
	set := func(name string, words []uint64) {
		var list []string
		for i := range b.n.N {
			if words[i>>6]>>(i&63)&1 == 1 {
				list = append(list, b.n.Address(i).String())
			}
		}
		if len(list) > 0 {
			fmt.Fprintf(out, " %s %s", name, strings.Join(list, " "))
		}
	}
	b.n.scheduler().BeforeRead(func(i int, t uint64) { fmt.Fprintf(out, " sync %v to %d", b.n.Address(i), t) },
		func(int) uint64 { return 0 })
	for range clocks {
		fmt.Fprintf(out, "%4d:", b.clock)
		part := b.n.scheduler().Part(0)
		b.n.scheduler().Begin(b.clock)
		set("ready", ready(part, b.clock))
		sent := func() (sum []uint64) {
			for i := range b.n.su {
				sum = append(sum, b.n.su[i].Packets[0]+b.n.su[i].Packets[1]+b.n.su[i].Packets[2])
			}
			return sum
		}
		before, moved := sent(), make([]uint64, len(part.dense))
		b.step()
		for i, now := range sent() {
			if now != before[i] {
				moved[i>>6] |= 1 << (i & 63)
			}
		}
		set("move", moved)
		set("taken", part.accepted)
		fmt.Fprintln(out)
	}
}

// ready returns, by word, the units with a packet that is ready in clock t.
func ready(p *Part, t uint64) []uint64 {
	words := slices.Clone(p.wheel[int(t%wheelClocks)*len(p.dense):][:len(p.dense)])
	for w, x := range p.dense {
		for s := range slots + 1 {
			if x == nil {
				break
			}
			words[w] |= x.slot[s].ready | x.wheel[t%wheelClocks].ready[s]
		}
	}
	return words
}
