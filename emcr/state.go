package emcr

import "emsim/internal/base/state"

// State visits the parts of the state that can differ between two PEs of one machine. The network visits the pins.
func (p *PE) State(c *state.Codec) {
	p.ibu.State(c)
	c.In("FMU")
	p.fmu.stateWalk(c)
	c.In("EXU")
	p.exu.stateWalk(c)
	c.In("OUT")
	p.out.stateWalk(c)
	c.In("memory")
	p.mem.State(c)
	c.In("segments")
	p.seg.state(c)
	c.In("structure memory")
	p.str.state(c)
	c.In("MLPE")
	p.prefetch.stateWalk(c, p.cfg.PrefetchRegisters)
	c.In("EXU")
	state.Num(c, &p.seq)
	c.In("statistics")
	state.Fields(c, &p.Counters)
	p.setLoad()
}
