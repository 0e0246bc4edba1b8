package debug

import (
	"fmt"
	"slices"
	"strings"

	"emsim/asm"
	"emsim/internal/base/plural"
)

// here is the line that ends every motion: the clock, and what the PE is
// doing.
func (d *Debugger) here() {
	x := d.at(d.pe).EXU()
	about := "the EXU is idle"
	switch {
	case x.Holds:
		about = "holds the packet of " + d.code(x.PC)
	case x.Busy && x.Begun:
		about = "runs " + d.code(x.PC)
	case x.Busy:
		about = "next " + d.code(x.PC)
	}
	d.printf("%s %v %s\n", d.clockText(), d.address(d.pe), about)
}

// clockText is the clock of the machine and of the run.
func (d *Debugger) clockText() string {
	return fmt.Sprintf("clock %d (+%d)", d.clock(), d.s.Current.Clock())
}

// where is the command: the machine as a whole.
func (d *Debugger) where(call) {
	m := d.s.Machine
	d.printf("%s, %d of %d PEs busy, %s in flight\n", d.clockText(), m.Busy(), m.Config().PEs, plural.Of(m.InFlight(), "packet"))
	busy, matching, waiting, spilled, segments, operands := 0, 0, 0, 0, 0, 0
	for i := range m.Config().PEs {
		p := d.at(i)
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
	d.printf("  EXUs: %d run, %d wait for the switch; %d more PEs match; %d have packets in the MIB\n", busy, waiting, matching, spilled)
	d.printf("  %s in use, %s for a partner\n", plural.Of(segments, "operand segment"), waitText(operands))
	var host []uint64
	for _, w := range m.Net.Host() {
		host = append(host, w.Data)
	}
	d.printf("  the host got %s", words(host))
	if n := len(m.HostQueue()); n > 0 {
		d.printf(" and has %s to send", plural.Of(n, "packet"))
	}
	d.printf("\n")
	if d.s.Current.Ended() {
		d.ending()
	}
	d.here()
}

func waitText(n int) string {
	if n == 1 {
		return "1 operand waits"
	}
	return fmt.Sprintf("%d operands wait", n)
}

// program says what runs on which machine.
func (d *Debugger) program(call) {
	text := d.commandText()
	for i := range d.s.Object.Params {
		text += " " + d.s.Object.Params[i].Name + "=" + d.s.Object.Params[i].Chosen()
	}
	d.printf("%s on %s\n", text, d.machineText())
}

// commandText is the program with its arguments.
func (d *Debugger) commandText() string {
	text := d.s.Name
	for _, a := range d.s.Args {
		text += fmt.Sprintf(" %d", a)
	}
	return text
}

// machineText is the machine with its size and seed.
func (d *Debugger) machineText() string {
	return fmt.Sprintf("%s, %d PEs, seed %d", d.s.MachineName, d.s.Config().PEs, d.s.Seed)
}

// symbols is the command: names of the program that begin with a text.
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

// focus is the command pe, which sets the PE of the other commands.
func (d *Debugger) focus(x call) error {
	for _, word := range x.words {
		pe, err := d.readPE(word)
		if !looksPE.MatchString(word) {
			var n uint64
			if n, err = readNumber(word, "a PE"); err != nil || n >= uint64(d.s.Config().PEs) {
				err = errorf("%q is not a PE: expected [GROUP,MEMBER], such as [0,0], 0.0, or a number 0..%d", word, d.s.Config().PEs-1)
			}
			pe = int(n)
		}
		if err != nil {
			return err
		}
		d.pe = pe
	}
	d.here()
	return nil
}

// completions lists the possible values of a word of a command.
func (d *Debugger) completions() []string {
	list := slices.Clone(d.labels())
	slices.Sort(list)
	return list
}
