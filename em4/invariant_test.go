package em4_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/packet"
	"emsim/trace"
)

// At every clock of a run, the packets that were made are the packets consumed and the packets in flight. The four
// activities of every PE sum to the clocks, and the buffers keep their bounds. Packets from one sender reach one
// receiver in order, except MLPE packets, which take another route, and urgent packets.
func TestInvariants(t *testing.T) {
	for i, mlpe := range []string{"off", "on", "software", "on", "on"} {
		c := machine(12, smallFIFO, func(c *em4.Config) { c.MIBWords = 2048 })
		if i == 3 {
			remedies["all"](&c)
		}
		m := boot(t, c, fibWith(t, map[string]string{"mlpe": mlpe, "mlpe_fill": []string{"block", "register"}[i/4]}))
		last := map[[2]uint32]uint32{}
		moves := trace.Func(func(e *trace.Event) {
			p := &e.Packet
			if e.Kind == trace.Moved && e.Out == trace.Own && p.Kind == packet.Data &&
				!(c.SwitchPriority == packet.SystemPriority && p.Direct) && p.Src != packet.Host {
				pair := [2]uint32{p.Src, e.PE}
				require.Less(t, last[pair], p.Seq, "clock %d: order of %v to %d", e.Clock, p.Src, e.PE)
				last[pair] = p.Seq
			}
		})
		m.Net.Watch(trace.NewRecorder(moves, c.PEs, trace.All(c.PEs)))
		require.NoError(t, m.Start([]uint64{12}))
		start, held := m.Clock(), false
		for !held || !m.Quiet() {
			m.Step()
			clocks := m.Clock() - start
			made, gone := uint64(1), uint64(len(m.Net.HostWords())) // made: the start packet; gone: the host words
			for i := range c.PEs {
				p := m.PE(i)
				made += p.Sent
				gone += p.Consumed
				sum := uint64(0)
				for _, n := range p.Clocks {
					sum += n
				}
				require.LessOrEqual(t, sum, clocks, "idle clocks of sleeping PEs are counted later")
				require.LessOrEqual(t, p.IBU().FIFOWords(), c.FIFOWords)
				require.LessOrEqual(t, p.IBU().MIBWords(), c.MIBWords)
				require.LessOrEqual(t, p.SegmentsInUse(), c.Segments)
				held = held || p.IBU().MIBWords() > 0
			}
			require.Equal(t, made, gone+uint64(m.InFlight()), "clock %d", m.Clock())
		}
		m.Hash(nil) // adds up the clocks of PEs that were not evaluated
		for i := range c.PEs {
			sum := uint64(0)
			for _, n := range m.PE(i).Clocks {
				sum += n
			}
			require.Equal(t, m.Clock()-start, sum)
		}
	}
}

// The host's packets and the packets of the EXU of [0,0] share a port, and none of them is lost.
func TestHostAndExuShareThePort(t *testing.T) {
	args := []uint64{7, 9, 1, 2, 3, 4}
	m := boot(t, machine(12, smallFIFO), file(t, "busy.s"))
	r, err := run(m, args...)
	require.NoError(t, err)
	for range 200 { // the machine drains after the last word
		m.Step()
	}
	sent, consumed := uint64(len(args)), uint64(len(m.Net.HostWords()))
	for i := range m.Config().PEs {
		sent += m.PE(i).Sent
		consumed += m.PE(i).Consumed
	}
	require.Zero(t, m.InFlight())
	require.Equal(t, sent, consumed)
	// Two of the packets are for main, which sends three words to the host and makes every PE send to every PE. Half of
	// the latter packets make their receivers send one word to the host.
	require.Len(t, r.Words, 2*3+12*12)
}

// While the EXU of [0,0] has a packet on the port or is about to have one, the host waits, even if the PE is simulated
// later.
func TestHostWaitsForThePort(t *testing.T) {
	text := ".arg a, 1, 100, main\n"
	for i := range 12 {
		text += fmt.Sprintf(".arg b%d, 1, 100, other\n", i)
	}
	text += "main: send.d r1, r0, other\nsend.d r1, r0, other\nsend.d r1, r0, other\nout! r1\nother: nop!\n"
	for _, inject := range []int{1, 2, 5, 8} {
		slow := func(c *em4.Config) { c.InjectClocks = inject }
		lockstep(t, machine(12, slow), source(t, text), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13)
	}
}
