package em4

import (
	"fmt"

	"emsim/internal/state"
	"emsim/packet"
)

// State visits everything that can differ between two machines of one Config
// and Program at the boundary of two clocks. The walk first brings all PEs up
// to date.
func (m *Machine) State(c *state.Codec) {
	m.settle()
	state.Num(c, &m.clock)
	state.Num(c, &m.lastMove)
	state.Num(c, &m.fed)
	state.List(c, &m.feed, 1<<16, func(p *packet.Packet) { p.State(c) })
	m.Net.State(c)
	for i := range m.pe {
		m.pe[i].State(c)
	}
	if !c.Loading() {
		return
	}
	m.faulted = false
	for th := range m.parts {
		m.parts[th].faulted, m.parts[th].lastMove = false, 0
	}
	for i := range m.pe {
		m.lag(i).SetNext(m.clock)
	}
	m.dueAll()
	if err := m.Check(); err != nil && c.Err() == nil {
		c.Fail("%w", err)
	}
}

// Check says what is wrong with the state, if anything: what is true of every
// machine at the boundary of two clocks. It finds what is there only because a
// file was tampered with, before it can do harm. It looks at every word with
// a tag, which takes its time.
func (m *Machine) Check() error {
	m.settle()
	switch {
	case m.lastMove > m.clock:
		return fmt.Errorf("something moved in clock %d, and only %d have passed", m.lastMove, m.clock)
	case len(m.feed) > len(m.prog.Args):
		return fmt.Errorf("%d packets from the host for a program that takes %d", len(m.feed), len(m.prog.Args))
	}
	for i := range m.feed {
		if err := m.Net.CheckPacket(&m.feed[i]); err != nil {
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
		m.pe[i].EachOut(func(p *packet.Packet) {
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

// Hash returns the hash of the machine's state. buf is scratch room; it is
// returned for the next call.
func (m *Machine) Hash(buf []byte) (uint64, []byte) {
	c := state.Hasher(buf[:0])
	m.State(c)
	return state.Hash(c.Bytes()), c.Bytes()
}

// State visits the run and its machine.
func (r *Run) State(c *state.Codec) {
	r.m.State(c)
	for _, n := range []*uint64{&r.MaxClocks, &r.Window, &r.start, &r.until} {
		state.Num(c, n)
	}
	r.atWord.State(c)
	state.List(c, &r.windows, 1<<40, func(t *Totals) { t.State(c) })
	if !c.Loading() {
		return
	}
	r.words = len(r.m.Net.Host())
	r.check(c)
}

// check refuses what no run is.
func (r *Run) check(c *state.Codec) {
	now := r.m.clock
	if r.start > now {
		c.Fail("the run began at clock %d, which is not yet: the machine is at %d", r.start, now)
		return
	}
	if r.words > 0 && r.until != r.m.Net.Host()[r.words-1].Clock || r.words == 0 && r.until != 0 {
		c.Fail("clock %d is not that of the last word to the host", r.until)
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
