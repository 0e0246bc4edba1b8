package debug

import (
	"cmp"
	"fmt"

	"emsim/asm"
	"emsim/emcr"
	"emsim/internal/base/plural"
	"emsim/packet"
	"emsim/trace"
)

// mostListed is the length of lists unless the user asks for more.
const mostListed = 20

// lines returns the largest number of lines that the command's list may have.
func (x call) lines() int { return int(min(x.number, anyWords)) }

// Packet is the printable form of a packet: its short name, its destination and its content.
type Packet struct {
	ID    string `json:"id"` // [1,2].3 is the third that PE [1,2] made
	About string `json:"about"`
}

// String returns the packet in one line.
func (p Packet) String() string { return p.ID + " " + p.About }

func (d *Debugger) packetOf(p *packet.Packet) Packet {
	return Packet{d.PacketName(trace.IDOf(p)), d.content(p)}
}

// Queues holds the packets that have arrived at a PE, each list oldest first.
type Queues struct {
	Urgent []Packet `json:"urgent"`
	FIFO   []Packet `json:"fifo"`
	MIB    []Packet `json:"mib"`
	Intake *Packet  `json:"intake,omitempty"` // after the switch, before the FIFO
	Coming *uint64  `json:"coming,omitempty"` // clock of the intake's second word, until it arrives
}

// Queues returns the packets in a PE's input buffer.
func (d *Debugger) Queues(pe int) Queues {
	p := d.peAt(pe)
	b := p.IBU()
	all := []Packet{} // the urgent packets, the FIFO and the MIB
	b.Each(func(pk *packet.Packet) { all = append(all, d.packetOf(pk)) })
	urgent := b.UrgentWords() / 2
	fifo := urgent + b.FIFOWords()/2
	q := Queues{Urgent: all[:urgent], FIFO: all[urgent:fifo], MIB: all[fifo:]}
	if pins := p.Pins(); pins.InFull {
		in := d.packetOf(&pins.In)
		if q.Intake = &in; pins.InReady > d.clock() {
			q.Coming = &pins.InReady
		}
	}
	return q
}

// queues runs the command queues, which lists the packets of an input buffer, oldest first.
func (d *Debugger) queues(x call) {
	p, q, most := d.peAt(x.pe), d.Queues(x.pe), x.lines()
	list := func(packets []Packet) {
		for _, pk := range packets[:min(len(packets), most)] {
			d.printf("  %v\n", pk)
		}
	}
	if n := len(q.Urgent); n > 0 {
		d.printf("urgent packets of %v: %s, ahead of all others\n", p.Address(), plural.Of(n, "packet"))
		list(q.Urgent)
	}
	d.printf("FIFO of %v: %d of %d words\n", p.Address(), p.IBU().FIFOWords(), d.s.Config().FIFOWords)
	list(q.FIFO)
	if len(q.MIB) == 0 {
		d.printf("MIB: empty\n")
	} else {
		d.printf("MIB: %d of %d words\n", p.IBU().MIBWords(), d.s.Config().MIBWords)
		list(q.MIB)
	}
	if longest := max(len(q.Urgent), len(q.FIFO), len(q.MIB)); longest > most {
		d.printf("  and more: 'queues %v %d' lists all\n", p.Address(), longest)
	}
	if q.Intake != nil {
		when := "in the intake"
		if q.Coming != nil {
			when = fmt.Sprintf("arriving, with its second word in clock %d", *q.Coming)
		}
		d.printf("%s: %v\n", when, *q.Intake)
	}
	if f := p.FMU(); f.Step != emcr.FMUIdle {
		d.printf("in the FMU: %s\n", d.fmuText(p))
	}
}

// Segment is an operand segment in use.
type Segment struct {
	Base     uint32    `json:"base"`
	Template string    `json:"template"`
	Live     bool      `json:"live"` // an operand has arrived
	Operands []Operand `json:"operands"`
}

// Operand is an operand that waits for its partner.
type Operand struct {
	Displacement uint32 `json:"displacement"`
	Node         string `json:"node"`
	Have         string `json:"have"` // the operand that has arrived: left or right
	Wants        string `json:"wants"`
	Value        string `json:"value"`
}

// Segments returns the first operand segments in use in a PE, at most `most` of them, and whether there are more.
func (d *Debugger) Segments(pe, most int) (list []Segment, more bool) {
	list = []Segment{}
	d.peAt(pe).EachSegment(func(s emcr.Segment) bool {
		if len(list) == most {
			more = true
			return false
		}
		x := Segment{Base: s.Base, Template: d.label(s.Template), Live: s.Live, Operands: []Operand{}}
		for _, w := range s.Operands {
			other := packet.Left
			if w.Have == packet.Left {
				other = packet.Right
			}
			x.Operands = append(x.Operands, Operand{
				w.Displacement, d.label(s.Template + w.Displacement),
				w.Have.String(), other.String(), d.value(w.Data),
			})
		}
		list = append(list, x)
		return true
	})
	return list, more
}

// segments runs the command segments, which lists the operand segments in use with their waiting operands.
func (d *Debugger) segments(x call) {
	p := d.peAt(x.pe)
	d.printf("operand segments of %v: %d of %d in use, %s for a partner\n", p.Address(), p.SegmentsInUse(),
		d.s.Config().Segments, waitText(p.CountWaitingOperands()))
	list, more := d.Segments(x.pe, x.lines())
	for _, s := range list {
		state := map[bool]string{false: "  allocated, no operand has arrived yet"}[s.Live]
		d.printf("  %#x  %s%s\n", s.Base, s.Template, state)
		for _, w := range s.Operands {
			d.printf("    +%-3d %-12s %v operand %s, waits for the %v one\n", w.Displacement, w.Node, w.Have, w.Value,
				w.Wants)
		}
	}
	if more {
		d.printf("  and more: 'segments %v %d' lists all\n", p.Address(), p.SegmentsInUse())
	}
}

// examine runs the command x, which prints memory words.
func (d *Debugger) examine(x call) error {
	if len(x.words) == 0 {
		return errorf("x needs an address or a label, and optionally a number of words: x 0x30000 8")
	}
	addr, err := d.readAddress(x.words[0])
	if err != nil {
		return err
	}
	p := d.peAt(x.pe)
	d.printf("memory of %v: %s\n", p.Address(), p.Layout(addr))
	for a := uint64(addr); a < min(uint64(addr)+x.number, asm.MemoryWords); a++ {
		at := uint32(a)
		v := p.Memory().Read(at)
		text := d.value(v)
		if in := d.Instruction(at); in != "" {
			text = in
		}
		if base, used := p.SegmentOf(at); used && base == at {
			text = "operand segment of " + d.label(uint32(v))
		}
		if m := waiting(p, at); m != packet.One {
			text += fmt.Sprintf(", the %v operand waits", m)
		}
		d.printf("  %#07x %-16s %#12x  %s\n", at, d.s.Object.NameAt(at), v, text)
	}
	return nil
}

// list runs the command list, which prints the code around an address, or around the EXU's instruction.
func (d *Debugger) list(c call) error {
	x, f := d.peAt(c.pe).EXU(), d.peAt(c.pe).FMU()
	addr, around := x.PC, uint32(5)
	for _, word := range c.words {
		var err error
		if addr, err = d.readAddress(word); err != nil {
			return err
		}
		around = 0
	}
	if d.s.Object.SectionAt(addr) == nil {
		return errorf("%#x is not in the program", addr)
	}
	first := addr - min(addr, around)
	for a := first; uint64(a) < uint64(first)+c.number && d.s.Object.SectionAt(a) != nil; a++ {
		mark := "  "
		switch {
		case x.Busy && a == x.PC:
			mark = "=>"
		case f.Step != 0 && a == f.PC:
			mark = "f>"
		}
		d.printf("%s %#05x %s\n", mark, a, d.codeLine(c.pe, a))
	}
	return nil
}

// codeLine returns a line for a word of the program: its label, instruction and source line.
func (d *Debugger) codeLine(pe int, addr uint32) string {
	text := cmp.Or(d.Instruction(addr), fmt.Sprintf(".word %d", d.peAt(pe).Memory().Read(addr)))
	return fmt.Sprintf("%-14s %-28s %s", d.label(addr), text, d.source(addr))
}
