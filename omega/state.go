package omega

import "emsim/internal/state"

// State visits the state of all units at the boundary of two clocks. The
// arbiters' wires and the sets of units to evaluate are no state: the first are
// made anew every clock, the second follow from the rest.
func (n *Network) State(c *state.Codec) {
	for i := range n.su {
		n.UnitState(c, i)
	}
	state.List(c, &n.host, 1<<30, func(w *HostWord) {
		state.Num(c, &w.Clock)
		state.Num(c, &w.Data)
	})
	if c.Loading() {
		n.wakeAll()
	}
}

// UnitState visits the state of one unit and its pins.
func (n *Network) UnitState(c *state.Codec, i int) {
	n.su[i].state(c)
	n.pins[i].State(c)
}

func (su *SU) state(c *state.Codec) {
	full := su.full()
	state.Num(c, &full)
	if c.Loading() {
		su.put, su.got = [2]uint8{full & (1<<Banks - 1), full >> Banks}, 0
	}
	state.Nums(c, su.at[:])
	state.Nums(c, su.out[:slots])
	for s := range su.bank {
		if full>>s&1 == 1 {
			su.bank[s].State(c)
		}
	}
	state.Nums(c, su.last[:])
	state.Nums(c, su.winner[:])
	state.Nums(c, su.outFree[:])
	state.Nums(c, su.inFree[:])
	state.Fields(c, &su.Counters)
}
