package em4

import (
	"fmt"

	"emsim/internal/base/state"
	"emsim/packet"
)

// State visits the parts of the state that can differ between machines of one Config and Program, between two clocks.
// It first simulates all PEs up to the machine's clock.
func (m *Machine) State(c *state.Codec) {
	m.catchUpAll()
	c.In("host")
	state.Num(c, &m.clock)
	state.Num(c, &m.lastMove)
	state.Num(c, &m.hostSent)
	state.List(c, &m.hostQueue, 1<<16, func(p *packet.Packet) { p.State(c) })
	m.Net.State(c)
	for i := range m.pe {
		c.Of(i)
		m.pe[i].State(c)
	}
	if !c.Loading() {
		return
	}
	m.faulted = false
	for th := range m.parts {
		m.parts[th].faulted, m.parts[th].lastMove, m.parts[th].clock = false, 0, m.clock
	}
	for i := range m.pe {
		m.lazyPE(i).SetNextClock(m.clock)
	}
	m.evaluateAllNext()
	if c.IsOwn() {
		return
	}
	if err := m.Check(); err != nil && c.Err() == nil {
		c.Fail("%w", err)
	}
}

// Check returns an error if the machine's state breaks an invariant, so that no sequence of steps can lead to it. It
// finds a damaged checkpoint before it does harm. It is slow, because it visits every word with a tag.
func (m *Machine) Check() error {
	m.catchUpAll()
	switch {
	case m.lastMove > m.clock:
		return fmt.Errorf("something moved in clock %d, but the machine is at clock %d", m.lastMove, m.clock)
	case len(m.hostQueue) > len(m.prog.Args):
		return fmt.Errorf("the host has %d packets to send for a program that takes %d", len(m.hostQueue),
			len(m.prog.Args))
	}
	for i := range m.hostQueue {
		if err := m.Net.CheckPacket(&m.hostQueue[i]); err != nil {
			return err
		}
	}
	if err := m.Net.Check(m.clock); err != nil {
		return err
	}
	for i := range m.pe {
		if err := m.pe[i].Check(m.clock); err != nil {
			return fmt.Errorf("PE %v: %w", m.Net.Address(i), err)
		}
		var err error
		m.pe[i].EachBuffered(func(p *packet.Packet) {
			if e := m.Net.CheckPacket(p); e != nil {
				err = fmt.Errorf("PE %v, output packet buffer: %w", m.Net.Address(i), e)
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Hash returns the hash of the machine's state, and a buffer for the next call. buf is the buffer from the last call,
// or nil.
func (m *Machine) Hash(buf []byte) (uint64, []byte) {
	c := state.Hasher(buf[:0])
	m.State(c)
	return state.Hash(c.Bytes()), c.Bytes()
}

// State visits the run and its machine.
func (r *Run) State(c *state.Codec) {
	r.m.State(c)
	for _, n := range []*uint64{&r.MaxClocks, &r.Window, &r.start, &r.lastWordAt} {
		state.Num(c, n)
	}
	r.totalsAtWord.State(c)
	state.List(c, &r.windows, 1<<40, func(t *Totals) { t.State(c) })
	if !c.Loading() {
		return
	}
	r.hostWords = len(r.m.Net.HostWords())
	r.check(c)
}

// check rejects states that no run can reach.
func (r *Run) check(c *state.Codec) {
	now := r.m.clock
	if r.start > now {
		c.Fail("the run began at clock %d, but the machine is at clock %d", r.start, now)
		return
	}
	if r.hostWords > 0 && r.lastWordAt != r.m.Net.HostWords()[r.hostWords-1].Clock || r.hostWords == 0 &&
		r.lastWordAt != 0 {
		c.Fail("clock %d is not the clock of the last word to the host", r.lastWordAt)
	}
	past := uint64(0)
	if r.Window > 0 {
		past = r.Clock() / r.Window
	}
	if uint64(len(r.windows)) != past {
		c.Fail("%d windows of %d clocks after %d clocks", len(r.windows), r.Window, r.Clock())
		return
	}
	for i, w := range r.windows {
		if w.Clocks != uint64(i+1)*r.Window {
			c.Fail("window %d ends after %d clocks", i+1, w.Clocks)
		}
	}
}
