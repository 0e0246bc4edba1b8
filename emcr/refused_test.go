package emcr

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
	"emsim/packet"
)

// The hash of a memory depends on the places of its words, and distinguishes a word from a tag: memories with the same
// words in other places have other hashes.
func TestHashKnowsPlaces(t *testing.T) {
	hashes := map[uint64]string{}
	add := func(name string, fill func(m *Memory)) {
		m := &Memory{}
		m.setOperands(0x8000, 64)
		fill(m)
		require.Empty(t, hashes[m.contentHash()], "%s has the hash of another one", name)
		hashes[m.contentHash()] = name
	}
	add("empty", func(*Memory) {})
	add("5 at 1", func(m *Memory) { m.Write(1, 5) })
	add("5 at 2", func(m *Memory) { m.Write(2, 5) })
	add("5 at 1, 6 at 2", func(m *Memory) { m.Write(1, 5); m.Write(2, 6) })
	add("6 at 1, 5 at 2", func(m *Memory) { m.Write(1, 6); m.Write(2, 5) })
	add("5 at 0x8041", func(m *Memory) { m.Write(0x8041, 5) })
	add("tag 1 at 1", func(m *Memory) { m.WriteTagged(1, m.Read(1), 1) })
	add("tag 1 at 2", func(m *Memory) { m.WriteTagged(2, m.Read(2), 1) })
	add("1 at 1", func(m *Memory) { m.Write(1, 1) })
	for bit := range 64 {
		add("a bit", func(m *Memory) { m.Write(3, 1<<bit) })
	}
}

// A rejected packet is neither kept nor counted, and does not change the FMU.
func TestRefusedPackets(t *testing.T) {
	const program = "\t.start main\nmain:\tnop!\n\t.template f\n\t.space 3\nnode:\tnop!\n\t.endtemplate\n"
	for says, line := range map[string]string{
		"for address 0x8400, which is not a node of an operand segment":                 "at 0 to 0x8400 left 1",
		"for address 0x8000, which is not a node of an operand segment":                 "at 0 to 0x8000 left 1",
		"for the operand segment at 0x8040, which is not in use":                        "at 0 to 0x8044 left 1",
		"for the operand segment at 0x8080, which is not in use: data/right":            "at 0 to 0x8084 right 1",
		"for the operand segment at 0x8040, which is not in use: data/one [1,0] node 0": "at 0 to 0x8044 one 1",
	} {
		b := newBench(t, assemble(t, "p.s", program), nil)
		b.event("segment s f")
		b.event(line)
		for range 9 {
			if b.step(); b.pe.Fault() != nil {
				break
			}
		}
		require.ErrorContains(t, b.pe.Fault(), "a packet came "+says)
		require.Equal(t, FMUIdle, b.pe.FMU().Step, says)
		require.Zero(t, b.pe.Calls)
		require.Zero(t, b.pe.CountWaitingOperands())
		require.Equal(t, uint64(1), b.pe.Consumed)
	}
}

// A restored output buffer holds the saved packets, whatever the position of its ring.
func TestOutBufferIsRestored(t *testing.T) {
	sent := func(n int, seqs ...uint32) *outBuffer {
		o := &outBuffer{ring: make([]outgoing, 3), head: n, count: len(seqs)}
		for i, s := range seqs {
			o.ring[(n+i)%3] = outgoing{packet.Packet{Seq: s, Dest: packet.PE{GA: 1}}, uint64(s) + 10}
		}
		return o
	}
	list := func(o *outBuffer) (seqs []uint32, ready []uint64) {
		for i := range o.count {
			x := o.ring[(o.head+i)%len(o.ring)]
			seqs, ready = append(seqs, x.packet.Seq), append(ready, x.ready)
		}
		return seqs, ready
	}
	for from := range 3 {
		for to := range 3 {
			c := state.Saver(nil)
			sent(from, 7, 8).stateWalk(c)
			used := sent(to, 1, 2, 3)
			l := state.Loader(c.Bytes())
			used.stateWalk(l)
			require.NoError(t, l.Err())
			seqs, ready := list(used)
			require.Equal(t, []uint32{7, 8}, seqs)
			require.Equal(t, []uint64{17, 18}, ready)
			require.Zero(t, used.head, "the ring is restored from its beginning")
			again := state.Saver(nil)
			used.stateWalk(again)
			require.Equal(t, c.Bytes(), again.Bytes(), "where a ring begins is no part of the state")
		}
	}
	for _, count := range []int{-1, 4} {
		l := state.Loader(func() []byte {
			c := state.Saver(nil)
			state.Num(c, &count)
			return c.Bytes()
		}())
		o := sent(0, 1)
		o.stateWalk(l)
		require.ErrorContains(t, l.Err(), "packets besides the one on the port")
		require.Zero(t, o.count)
	}
}
