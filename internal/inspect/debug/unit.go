package debug

import (
	"fmt"

	"emsim/emcr"
	"emsim/internal/base/plural"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// Unit describes what a unit of a PE does and what it waits for.
type Unit struct {
	Name  string `json:"name"` // EXU, FMU, IBU, OUT or SU
	Does  string `json:"does"`
	Waits string `json:"waits,omitempty"` // what it waits for, or ""
}

// Units returns what each unit of a PE does, and why it waits.
func (d *Debugger) Units(pe int) []Unit {
	p := d.peAt(pe)
	why := map[string]string{}
	waits, _ := d.s.Preview(pe)
	for _, x := range waits {
		if x.Status.IsWait() {
			why[x.Unit] = x.For
		}
	}
	b := p.IBU()
	ibu := fmt.Sprintf("FIFO %d of %d words, MIB %d of %d", b.FIFOWords(), d.s.Config().FIFOWords, b.MIBWords(),
		d.s.Config().MIBWords)
	if n := b.UrgentWords() / 2; n > 0 {
		ibu += ", " + plural.Of(n, "urgent packet")
	}
	if t := b.TransferName(); t != "" {
		ibu += ", in the middle of a " + t
	}
	list := []Unit{{"EXU", d.exuText(p), why["EXU"]}, {"FMU", d.fmuText(p), why["FMU"]}, {"IBU", ibu, why["IBU"]}}
	if d.s.Config().OutPackets > 0 {
		list = append(list, Unit{Name: "OUT", Does: d.outText(p)})
	}
	return append(list, Unit{Name: "SU", Does: d.suText(pe)})
}

// units runs the command "units", which prints what each unit of a PE is doing.
func (d *Debugger) units(x call) {
	p := d.peAt(x.pe)
	d.printf("PE %v, number %d, at %s\n", p.Address(), x.pe, d.clockText())
	for _, u := range d.Units(x.pe) {
		if u.Waits != "" {
			u.Does += ", waits for " + u.Waits
		}
		d.printf("  %-4s %s\n", u.Name, u.Does)
	}
	d.printf("  load %d, %d of %d operand segments in use, %s for a partner\n", p.Pins().LoadQ, p.SegmentsInUse(),
		d.s.Config().Segments, waitText(p.CountWaitingOperands()))
	if f := p.Fault(); f != nil {
		d.printf("  has a fault: %v\n", f)
	}
}

// exuText describes what the EXU does or, if it is idle, why.
func (d *Debugger) exuText(p *emcr.PE) string {
	x := p.EXU()
	switch {
	case x.Holds:
		return fmt.Sprintf("holds packet %s, of %s", d.packet(&p.Pins().Out), d.codeText(x.PC))
	case x.Begun:
		return fmt.Sprintf("runs %s, %s to go", d.codeText(x.PC), plural.Of(x.Left, "clock"))
	case x.Busy:
		return "next " + d.codeText(x.PC)
	case p.FMU().Step == emcr.FMUReady:
		return "idle, takes the FMU's node"
	case p.FMU().Step != emcr.FMUIdle || p.IBU().Head() != nil:
		return "idle: no node yet, the FMU has packets"
	case p.IBU().MIBWords() > 0:
		return "idle: the packets are still in the MIB"
	case p.CountWaitingOperands() > 0:
		return "idle: operands wait for partners that have not arrived"
	}
	return "idle: nothing to do"
}

func (d *Debugger) fmuText(p *emcr.PE) string {
	f := p.FMU()
	switch f.Step {
	case emcr.FMUWrite:
		return "finds no partner and will store packet " + d.packet(&f.Packet)
	case emcr.FMURead:
		return "looks for the partner of packet " + d.packet(&f.Packet)
	case emcr.FMUTemplate:
		return fmt.Sprintf("has matched %s and %s, reads the template's address", d.value(f.Left), d.value(f.Right))
	case emcr.FMUReady:
		return "holds the node " + d.label(f.PC) + " for the EXU"
	}
	if h := p.IBU().Head(); h != nil {
		return "takes packet " + d.packet(h)
	}
	return "idle"
}

// outText returns the number of packets in the output buffer, as text.
func (d *Debugger) outText(p *emcr.PE) string {
	n := 0
	p.EachBuffered(func(*packet.Packet) { n++ })
	if pins := p.Pins(); pins.OutFull && pins.Out.Src != packet.Host {
		n++ // the packet on the port
	}
	return fmt.Sprintf("%d of %s in the output buffer", n, plural.Of(d.s.Config().OutPackets, "packet"))
}

// suText returns the number of packets in the switch, as text.
func (d *Debugger) suText(pe int) string {
	slots := d.s.Net.Slots(pe, d.clock())
	if len(slots) == 0 {
		return "empty"
	}
	waits := 0
	for i := range slots {
		if slots[i].Status != trace.Move {
			waits++
		}
	}
	return fmt.Sprintf("%s, %d on the way or waiting: 'links %v' shows them", plural.Of(len(slots), "packet"), waits,
		d.address(pe))
}

// Word is a named word of a PE.
type Word struct {
	Name  string `json:"name"`
	Value uint64 `json:"value"`
	Text  string `json:"text"` // the value in readable form
}

// Registers returns the registers of a PE's EXU; an idle EXU still has the registers of its
// last block.
func (d *Debugger) Registers(pe int) []Word {
	x := d.peAt(pe).EXU()
	list := make([]Word, isa.Registers)
	for r, v := range x.Regs {
		list[r] = Word{registerName(r), v, d.value(v)}
		if r == isa.FP {
			list[r].Name = "fp"
		}
	}
	return list
}

// Specials returns the special registers of a PE.
func (d *Debugger) Specials(pe int) []Word {
	list := make([]Word, len(isa.SpecialNames))
	for i, name := range isa.SpecialNames {
		v := d.peAt(pe).Special(isa.Special(i), d.clock())
		list[i] = Word{name, v, fmt.Sprint(v)}
		if isa.Special(i) == isa.SpecialMLPE && v != 0 {
			list[i].Text = d.value(v)
		}
	}
	return list
}

// registers runs the command registers, which prints the registers that are not 0, and the special registers.
func (d *Debugger) registers(c call) {
	p := d.peAt(c.pe)
	x := p.EXU()
	if !x.Busy {
		d.printf("the EXU of %v runs no block; what the last one left:\n", p.Address())
	} else {
		d.printf("PE %v, %s\n", p.Address(), d.codeText(x.PC))
	}
	for _, r := range d.Registers(c.pe) {
		if r.Value != 0 {
			d.printf("  %-4s %#10x  %s\n", r.Name, r.Value, r.Text)
		}
	}
	d.printf("  the others are 0\n  special:")
	for _, r := range d.Specials(c.pe) {
		d.printf(" %s=%s", r.Name, r.Text)
	}
	d.printf("\n")
}
