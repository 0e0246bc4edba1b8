package debug

import (
	"fmt"

	"emsim/emcr"
	"emsim/isa"
	"emsim/mlpe"
	"emsim/packet"
	"emsim/trace"
)

// peAt returns the PE with the given number.
func (d *Debugger) peAt(pe int) *emcr.PE { return d.s.PE(pe) }

// label returns the name of a code address: got1, got1+2, or the number.
func (d *Debugger) label(addr uint32) string { return d.s.Object.CodeName(addr) }

// source returns the source line of a code address, or "".
func (d *Debugger) source(addr uint32) string {
	if file, line, ok := d.s.Object.LineAt(addr); ok {
		return sourceLine(file, line)
	}
	return ""
}

// codeText returns an instruction with its label and source line.
func (d *Debugger) codeText(addr uint32) string {
	text := d.label(addr)
	if s := d.source(addr); s != "" {
		text += " (" + s + ")"
	}
	if in := d.Instruction(addr); in != "" {
		text += ": " + in
	}
	return text
}

// packet returns a packet's name, destination and content.
func (d *Debugger) packet(p *packet.Packet) string { return d.packetOf(p).String() }

func (d *Debugger) content(p *packet.Packet) string {
	switch {
	case p.ToHost:
		return "to the host: " + d.value(p.Data)
	case p.Kind.Search():
		load, best := mlpe.FromPayload(d.peAt(0).Format(), p.Data)
		return fmt.Sprintf("mlpe for %v %s: least load %d, of %v", p.Dest, d.label(p.Addr), load, best)
	}
	node := fmt.Sprintf("%#x", p.Addr)
	if code, ok := d.peAt(d.s.Net.Index(p.Dest)).NodeAddress(p); ok {
		node = d.label(code)
	}
	if p.Match != packet.One {
		node += " " + p.Match.String()
	}
	return fmt.Sprintf("to %v %s: %s", p.Dest, node, d.value(p.Data))
}

// value formats a word. If the word is a continuation of an operand segment in use, or of a system block, the text says
// so.
func (d *Debugger) value(v uint64) string {
	f := d.peAt(0).Format()
	w := isa.Width(f.DataBits)
	text := fmt.Sprintf("%d", w.Signed(v))
	c := f.Cont(v)
	if int(c.PE.GA) >= d.s.Net.Groups || int(c.PE.CA) >= d.s.Net.Members {
		return text
	}
	if name, words, ok := d.s.Object.SymbolAt(c.Addr); c.Match == packet.Block && ok && words == 0 {
		return fmt.Sprintf("%#x = continuation of %v system block %s", v, c.PE, name)
	}
	pe := d.peAt(d.s.Net.Index(c.PE))
	base, used := pe.SegmentOf(c.Addr)
	if !used {
		return text
	}
	template := uint32(pe.Memory().Read(base))
	if c.Addr == base {
		return fmt.Sprintf("%#x = segment %#x (%s) of %v", v, base, d.label(template), c.PE)
	}
	text = fmt.Sprintf("%#x = continuation of %v segment %#x %s", v, c.PE, base, d.label(template+c.Addr-base))
	if c.Match == packet.Left || c.Match == packet.Right {
		text += " " + c.Match.String()
	}
	return text
}

// PacketName returns the short name of a packet, as in traces: [1,2].3 is the third that
// PE [1,2] made.
func (d *Debugger) PacketName(id trace.ID) string { return d.names.PacketName(id) }
