package debug

import (
	"fmt"

	"emsim/emcr"
	"emsim/internal/plural"
	"emsim/packet"
)

// mostListed bounds lists unless the user asks for more.
const mostListed = 20

// queues is the command: the packets of an input buffer, oldest first.
func (d *Debugger) queues(pe int, most int) {
	p := d.at(pe)
	b := p.IBU()
	var all []*packet.Packet // urgent ones, FIFO, MIB
	b.Each(func(pk *packet.Packet) { all = append(all, pk) })
	longest := 0
	list := func(n int) {
		for _, pk := range all[:min(n, most)] {
			d.printf("  %s\n", d.packet(pk))
		}
		all, longest = all[n:], max(longest, n)
	}
	if n := b.UrgentWords() / 2; n > 0 {
		d.printf("urgent ones of %v: %s, before all others\n", p.Address(), plural.Of(n, "packet"))
		list(n)
	}
	d.printf("FIFO of %v: %d of %d words\n", p.Address(), b.FIFOWords(), d.s.Config().FIFOWords)
	list(b.FIFOWords() / 2)
	if len(all) == 0 {
		d.printf("MIB: empty\n")
	} else {
		d.printf("MIB: %d of %d words\n", b.MIBWords(), d.s.Config().MIBWords)
		list(len(all))
	}
	if longest > most {
		d.printf("  and more: 'queues %v %d' lists all\n", p.Address(), longest)
	}
	if pins := p.Pins(); pins.InFull {
		when := "in the intake"
		if pins.InReady > d.clock() {
			when = fmt.Sprintf("coming, with its second word in clock %d", pins.InReady)
		}
		d.printf("%s: %s\n", when, d.packet(&pins.In))
	}
	if f := p.FMU(); f.Step != emcr.FMUIdle {
		d.printf("in the FMU: %s\n", d.fmuText(p))
	}
}

// segments is the command segments: the operand segments in use with their
// waiting operands.
func (d *Debugger) segments(pe int, most int) {
	p := d.at(pe)
	d.printf("operand segments of %v: %d of %d in use, %s for a partner\n", p.Address(), p.SegmentsInUse(), d.s.Config().Segments, waitText(p.CountWaitingOperands()))
	n := 0
	p.EachSegment(func(s emcr.Segment) bool {
		if n++; n > most {
			d.printf("  and more: 'segments %v %d' lists all\n", p.Address(), p.SegmentsInUse())
			return false
		}
		state := ""
		if !s.Live {
			state = "  taken, no operand has come yet"
		}
		d.printf("  %#x  %s%s\n", s.Base, d.label(s.Template), state)
		for _, w := range s.Operands {
			other := packet.Left
			if w.Have == packet.Left {
				other = packet.Right
			}
			d.printf("    +%-3d %-12s %v operand %s, waits for the %v one\n", w.Displacement, d.label(s.Template+w.Displacement), w.Have, d.value(w.Data), other)
		}
		return true
	})
}
