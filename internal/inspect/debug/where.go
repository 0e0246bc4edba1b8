package debug

import (
	"fmt"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/machine/run"
	"emsim/omega"
	"emsim/packet"
	"emsim/trace"
)

// printHere prints the line that ends every motion: the clock, and the state of the PE.
func (d *Debugger) printHere() {
	x := d.peAt(d.pe).EXU()
	about := "the EXU is idle"
	switch {
	case x.Holds:
		about = "holds the packet of " + d.codeText(x.PC)
	case x.Busy && x.Begun:
		about = "runs " + d.codeText(x.PC)
	case x.Busy:
		about = "next " + d.codeText(x.PC)
	}
	d.printf("%s %v %s\n", d.clockText(), d.address(d.pe), about)
}

// clockText returns the clock of the machine and, in parentheses, of the run.
func (d *Debugger) clockText() string {
	return fmt.Sprintf("clock %d (+%d)", d.clock(), d.s.Current.Clock())
}

// where runs the command where, which prints the state of the whole machine.
func (d *Debugger) where(call) {
	m := d.s.Machine
	d.printf("%s, %d of %d PEs busy, %s in flight\n", d.clockText(), m.Busy(), m.Config().PEs,
		plural.Of(m.InFlight(), "packet"))
	busy, matching, waiting, spilled, segments, operands := 0, 0, 0, 0, 0, 0
	for i := range m.Config().PEs {
		p := d.peAt(i)
		x := p.EXU()
		switch {
		case x.Blocked:
			waiting++
		case x.Busy:
			busy++
		case p.FMU().Step != 0:
			matching++
		}
		if p.IBU().MIBWords() > 0 {
			spilled++
		}
		segments += p.SegmentsInUse()
		operands += p.CountWaitingOperands()
	}
	d.printf("  EXUs: %d run, %d wait for the switch; %d more PEs match; %d have packets in the MIB\n", busy, waiting,
		matching, spilled)
	d.printf("  %s in use, %s for a partner\n", plural.Of(segments, "operand segment"), waitText(operands))
	host := lists.Of(m.Net.HostWords(), func(w omega.HostWord) uint64 { return w.Data })
	d.printf("  the host got %s", d.s.ResultText(host, run.MostValues))
	if n := len(m.HostQueue()); n > 0 {
		d.printf(" and has %s to send", plural.Of(n, "packet"))
	}
	d.printf("\n")
	if d.s.Current.Ended() {
		d.ending()
	}
	d.printHere()
}

func waitText(n int) string {
	if n == 1 {
		return "1 operand waits"
	}
	return fmt.Sprintf("%d operands wait", n)
}

// program runs the command program, which prints the program and the machine.
func (d *Debugger) program(call) { d.printf("%s\n", d.s.Title()) }

// symbols runs the command symbols, which lists the program's names that begin with the given text.
func (d *Debugger) symbols(c call) error {
	prefix := strings.Join(c.words, " ")
	found := false
	for _, x := range d.s.Object.Symbols {
		if !strings.HasPrefix(x.Name, prefix) {
			continue
		}
		found = true
		if x.Kind == asm.Constant {
			d.printf("%-20s constant %d\n", x.Name, x.Value)
			continue
		}
		d.printf("%-20s %-8v %#05x  %s\n", x.Name, x.Kind, x.Value, d.source(uint32(x.Value)))
	}
	if !found {
		return errorf("no name of the program begins with %q", prefix)
	}
	return nil
}

// focus runs the command pe, which chooses the PE for the other commands.
func (d *Debugger) focus(x call) error {
	for _, word := range x.words {
		pe, err := d.readPE(word)
		if !peForm.MatchString(word) {
			var n uint64
			if n, err = readNumber(word, "a PE"); err != nil || n >= uint64(d.s.Config().PEs) {
				err = errorf("%q is not a PE: expected [GROUP,MEMBER], such as [0,0], 0.0, or a number 0..%d", word,
					d.s.Config().PEs-1)
			}
			pe = int(n)
		}
		if err != nil {
			return err
		}
		d.pe = pe
	}
	d.printHere()
	return nil
}

// completions returns the labels, sorted.
func (d *Debugger) completions() []string { return slices.Sorted(slices.Values(d.labels())) }

// links runs the command links, which prints the packets in a switch, what they wait for, and which ports are busy.
func (d *Debugger) links(x call) {
	d.slots(x)
	n, t := d.s.Net, d.clock()
	at := d.peAt(x.pe).Address()
	outputs, inputs := n.PortsFree(x.pe)
	for o, name := range []string{"in-group", "out-of-group", "own"} {
		to := "the input buffer"
		if o != omega.Own {
			to = n.Next(at, o).String()
		}
		d.printf("  %-12s output to %s: %s, input: %s\n", name, to, portText(outputs[o], t), portText(inputs[o], t))
	}
}

// Slot is a packet in a switch.
type Slot struct {
	Place  string `json:"place"`
	Packet Packet `json:"packet"`
	By     string `json:"by"`  // the output that it takes
	Why    string `json:"why"` // its action in the next clock, or what it waits for
}

// Slots returns the packets in a PE's switch.
func (d *Debugger) Slots(pe int) []Slot {
	t := d.clock()
	d.peAt(pe) // brings the PE and its pins up to date
	list := []Slot{}
	slots := d.s.Net.Slots(pe, t)
	for i := range slots {
		x := &slots[i]
		place := fmt.Sprintf("%s bank %d", omega.PortName(x.Input), x.Bank)
		if x.Input == omega.Own {
			place = d.portPlace(&x.Packet)
		}
		why := "goes in this clock"
		switch {
		case x.Ready > t:
			why = fmt.Sprintf("ready in clock %d", x.Ready)
		case x.Stuck():
			why = "waits for " + x.Why()
		}
		list = append(list, Slot{place, d.packetOf(&x.Packet), omega.PortName(x.Output), why})
	}
	return list
}

// slots prints the packets in a switch, and in the output buffer before it.
func (d *Debugger) slots(x call) {
	d.printf("switch of %v\n", d.address(x.pe))
	list := d.Slots(x.pe)
	for _, s := range list {
		d.printf("  %-20s %v\n    by %s, %s\n", s.Place, s.Packet, s.By, s.Why)
	}
	if len(list) == 0 {
		d.printf("  no packets\n")
	}
	n := 0
	d.peAt(x.pe).EachBuffered(func(pk *packet.Packet) { // the switch has not received them yet
		if n++; n == 1 {
			d.printf("  after it in the output buffer of %s\n", plural.Of(d.s.Config().OutPackets, "packet"))
		}
		d.printf("    %s\n", d.packet(pk))
	})
}

// portPlace returns where the packet on the switch's own port comes from.
func (d *Debugger) portPlace(pk *packet.Packet) string {
	switch {
	case pk.Src == packet.Host:
		return "from the host"
	case d.s.Config().OutPackets > 0:
		return "from the buffer"
	}
	return "from the EXU"
}

func portText(free, t uint64) string {
	if free > t {
		return fmt.Sprintf("busy until clock %d", free-1)
	}
	return "free"
}

// allLinks prints the switches that hold packets.
func (d *Debugger) allLinks(call) {
	sum := 0
	for pe := range d.s.Config().PEs {
		d.peAt(pe)
		if slots := d.s.Net.Slots(pe, d.clock()); len(slots) > 0 {
			sum += len(slots)
			d.printf("  %-8v %s\n", d.address(pe), d.suText(pe))
		}
	}
	d.printf("%s in the switches\n", plural.Of(sum, "packet"))
}

// level is a quantity of a PE.
type level struct {
	name, doc string
	value     func(p *emcr.PE) int
}

// levels lists the quantities that can be shown, watched, and read in conditions.
var levels = []level{
	{"load", "load value, 0..15", func(p *emcr.PE) int { return int(p.Pins().LoadQ) }},
	{"fifo", "words in the FIFO", func(p *emcr.PE) int { return p.IBU().FIFOWords() }},
	{"mib", "words in the MIB", func(p *emcr.PE) int { return p.IBU().MIBWords() }},
	{"segments", "operand segments in use", (*emcr.PE).SegmentsInUse},
	{"operands", "operands that wait for a partner", (*emcr.PE).CountWaitingOperands},
}

// levelNames returns the names of levels, in the order in which help lists them.
func levelNames() []string {
	return lists.Of(levels, func(l level) string { return l.name })
}

// levelNamed returns the quantity with the given name, which must be one of levelNames.
func levelNamed(name string) level { return levels[slices.Index(levelNames(), name)] }

// loads runs the command loads, which prints a quantity of every PE, groups downwards and members across.
func (d *Debugger) loads(x call) error {
	name, err := oneOf(append(x.words, "load")[0], "quantity", levelNames())
	if err != nil {
		return err
	}
	l := levelNamed(name)
	net := d.s.Net.Topology
	sum := lists.Sum(trace.All(net.N), func(pe int) int { return l.value(d.peAt(pe)) })
	d.printf("%s; sum %d\n  group", l.doc, sum)
	for c := range net.Members {
		d.printf("%6s", fmt.Sprintf("[,%d]", c))
	}
	for g := range net.Groups {
		d.printf("\n  %5s", fmt.Sprintf("[%d,]", g))
		for c := range net.Members {
			cell := fmt.Sprint(l.value(d.peAt(g*net.Members + c)))
			if cell == "0" {
				cell = "."
			}
			d.printf("%6s", cell)
		}
	}
	d.printf("\n")
	return nil
}
