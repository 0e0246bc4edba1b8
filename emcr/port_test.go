package emcr

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/asm"
	"emsim/packet"
)

const mixed = `
.template f
.space 3
sum:    add! r3, r1, r2
mix:    mul r3, r1, r2
        ld r4, r0, word
        st! r3, r0, word
tell:   send.d! r1, r0, quick
.endtemplate
quick:  nop!
slow:   div! r3, r1, r1
talk:   out r1
        getstr r3, 2
        send.d r1, r3, quick
        relstr! r3
loop:   mov r3, 3
again:  sub r3, r3, 1
        bne! r3, r0, again
seek:   wrs mlpe, r1
        cont.l r3, fp, 2
took:   rds r4, mlpe
        mlpe! quick
take:   getseg r3, f
        relseg! r3
word:   .space 1
.start quick
`

// Packets arrive at random. The memory port is used at most once per clock, the FMU takes the packets in order, none is
// lost, and every clock counts as one activity. The users of the port are derived from what the units did, not from the
// arbiter's wires.
func TestOneMemoryPort(t *testing.T) {
	obj, _, err := asm.Assemble("mixed.s",
		asm.Options{Open: func(string) ([]byte, error) { return []byte(mixed), nil }})
	require.NoError(t, err)
	used := [4]int{} // number of clocks by number of users
	rapid.Check(t, func(r *rapid.T) {
		b := newBench(t, obj, nil)
		anyKnobs(r, b)
		b.cfg.OutPackets, b.cfg.IBU.Priority = 0,
			0 // check finds every packet, and the packets keep their order
		b.pe.Init(&b.cfg, b.pe.image, &b.pins, b.pe.address, b.pe.index)
		n := randomArrivals(r, b)
		for b.pe.Consumed < uint64(n) || !b.pe.Quiet() {
			require.Less(t, b.clock, uint64(20_000), "it does not come to an end")
			users := portUsers(t, b)
			used[users]++
			require.LessOrEqual(t, users, 1, "clock %d", b.clock-1)
			b.check(n)
		}
	})
	t.Logf("clocks with 0, 1 users of the port: %v", used[:2])
}

// randomArrivals draws packets that give every node both of its operands.
func randomArrivals(r *rapid.T, b *testbench) int {
	base, ok := b.pe.seg.allocate(&b.pe.mem, b.symbol("f"))
	require.True(b.t, ok)
	half := map[string]packet.Match{} // the operand that came last; 0 means that none waits
	n := rapid.IntRange(1, 60).Draw(r, "packets")
	at := uint64(0)
	for i := range n {
		at += rapid.Uint64Range(0, 12).Draw(r, "gap")
		p := packet.Packet{Dest: b.pe.address, Data: uint64(i + 1), Seq: uint32(i + 1)}
		switch name := rapid.SampledFrom([]string{
			"sum", "mix", "tell", "quick", "slow", "talk", "loop", "seek", "take",
			"fill",
		}).Draw(r, "node"); name {
		case "sum", "mix":
			p.Match = packet.Match(rapid.IntRange(1, 2).Draw(r, "side"))
			if half[name] != 0 {
				p.Match = 3 - half[name]
				half[name] = 0
			} else {
				half[name] = p.Match
			}
			p.Addr = base + b.symbol(name) - b.symbol("f")
		case "tell":
			p.Addr = base + b.symbol(name) - b.symbol("f")
		case "fill":
			p.Direct, p.Addr = true, packet.PrefetchAddr
		default:
			p.Direct, p.Addr = true, b.symbol(name)
			p.Kind = rapid.SampledFrom([]packet.Kind{packet.Data, packet.Data, packet.MLPE, packet.Answer}).Draw(r,
				"kind")
		}
		b.arrive = append(b.arrive, arrival{at, p})
	}
	return n
}

// portUsers steps one clock, and returns the number of units that used the memory port.
func portUsers(t *testing.T, b *testbench) int {
	p := &b.pe
	fmu, exu, transfer := p.fmu.state, p.exu, p.ibu.TransferName()
	instructions, last := p.Instructions, p.fmu.pkt.Seq
	b.step()
	require.Nil(t, p.Fault())
	n := 0
	if p.Instructions != instructions || exu.state == exuMemory &&
		(p.exu.state != exuMemory || p.exu.clocksLeft != exu.clocksLeft) {
		n++
	}
	if p.fmu.pkt.Seq != last {
		require.Greater(t, p.fmu.pkt.Seq, last, "arrival order")
		if !p.fmu.pkt.Direct {
			n++
		}
	} else if fmu != FMUIdle && fmu != FMUReady && p.fmu.state != fmu {
		n++
	}
	if p.ibu.TransferName() != transfer && !b.cfg.IBUOwnMemory {
		n++
	}
	return n
}

// check checks that no packet is lost and that every clock is counted.
func (b *testbench) check(n int) {
	in := 0
	if b.pins.InFull {
		in = 1
	}
	require.Equal(b.t, n, len(b.arrive)+in+b.pe.PacketsHeld()+int(b.pe.Consumed), "no packet is lost")
	sum := uint64(0)
	for _, c := range b.pe.Clocks {
		sum += c
	}
	require.Equal(b.t, b.clock, sum, "every clock counts as one state")
}
