package diff

import (
	"strings"

	"emsim/asm"
	"emsim/internal/base/state"
	"emsim/packet"
)

// codeNames maps the code addresses of a program to hashes of label and operation. These stay the same when the code
// before them changes.
func codeNames(o *asm.Object) map[uint32]uint64 {
	names, text := map[uint32]uint64{}, o.Instructions()
	for _, s := range o.Sections {
		for addr := s.Start; addr < s.Start+s.Size && s.Kind == asm.Code; addr++ {
			label, _, _ := o.SymbolAt(addr)
			operation, _, _ := strings.Cut(text(addr), " ")
			names[addr] = state.Hash([]byte(label + " " + operation))
		}
	}
	return names
}

// actions visits what the units do. It omits values, addresses, and contents that a PE only stores.
func (s *Side) actions(c *state.Codec) {
	num := func(values ...uint64) { state.Nums(c, values) }
	head := func(p *packet.Packet) {
		if p.ToHost {
			num(p.Data)
			return
		}
		code, _ := s.PE(s.Net.Index(p.Dest)).NodeAddress(p)
		num(uint64(p.Src), uint64(p.Kind), uint64(p.Match), uint64(s.Net.Index(p.Dest)), s.names[code])
	}
	for i := range s.Config().PEs {
		p := s.PE(i)
		c.Of(i)
		c.In("SU")
		for _, x := range s.Net.Slots(i, s.Clock()) {
			num(uint64(x.Input), uint64(x.Bank))
			head(&x.Packet)
		}
		c.In("IBU")
		if p.IBU().Each(head); p.Pins().InFull {
			head(&p.Pins().In)
		}
		c.In("FMU")
		num(uint64(p.FMU().Step))
		c.In("EXU")
		if x := p.EXU(); x.Busy {
			num(s.names[x.PC], uint64(x.Left))
		}
		c.In("OUT")
		p.EachBuffered(head)
	}
	c.Of(-1)
	c.In("host")
	for _, w := range s.Net.HostWords() {
		num(w.Data)
	}
}
