package omega

import "emsim/internal/base/state"

// State visits the state of all units between two clocks. The wires of the arbiters and the sets of the scheduler are
// left out: wires are driven again in every clock, and the sets follow from the rest of the state.
func (n *Network) State(c *state.Codec) {
	for i := range n.su {
		c.Of(i)
		n.UnitState(c, i)
	}
	c.Of(-1)
	c.In("host")
	state.List(c, &n.host, 1<<30, func(w *HostWord) {
		state.Num(c, &w.Clock)
		state.Num(c, &w.Data)
	})
	if c.Loading() {
		n.sched.plain = true
	}
}

// UnitState visits the state of one unit and its pins.
func (n *Network) UnitState(c *state.Codec, i int) {
	n.su[i].state(c)
	if n.fair {
		c.In("reservation")
		state.Num(c, &n.su[i].held)
		state.Num(c, &n.su[i].last)
	}
	n.pins[i].State(c)
}

func (su *SU) state(c *state.Codec) {
	c.In("SU")
	state.Num(c, &su.full)
	state.Nums(c, su.readyAt[:])
	state.Nums(c, su.output[:slots])
	for s := range su.bank {
		if su.full>>s&1 == 1 {
			su.bank[s].State(c)
		}
	}
	state.Nums(c, su.lastBank[:])
	state.Nums(c, su.lastInput[:])
	state.Nums(c, su.outFreeAt[:])
	state.Nums(c, su.inFreeAt[:])
	c.In("statistics")
	state.Fields(c, &su.Counters)
}
