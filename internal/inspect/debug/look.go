package debug

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/packet"
)

// Activity is what a PE is doing between two clocks: a letter, so that a
// picture of all PEs needs no colours.
type Activity byte

// The activities. A PE has the first one that applies.
const (
	Failed   Activity = '!' // it has a fault
	Blocked  Activity = 'W' // the EXU waits for the switch to accept a packet
	Runs     Activity = 'R' // the EXU runs a block
	Matches  Activity = 'M' // the FMU works on a packet, or has packets
	Operands Activity = 'o' // operands wait for partners that have not come
	Quiet    Activity = '.' // nothing to do
)

// Activities lists the activities in order, each with its explanation.
var Activities = []struct {
	Activity
	Doc string
}{
	{Failed, "failed"}, {Blocked, "blocked"}, {Runs, "runs"}, {Matches, "matches"}, {Operands, "operands"}, {Quiet, "idle"},
}

// Look is what a full-screen view shows of the machine between two motions.
// It does not change when the machine moves on.
type Look struct {
	Program  string // what runs on which machine
	Clock    string // of the machine and of the run
	Ended    bool   // the run is over
	Chosen   int    // number of the PE of the prompt
	Net      []packet.PE
	Members  int        // of a group
	Activity []Activity // by PE
	Levels   []Level

	Units     []string // of the chosen PE: what each unit does, what it waits for
	Registers []string // that are not 0
	Packets   []string // in the input buffer and the switch
	Source    Listing  // around the instruction, if the text is known
	Code      Listing  // the instructions around it
}

// Level is a quantity of every PE, as 'loads' shows it.
type Level struct {
	Name, Doc string
	Values    []int // by PE
}

// Listing is lines of a program.
type Listing struct {
	Title   string
	Lines   []string
	Current int // index of the line in progress
}

// Look returns the machine as it is now.
func (d *Debugger) Look() *Look {
	l := &Look{Program: d.s.Heading(), Clock: d.clockText(), Ended: d.s.Current.Ended(), Chosen: d.pe, Net: d.names.PEs, Members: d.s.Net.Members}
	for pe := range d.s.Config().PEs {
		l.Activity = append(l.Activity, activity(d.peAt(pe)))
	}
	for _, x := range levels {
		v := Level{Name: x.name, Doc: x.doc}
		for pe := range d.s.Config().PEs {
			v.Values = append(v.Values, x.value(d.peAt(pe)))
		}
		l.Levels = append(l.Levels, v)
	}
	l.Units = d.captured((*Debugger).units)[1:]
	l.Registers = append(lists.Of(d.Locals(d.pe), func(w Word) string { return w.Name + " = " + w.Text }), d.registerLines(d.pe)...)
	l.Packets = append(d.captured((*Debugger).queues), d.captured((*Debugger).slots)...)
	l.Source, l.Code = d.listings(d.pe)
	return l
}

// captured is what a command prints of the PE of the prompt.
func (d *Debugger) captured(command func(d *Debugger, x call)) []string {
	var text bytes.Buffer
	out := d.Output(&text)
	defer d.Output(out)
	command(d, call{pe: d.pe, number: anyWords})
	return lines(text.String())
}

// Output makes what the debugger shows go to another writer, and returns the one
// before.
func (d *Debugger) Output(w io.Writer) io.Writer {
	old := d.out
	d.out = w
	return old
}

// lines cuts a command's text into lines.
func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// Activity returns what a PE is doing.
func (d *Debugger) Activity(pe int) Activity { return activity(d.peAt(pe)) }

func activity(p *emcr.PE) Activity {
	x := p.EXU()
	switch {
	case p.Fault() != nil:
		return Failed
	case x.Blocked:
		return Blocked
	case x.Busy:
		return Runs
	case p.FMU().Step != emcr.FMUIdle || !p.IBU().Empty():
		return Matches
	case p.CountWaitingOperands() > 0:
		return Operands
	}
	return Quiet
}

// registerLines are the registers that are not 0, one a line.
func (d *Debugger) registerLines(pe int) []string {
	list := []string{}
	if !d.peAt(pe).EXU().Busy {
		list = append(list, "left by the last block:")
	}
	for _, r := range d.Registers(pe) {
		if r.Value != 0 {
			list = append(list, fmt.Sprintf("%-3s  %s", r.Name, r.Text))
		}
	}
	return list
}

// around is how many lines a listing has before and after the current one.
const around = 100

// listings are the program's text and its code around the instruction that the
// EXU executes; if it is idle, around the FMU's node or the last instruction.
func (d *Debugger) listings(pe int) (source, code Listing) {
	x, f := d.peAt(pe).EXU(), d.peAt(pe).FMU()
	at, which := x.Last, "last, "
	switch {
	case x.Busy:
		at, which = x.PC, ""
	case f.Step == emcr.FMUReady:
		at, which = f.PC, "next, "
	}
	source, code = d.sourceAround(at), d.codeAround(pe, at)
	source.Title, code.Title = which+source.Title, which+code.Title
	return source, code
}

// sourceAround is the source text around a code address.
func (d *Debugger) sourceAround(addr uint32) Listing {
	file, line, ok := d.s.Object.LineAt(addr)
	if !ok {
		return Listing{}
	}
	text := d.sourceText(file)
	if line > len(text) {
		return Listing{}
	}
	first := max(headForGo(text), line-1-around)
	l := Listing{Title: fmt.Sprintf("%s:%d", file, line), Current: line - 1 - first}
	for i, t := range text[first:min(len(text), line+around)] {
		l.Lines = append(l.Lines, fmt.Sprintf("%4d  %s", first+i+1, t))
	}
	return l
}

// headForGo is how many lines at the head of a source text only keep Go from
// taking the file for its own assembly language.
func headForGo(text []string) int {
	n := slices.IndexFunc(text, func(line string) bool { return !strings.HasPrefix(line, "//") })
	if n > 0 && text[0] == "//go:build ignore" && text[n] == "" {
		return n + 1
	}
	return 0
}

// sourceText returns the lines of a source file; none if it cannot be read.
func (d *Debugger) sourceText(file string) []string {
	if text, ok := d.texts[file]; ok {
		return text
	}
	var list []string
	text := ""
	if d.Text != nil {
		text, _ = d.Text(file)
	} else {
		text = d.s.SourceText(file)
	}
	if text != "" {
		list = lines(text)
	}
	if d.texts == nil {
		d.texts = map[string][]string{}
	}
	d.texts[file] = list
	return list
}

// codeAround is the code around an address, as 'list' shows it.
func (d *Debugger) codeAround(pe int, addr uint32) Listing {
	l := Listing{Title: d.label(addr)}
	first := addr - min(addr, around)
	for a := first; a < addr+around; a++ {
		if d.s.Object.SectionAt(a) == nil {
			continue
		}
		if a == addr {
			l.Current = len(l.Lines)
		}
		l.Lines = append(l.Lines, d.codeLine(pe, a))
	}
	return l
}
