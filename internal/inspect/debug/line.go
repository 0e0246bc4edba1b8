package debug

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/inspect/portrait"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// instanceOf returns the segment of the block that a PE runs or begins next; 0 stands for system code.
func (d *Debugger) instanceOf(p *emcr.PE, v *view) uint32 {
	base, used := p.SegmentOf(p.Format().Cont(v.registers()[isa.FP]).Addr)
	if !used {
		return 0
	}
	template := uint32(p.Memory().Read(base))
	if name := d.label(template); strings.Contains(name, ".more") { // a further segment of an instance
		first, _ := d.readAddress(name + ".first")
		return p.Format().Cont(p.Memory().Read(base + first - template)).Addr
	}
	return base
}

// instanceName returns the function, the PE and the segment of an instance, or only the PE for system code.
func (d *Debugger) instanceName(p *emcr.PE, base uint32) string {
	if base == 0 {
		return fmt.Sprintf("%v", p.Address())
	}
	return fmt.Sprintf("%s %v %#x", d.label(uint32(p.Memory().Read(base))), p.Address(), base)
}

// stopAhead makes s trigger before the clock in which a PE comes to a place. at describes the place if the PE is
// about to come to it or is already there; otherwise it returns "".
func (s *stop) stopAhead(d *Debugger, at func(p *emcr.PE, v *view) string) {
	text := ""
	s.ahead = true
	s.name = func(*Debugger, int) string { return text }
	s.value = func(p *emcr.PE) reading {
		v := viewOf(p)
		found := at(p, &v)
		if found == "" {
			return reading{}
		}
		text = found
		pc, _, _ := v.next()
		return reading{word: 1 + uint64(pc) + v.blocks<<32}
	}
}

// lineForm matches a line of a source file.
var lineForm = regexp.MustCompile(`^(.+):(\d+)$`)

// readLine parses a breakpoint at a line of the source text.
func (d *Debugger) readLine(s *stop, words []string) error {
	file, line, err := d.readPlace(words[0])
	if err == nil {
		err = d.hasCode(file, line)
	}
	if err := cmp.Or(atMost(words, 1), err); err != nil {
		return err
	}
	s.stopAhead(d, func(p *emcr.PE, v *view) string {
		text := ""
		s.many = 0
		for _, x := range d.comesTo(v) {
			if x.file == file && x.line() == line {
				text = fmt.Sprintf("%s comes to %s", d.instanceName(p, d.instanceOf(p, v)), d.lineText(x))
				s.many++
			}
		}
		return text
	})
	return nil
}

// readPlace parses FILE:LINE, where FILE is the name of a source file or the end of its path.
func (d *Debugger) readPlace(word string) (file string, line int, err error) {
	m := lineForm.FindStringSubmatch(word)
	files := slices.Clone(d.s.Object.Files)
	for _, l := range d.s.Object.Lines {
		for _, b := range d.siteAt(l.Addr).begins {
			if !slices.Contains(files, b.at.file) { // none of its statements has code of its own
				files = append(files, b.at.file)
			}
		}
	}
	found := lists.Where(files, func(f string) bool { return strings.HasSuffix("/"+f, "/"+m[1]) })
	switch len(found) {
	case 1:
		line, _ = strconv.Atoi(m[2])
		return found[0], line, nil
	case 0:
		names := lists.Of(files, filepath.Base)
		return "", 0, errorf("the program has no source file %q: it has %s%s", m[1], strings.Join(names, ", "),
			suggest.DidYouMean(m[1], names))
	}
	return "", 0, errorf("%q can be %s", m[1], strings.Join(found, " or "))
}

// hasCode returns an error if no statement or function begins in the line. The error names the nearest lines where one
// does.
func (d *Debugger) hasCode(file string, line int) error {
	var lines []int
	for _, l := range d.s.Object.Lines {
		if d.s.Object.SectionAt(l.Addr) == nil || d.Instruction(l.Addr) == "" {
			continue
		}
		s := d.siteAt(l.Addr)
		begins := s.begins
		if s.detail == "" {
			begins = []beginning{{always, s}}
		}
		for _, b := range begins {
			if b.at.file == file {
				lines = append(lines, b.at.line())
			}
		}
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	i, found := slices.BinarySearch(lines, line)
	switch {
	case found:
		return nil
	case len(lines) == 0:
		return errorf("%s has no code", filepath.Base(file))
	}
	near := lists.Of(lines[max(0, i-1):min(len(lines), i+1)], strconv.Itoa)
	return errorf("%s has no code: the nearest lines with code are %s",
		sourceLine(file, line), strings.Join(near, " and "))
}

// chosenInstance returns the instance that a command means: the one at the given segment address or, without an
// address, the one whose block the PE runs or begins next. If the PE runs none, it returns the instance that the last
// step chose.
func (d *Debugger) chosenInstance(x call) (portrait.Segment, error) {
	p := d.peAt(x.pe)
	if len(x.words) > 0 {
		n, err := readNumber(x.words[0], "an operand segment")
		base, _ := p.SegmentOf(uint32(n))
		if err != nil || n>>32 != 0 || !p.Instance(base) {
			return portrait.Segment{}, cmp.Or(err,
				errorf("%v has no instance at %s: 'tree %v' lists them", p.Address(), x.words[0], p.Address()))
		}
		return portrait.Segment{PE: x.pe, Base: base}, nil
	}
	if here, ok := d.running(x.pe); ok {
		return here.Segment, nil
	}
	if s := d.chosen; s.PE == x.pe && d.peAt(s.PE).Instance(s.Base) {
		return s, nil
	}
	return portrait.Segment{}, errorf("the EXU of %v runs no block: 'tree %v' lists the instances there, and the "+
		"address of one's segment chooses it", p.Address(), p.Address())
}

// running returns the instance whose block a PE runs or begins next, if any.
func (d *Debugger) running(pe int) (here presence, ok bool) {
	p := d.peAt(pe)
	v := viewOf(p)
	pc, _, ok := v.next()
	if !ok && !v.exu.Busy {
		return presence{}, false
	}
	return presence{portrait.Segment{PE: pe, Base: d.instanceOf(p, &v)}, pc, false, v}, true
}

// stepLine returns a command that continues to another line of one instance. over skips inlined calls, and out leaves
// the current call.
func stepLine(over, out bool) func(*Debugger, call) error {
	return func(d *Debugger, x call) error {
		at, err := d.chosenInstance(x)
		if err != nil {
			return err
		}
		d.chosen = at
		most := 1 << 30 // the largest number of lines in a site's chain of inlined calls
		var calls []int
		if here, runs := d.running(at.PE); runs && here.Base == at.Base && d.siteAt(here.pc) != nil {
			calls = d.siteAt(here.pc).lines
		}
		switch {
		case out && len(calls) < 2:
			return d.leave(x, at)
		case out:
			most = len(calls) - 1
		case over && calls != nil:
			most = len(calls)
		}
		s := &stop{pes: []int{at.PE}, times: 1}
		s.stopAhead(d, func(p *emcr.PE, v *view) string {
			if d.over(p, v, at.Base) {
				return "the instance has ended"
			}
			places := d.comesTo(v)
			if pc, _, ok := v.next(); out && ok && d.siteAt(pc) != nil {
				places = []*site{d.siteAt(pc)}
			}
			for _, s := range slices.Backward(places) {
				if d.instanceOf(p, v) == at.Base && len(s.lines) <= most {
					return fmt.Sprintf("%s comes to %s", d.instanceName(p, at.Base), d.lineText(s))
				}
			}
			return ""
		})
		return d.moveTo(x.ctx, em4.ToEnd, s)
	}
}

// over reports whether an instance has ended. System code has no instance: its block must have ended.
func (d *Debugger) over(p *emcr.PE, v *view, base uint32) bool {
	if base == 0 {
		return !v.exu.Busy
	}
	return !p.Instance(base)
}

// leave continues until the next value that an instance sends to its caller arrives. That is its result if it sends
// nothing else.
func (d *Debugger) leave(x call, at portrait.Segment) error {
	f, err := d.growTree(x.ctx)
	if err != nil {
		return err
	}
	me := f.Live[at]
	if me == nil || me.Parent == nil {
		return errorf("the host called it: 'continue' goes to its result")
	}
	by := portrait.Segment{PE: me.Parent.PE, Base: me.Parent.Base}
	sent, nodes := map[trace.ID]bool{}, map[uint32]bool{} // to the caller: the packets, and their destinations
	s := &stop{pes: slices.Compact(slices.Sorted(slices.Values([]int{at.PE, by.PE}))), times: 1}
	s.event = func(d *Debugger, e *trace.Event) string {
		if e.Kind != trace.Made || int(e.PE) != at.PE || d.instanceRunning(at.PE) != at.Base ||
			d.s.Net.Index(e.Packet.Dest) != by.PE {
			return ""
		}
		p := d.peAt(by.PE)
		if base, _ := p.SegmentOf(e.Packet.Addr); base == by.Base && !e.Packet.Direct {
			node, _ := p.NodeAddress(&e.Packet)
			sent[trace.IDOf(&e.Packet)], nodes[node] = true, true
		}
		return ""
	}
	s.stopAhead(d, func(p *emcr.PE, v *view) string {
		if len(sent) == 0 && d.over(d.peAt(at.PE), nil, at.Base) {
			return "the instance has ended"
		}
		own := sent[trace.IDOf(&v.fmu.Packet)] ||
			v.fmu.Packet.Match != packet.One // if the node needs two operands, the other one may arrive last
		if pc, begins, ok := v.next(); !ok || !begins || !own || !nodes[pc] || d.s.Net.Index(p.Address()) != by.PE ||
			d.instanceOf(p, v) != by.Base {
			return ""
		}
		d.chosen = by
		text := fmt.Sprintf("%s receives the packet that was sent", d.instanceName(p, by.Base))
		if s := d.siteAt(v.fmu.PC); s != nil {
			text += ", at " + d.lineText(s)
		}
		return text
	})
	return d.moveTo(x.ctx, em4.ToEnd, s)
}

// stepHelp explains steps by line.
const stepHelp = `The instance is the one whose block the PE runs or begins next, or the one that was
stepped last, or the one whose operand segment is at an address. All other instances continue,
including those that it calls. Calls of short functions, and tests that end a call at once,
are inlined, and run in the same instance: 'line' shows their lines, 'over' does not.`

// variableHelp explains variables.
const variableHelp = `The instance is found as for 'line'. Values are those before the next instruction. The
compiler keeps a value as long as it is needed; the result of a call in progress is not there yet.`

// lineCommands returns the commands for the lines of the source.
func lineCommands() group {
	return group{"Lines of the source", []command{
		{
			name: "line", args: "[SEGMENT] [PE]", doc: "continue to another line of the same instance, or to its end",
			repeats: true, own: 1, more: stepHelp, run: stepLine(false, false),
		},
		{
			name: "over", short: []string{"next"}, args: "[SEGMENT] [PE]",
			doc: "the same, but not into inlined calls", repeats: true, own: 1, more: stepHelp,
			run: stepLine(true, false),
		},
		{
			name: "out", args: "[SEGMENT] [PE]", doc: "continue to the caller's line where the result arrives",
			repeats: true,
			own:     1, more: stepHelp, run: stepLine(false, true),
		},
		{
			name: "print", short: []string{"p"}, args: "NAME [SEGMENT] [PE]",
			doc: "a variable of the instance, as Go prints it", own: 2, more: variableHelp,
			run: (*Debugger).printVariable,
		},
		{
			name: "locals", args: "[SEGMENT] [PE]", doc: "all variables of the instance", own: 1, more: variableHelp,
			run: (*Debugger).locals,
		},
		{
			name: "waiting", args: "[FILE:LINE] [PE] [N]", doc: "the instances that wait, since when and for what",
			own: anyWords, run: (*Debugger).waiting,
			more: "Only what happened since the beginning, or since the checkpoint, is known. N is how many lines to " +
				"show.",
		},
	}}
}
