package packet

import "emsim/internal/base/state"

// State visits the packet's fields. From is saved but is not part of a digest, because it does not affect the machine.
func (p *Packet) State(c *state.Codec) {
	state.Num(c, &p.Data)
	state.Num(c, &p.Addr)
	state.Num(c, &p.Src)
	state.Num(c, &p.Seq)
	state.Num(c, &p.Dest.GA)
	state.Num(c, &p.Dest.CA)
	state.Num(c, &p.Kind)
	state.Num(c, &p.Match)
	state.Bool(c, &p.Direct)
	state.Bool(c, &p.ToHost)
	if !c.Digest() {
		state.Num(c, &p.From)
	}
}

// State visits the pins, except registers that hold no packet.
func (p *Pins) State(c *state.Codec) {
	c.In("OUT")
	state.Bool(c, &p.OutFull)
	if p.OutFull {
		p.Out.State(c)
		state.Num(c, &p.OutReady)
	}
	c.In("IBU")
	state.Bool(c, &p.InFull)
	if p.InFull {
		p.In.State(c)
	}
	c.In("SU")
	state.Num(c, &p.AcceptedAt)
	state.Num(c, &p.InReady)
	c.In("load")
	state.Num(c, &p.LoadQ)
}
