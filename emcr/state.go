package emcr

import "emsim/internal/base/state"

// State visits everything that can differ between two PEs of one machine, except
// the pins, which the network visits.
func (p *PE) State(c *state.Codec) {
	p.ibu.State(c)
	p.fmu.stateWalk(c)
	p.exu.stateWalk(c)
	p.out.stateWalk(c)
	p.mem.State(c)
	p.seg.state(c)
	p.str.state(c)
	p.prefetch.stateWalk(c, p.cfg.PrefetchRegisters)
	state.Num(c, &p.seq)
	state.Fields(c, &p.Counters)
	p.setLoad()
}
