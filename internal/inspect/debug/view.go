package debug

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/trace"
)

// Activity is the state of a PE between two clocks: a letter, so that a picture of all PEs needs no colours.
type Activity byte

// The activities. A PE has the first one that applies.
const (
	Failed   Activity = '!' // it has a fault
	Blocked  Activity = 'W' // the EXU waits until the switch accepts a packet
	Runs     Activity = 'R' // the EXU runs a block
	Matches  Activity = 'M' // the FMU works on a packet, or has packets
	Operands Activity = 'o' // operands wait for partners that have not arrived
	Quiet    Activity = '.' // nothing to do
	Spills   Activity = 'S' // its IBU uses the memory for the MIB; only Shown and ShownAt return it
)

// activities lists the activities in order, each with its explanation and colour.
var activities = []struct {
	Activity
	doc, colour string
}{
	{Failed, "failed", "1;31;7"},
	{Blocked, "blocked", "33"},
	{Runs, "runs", "32"},
	{Matches, "matches", "36"},
	{Operands, "operands", "35"},
	{Quiet, "idle", "2"},
}

// View holds what a full-screen view shows of a machine between two motions. It does not change when the machine
// advances.
type View struct {
	*Words
	Program string // the program and the machine
	Clock   string // of the machine and of the run
	Ended   bool   // the run is over
	Chosen  int    // number of the worker that is shown
	Members int    // workers in a group
	Levels  []Level

	Unit  Listing    // the chosen worker: its activity, its waits, and its contents
	Texts [2]Listing // the program's text in two forms; the first may have no lines
	Items Listing    // that the worker holds, or that are on their way
}

// Words holds a machine's names for its parts.
type Words struct {
	Worker, Groups string
	Keys           map[string]string // explanations of keys; all machines share the meaning of any other key
	Help           []string
}

// Level is a quantity of all workers.
type Level struct {
	Name, Doc string
	Cells     []Cell // by worker
}

// Cell is the picture of one worker: a letter or digit, and a colour as the numbers of an ANSI SGR sequence.
type Cell struct {
	Letter byte
	Colour string
}

// Amount returns the cell of a number: a dot for 0, a digit below `most`, which is at most 16, otherwise +. The colour
// says whether it is nothing, little or much.
func Amount(v, most int) Cell {
	if v >= most {
		return Cell{'+', "31"}
	}
	return Cell{".123456789abcdef"[v], []string{"2", "32", "33", "31"}[min(v, 1)+min(2, v/5)]}
}

// Listing is a list of lines with a title.
type Listing struct {
	Title   string
	Lines   []string
	Current int // index of the current line, if any
}

// em4Words holds the words for the EM-4.
var em4Words = &Words{
	Worker: "PE", Groups: "groups",
	Keys: map[string]string{
		"s": "step one clock", "S": "step 10 clocks", "b": "go back one clock", "B": "go back 10 clocks",
		"f":  "finish the block of the PE's EXU",
		"up": "the same member of the group before or after",
		"v":  "machine: activity, load, FIFO, MIB, segments, operands", "a": "source or instructions",
	},
	Help: []string{
		"The machine's pane has a letter for each PE, groups by members; > marks the chosen one.",
		"For quantities a dot means 0 and + means 10 or more; loads are hexadecimal.",
	},
}

// View returns the current state of the machine.
func (d *Debugger) View() *View {
	l := &View{
		Words: em4Words, Program: d.s.Heading(), Clock: d.clockText(), Ended: d.s.Current.Ended(), Chosen: d.pe,
		Members: d.s.Net.Members,
	}
	show := func(name, doc string, cell func(p *emcr.PE) Cell) {
		cells := lists.Of(trace.All(d.s.Config().PEs), func(pe int) Cell { return cell(d.peAt(pe)) })
		l.Levels = append(l.Levels, Level{name, doc, cells})
	}
	list, colours := []string(nil), map[Activity]string{}
	for _, a := range activities {
		list, colours[a.Activity] = append(list, fmt.Sprintf("%c %s", a.Activity, a.doc)), a.colour
	}
	show("activity", strings.Join(list, "  "),
		func(p *emcr.PE) Cell { return Cell{byte(activity(p)), colours[activity(p)]} })
	for _, x := range levels {
		show(x.name, x.doc, func(p *emcr.PE) Cell {
			return Amount(x.value(p),
				map[bool]int{true: 16, false: 10}[x.name == "load"])
		})
	}
	l.Unit = Listing{Title: fmt.Sprintf("PE %v", d.address(d.pe)), Lines: lists.Of(d.captured((*Debugger).units)[1:],
		func(t string) string { return strings.TrimPrefix(t, "  ") })}
	l.Unit.Lines = slices.Concat(l.Unit.Lines,
		lists.Of(d.Locals(d.pe), func(w Word) string { return w.Name + " = " + w.Text }), d.registerLines(d.pe))
	l.Items = Listing{Title: "packets", Lines: append(d.captured((*Debugger).queues), d.captured((*Debugger).slots)...)}
	l.Texts[0], l.Texts[1] = d.listings(d.pe)
	return l
}

// captured returns the lines that a command prints for the PE of the prompt.
func (d *Debugger) captured(command func(d *Debugger, x call)) []string {
	var text bytes.Buffer
	out := d.Output(&text)
	defer d.Output(out)
	command(d, call{pe: d.pe, number: anyWords})
	return lines(text.String())
}

// Output redirects the debugger's output to w, and returns the previous writer.
func (d *Debugger) Output(w io.Writer) io.Writer {
	old := d.out
	d.out = w
	return old
}

// lines splits a command's text into lines.
func lines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

// Activity returns the activity of a PE.
func (d *Debugger) Activity(pe int) Activity { return activity(d.peAt(pe)) }

// Shown returns the current activity of a PE of the run, as ShownAt does.
func (d *Debugger) Shown(pe int) Activity { return ShownAt(d.peAt(pe), d.s.Clock()) }

// ShownAt returns the activity of a PE for pictures, in which spilling takes precedence over everything but a fault
// and a blocked EXU. The clock is the machine's.
func ShownAt(p *emcr.PE, clock uint64) Activity {
	a, b := activity(p), p.IBU()
	if a != Failed && a != Blocked && (b.TransferName() != "" || b.Request(p.Pins(), clock).UsesMemory()) {
		return Spills
	}
	return a
}

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

// registerLines returns the registers that are not 0, one per line.
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

// around is the number of lines that a listing has before and after the current one.
const around = 100

// listings returns the program's text and its code around the instruction that the EXU executes. If the EXU is idle,
// they are around the FMU's node or the last instruction.
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

// sourceAround returns the source text around a code address.
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

// headForGo returns the number of lines at the head of a source text that only keep the Go tool from taking the file
// for Go assembly language.
func headForGo(text []string) int {
	n := slices.IndexFunc(text, func(line string) bool { return !strings.HasPrefix(line, "//") })
	if n > 0 && text[0] == "//go:build ignore" && text[n] == "" {
		return n + 1
	}
	return 0
}

// sourceText returns the lines of a source file, or nil if it cannot be read.
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
	d.texts[file] = list
	return list
}

// codeAround returns the code around an address, as 'list' shows it.
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
