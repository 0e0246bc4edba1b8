package debug

import (
	"fmt"

	"emsim/emcr"
	"emsim/internal/plural"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// units is the command units: what each unit of a PE is doing, and why it waits.
func (d *Debugger) units(pe int) {
	p := d.at(pe)
	why := map[string]string{}
	waits, _ := d.s.Preview(pe)
	for _, x := range waits {
		if x.Status.IsWait() {
			why[x.Unit] = ", waits for " + x.For
		}
	}
	d.printf("PE %v, number %d, at %s\n", p.Address(), pe, d.clockText())
	d.printf("  EXU  %s%s\n", d.exuText(p), why["EXU"])
	d.printf("  FMU  %s%s\n", d.fmuText(p), why["FMU"])
	b := p.IBU()
	ibu := fmt.Sprintf("FIFO %d of %d words, MIB %d of %d", b.FIFOWords(), d.s.Config().FIFOWords, b.MIBWords(), d.s.Config().MIBWords)
	if n := b.UrgentWords() / 2; n > 0 {
		ibu += ", " + plural.Of(n, "urgent packet")
	}
	if t := b.TransferName(); t != "" {
		ibu += ", in the middle of a " + t
	}
	d.printf("  IBU  %s%s\n", ibu, why["IBU"])
	if d.s.Config().OutPackets > 0 {
		d.printf("  OUT  %s\n", d.outText(p))
	}
	d.printf("  SU   %s\n", d.suText(pe))
	d.printf("  load %d, %d of %d operand segments in use, %s for a partner\n", p.Pins().LoadQ, p.SegmentsInUse(), d.s.Config().Segments, waitText(p.CountWaitingOperands()))
	if f := p.Fault(); f != nil {
		d.printf("  has a fault: %v\n", f)
	}
}

// exuText says what the EXU is doing or, if it is idle, why.
func (d *Debugger) exuText(p *emcr.PE) string {
	x := p.EXU()
	switch {
	case x.Holds:
		return fmt.Sprintf("holds packet %s, of %s", d.packet(&p.Pins().Out), d.code(x.PC))
	case x.Begun:
		return fmt.Sprintf("runs %s, %s to go", d.code(x.PC), plural.Of(x.Left, "clock"))
	case x.Busy:
		return "next " + d.code(x.PC)
	case p.FMU().Step == emcr.FMUReady:
		return "idle, takes the FMU's node"
	case p.FMU().Step != emcr.FMUIdle || p.IBU().Head() != nil:
		return "idle: no node yet, the FMU has packets"
	case p.IBU().MIBWords() > 0:
		return "idle: the packets are still in the MIB"
	case p.CountWaitingOperands() > 0:
		return "idle: operands are here whose partners have not come"
	}
	return "idle: nothing to do"
}

func (d *Debugger) fmuText(p *emcr.PE) string {
	f := p.FMU()
	switch f.Step {
	case emcr.FMUWrite:
		return "finds no partner and will store packet " + d.packet(&f.Packet)
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

// outText counts the packets in the output buffer.
func (d *Debugger) outText(p *emcr.PE) string {
	n := 0
	p.EachBuffered(func(*packet.Packet) { n++ })
	if pins := p.Pins(); pins.OutFull && pins.Out.Src != packet.Host {
		n++ // the one on the port
	}
	return fmt.Sprintf("%d of %s in the output buffer", n, plural.Of(d.s.Config().OutPackets, "packet"))
}

// suText counts the packets in the switch.
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
	return fmt.Sprintf("%s, %d on the way or waiting: 'links %v' shows them", plural.Of(len(slots), "packet"), waits, d.address(pe))
}

// registers is the command: the registers that are not 0, and the special
// ones.
func (d *Debugger) registers(pe int) {
	p := d.at(pe)
	x := p.EXU()
	if !x.Busy {
		d.printf("the EXU of %v runs no block; what the last one left:\n", p.Address())
	} else {
		d.printf("PE %v, %s\n", p.Address(), d.code(x.PC))
	}
	for r, v := range x.Regs {
		name := fmt.Sprintf("r%d", r)
		if r == isa.FP {
			name = "fp"
		}
		if v != 0 {
			d.printf("  %-4s %#10x  %s\n", name, v, d.value(v))
		}
	}
	d.printf("  the others are 0\n  special:")
	for i, name := range isa.SpecialNames {
		v := p.Special(isa.Special(i), d.clock())
		if isa.Special(i) == isa.SpecialMLPE && v != 0 {
			d.printf(" %s=%s", name, d.value(v))
			continue
		}
		d.printf(" %s=%d", name, v)
	}
	d.printf("\n")
}
