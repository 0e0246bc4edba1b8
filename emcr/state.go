package emcr

import "emsim/internal/state"

// State visits everything that can differ between two PEs of one machine, but
// for the pins, which the network visits.
func (p *PE) State(c *state.Codec) {
	p.ibu.State(c)
	p.fmu.stateWalk(c)
	p.exu.stateWalk(c)
	p.out.stateWalk(c)
	p.mem.State(c)
	p.seg.state(c)
	p.str.state(c)
	p.mlpe.stateWalk(c, p.cfg.Prefetch)
	state.Num(c, &p.seq)
	state.Fields(c, &p.Counters)
	p.setLoad()
}
