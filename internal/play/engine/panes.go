package engine

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"emsim/emcr"
	"emsim/internal/base/answer"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/debug"
	"emsim/internal/play/engine/markup"
)

// seenAtOnce is the number of packets of a queue that are not folded [chosen: the units stay in sight].
const seenAtOnce = 4

// packet adds a line about a packet, with a button that follows it, and a note.
func (s *sheet) packet(p debug.Packet, note markup.HTML) {
	s.Add(`<li><button class="link" data-act="follow %s" title="follow this packet">%[1]s</button> %s%s</li>`,
		p.ID, p.About, note)
}

// queue adds the packets of a queue.
func (s *sheet) queue(title markup.HTML, list []debug.Packet) {
	if len(list) == 0 {
		return
	}
	s.Add(`<div>%s<ul class="packets">`, title)
	for i, p := range list {
		if i == seenAtOnce {
			s.Add(`</ul><details class="more"><summary>and %d more</summary><ul class="packets">`, len(list)-i)
		}
		s.packet(p, "")
	}
	s.WriteString("</ul>")
	if len(list) > seenAtOnce {
		s.WriteString("</details>")
	}
	s.WriteString("</div>")
}

// unit adds the beginning of the box of a unit of a PE. For an EXU that waits for nothing, it leaves out what the unit
// does if the pane shows its instruction below.
func (s *sheet) unit(x *Inside, name, note string) {
	s.Add(`<section class="unit" data-unit="%s"><h3>%[1]s<small> %s</small></h3>`, name, note)
	for _, u := range x.Units {
		if u.Name == name && u.Waits != "" {
			s.Add("<p>%s<em> — waits for %s</em></p>", u.Does, u.Waits)
		} else if u.Name == name && (name != "EXU" || x.Code.When == "") {
			s.Add("<p>%s</p>", u.Does)
		}
	}
}

// whoHas matches the unit that has the memory port, in the reason why another unit waits.
var whoHas = regexp.MustCompile(`which the (\w+) has`)

// port says which unit has the memory port while others wait for it.
func (s *sheet) port(x *Inside) {
	has, wait := "", ""
	for _, u := range x.Units {
		if !strings.Contains(u.Waits, "memory port") {
			continue
		}
		if wait != "" {
			wait += " and "
		}
		wait += u.Name
		if m := whoHas.FindStringSubmatch(u.Waits); m != nil && has == "" {
			has = m[1]
		}
	}
	if has != "" {
		s.Add(`<p class="held">memory port: the %s has it, %s %s</p>`, has, wait,
			plural.Verb(1+strings.Count(wait, " and "), "waits", "wait"))
	}
}

// input adds the contents of a PE's input buffer. fifo and mib are the sizes of the FIFO and the MIB in words.
func (s *sheet) input(x *Inside, fifo, mib int) {
	spilled := 0.0
	if x.MIBWords > 0 {
		spilled = max(3, 100*float64(x.MIBWords)/float64(mib)) // so that it can be seen
	}
	s.Add(`<div class="meter" aria-hidden="true"><svg><rect class="fifo" width="%.4g%%" height="100%%"/></svg>`+
		`<svg><rect class="mib" width="%.4g%%" height="100%%"/></svg></div>`,
		min(100, 100*float64(x.FIFOWords)/float64(fifo)), min(100, spilled))
	q := &x.Queues
	if q.Intake != nil && q.Coming != nil {
		s.queue("<h4>coming</h4>", []debug.Packet{*q.Intake})
	} else if q.Intake != nil {
		s.queue("<h4>in the intake</h4>", []debug.Packet{*q.Intake})
	}
	s.queue("<h4>urgent</h4>", q.Urgent)
	s.queue("", q.FIFO)
	s.queue("<h4>in memory (MIB)</h4>", q.MIB)
	if x.Cut > 0 {
		s.Add("<p>and %d more</p>", x.Cut)
	}
}

// matching adds the operand segments of a PE.
func (s *sheet) matching(x *Inside) {
	for _, seg := range x.Segments {
		none := markup.HTML("")
		if !seg.Live {
			none = "<small> allocated, no operand has arrived yet</small>"
		}
		s.Add(`<div class="segment"><b>%s</b> 0x%x%s<ul>`, seg.Template, seg.Base, none)
		for _, o := range seg.Operands {
			s.Add("<li><b>%s</b> has the %s operand %s, waits for the %s one</li>", o.Node, o.Have, o.Value, o.Wants)
		}
		s.WriteString("</ul></div>")
	}
	if x.MoreSegments {
		s.WriteString("<p>and more: see 'segments' in the console</p>")
	}
}

// definitions adds names and their values.
func (s *sheet) definitions(class markup.HTML, list []debug.Word) {
	s.Add("<dl%s>", class)
	for _, w := range list {
		s.Add("<dt>%s</dt><dd>%s</dd>", w.Name, w.Text)
	}
	s.WriteString("</dl>")
}

// doing says what the EXU does with its current instruction, by Code.When.
var doing = map[string]string{"now": "executes", "next": "will begin", "last": "executed last"}

// busy says what the PEs do, by activity.
var busy = [emcr.Activities]string{"at work", "only the IBU", "waiting for the network", "idle"}

// pane returns the opened PE as a picture: its four units in the order in which a packet passes them, and the memory
// port that three of them share.
func (s *Session) pane(x *Inside) string {
	b, p := s.batch(), &sheet{}
	n := b.Config().PEs
	before, after := (x.Number+n-1)%n, (x.Number+1)%n
	p.Add(`<h2>PE %s<small> load %d </small>`, x.PE, x.Load)
	const neighbour = `<button class="link" data-act="choose %d" data-next="%d" aria-label="to %s">%s</button>`
	to := b.PE(before).Address().String()
	p.Add(neighbour+" ", before, -1, to, "‹ "+to)
	to = b.PE(after).Address().String()
	p.Add(neighbour+"</h2>", after, 1, to, to+" ›")
	for _, l := range states() {
		if l.Letter == x.State {
			p.Add(`<p class="state"><svg class="swatch"><rect width="100%%" height="100%%" fill="var(--%s)"/></svg>`+
				"%s</p>", l.Ink, l.Doc)
		}
	}
	p.Add(`<p class="why">%s</p><div class="port">`, x.Why)
	p.port(x)
	p.unit(x, "IBU", "input buffer")
	p.input(x, b.Config().FIFOWords, b.Config().MIBWords)
	p.WriteString("</section>")
	p.unit(x, "FMU", plural.Of(x.InUse, "segment")+", "+plural.Of(x.Operands, "operand")+" waiting")
	p.matching(x)
	p.WriteString("</section>")
	p.unit(x, "EXU", doing[x.Code.When])
	if x.Code.When != "" {
		p.Add(`<p class="code"><code>%s</code><br><button class="link" data-act="line %s">%[2]s</button> %s</p>`,
			x.Code.Text, fmt.Sprintf("%s:%d", x.Code.File, x.Code.Line), x.Code.Label)
	}
	p.WriteString("</section></div>")
	p.unit(x, "SU", "switch")
	p.WriteString(`<ul class="packets">`)
	for _, slot := range x.Slots {
		why := markup.HTML("")
		if slot.Why != "" {
			why = markup.Format("<small> %s, by %s: %s</small>", slot.Place, slot.By, slot.Why)
		}
		p.packet(slot.Packet, why)
	}
	p.WriteString("</ul></section>")
	p.folded(x)
	c, sum := &x.Counts, uint64(0)
	p.Add("<p>So far %s, %s, %s sent, %s spilled; ", counted(c.Instructions, "instruction"), counted(c.Calls, "call"),
		counted(c.Sent, "packet"), plural.Commas(c.Spilled))
	for _, n := range c.States {
		sum += n
	}
	for i, n := range c.States {
		p.Add("%s%s %s", strings.Repeat(", ", min(i, 1)), busy[i], answer.InPercent(float64(n)/float64(max(1, sum))))
	}
	p.WriteString("</p>")
	return p.String()
}

// folded adds a folded section with the registers and the machine's own counter.
func (s *sheet) folded(x *Inside) {
	s.WriteString("<details><summary>Registers</summary>")
	if x.Left {
		s.WriteString("<p>left by the last block</p>")
	}
	var registers []debug.Word
	for _, w := range x.Registers {
		if w.Value != 0 {
			registers = append(registers, w)
		}
	}
	if len(registers) == 0 {
		s.WriteString(`<p class="none">all are 0</p>`)
	} else {
		s.definitions("", registers)
	}
	s.Add("<p>The machine's own counter, which begins before the run, is at %s.</p>", plural.Commas(x.Clock))
	s.definitions("", x.Specials)
	s.WriteString("</details>")
}

// mostInstances is the largest number of instances in the page's tree [chosen].
const mostInstances = 500

// instance matches an instance as the debugger describes it: fib [0,0] 0x30000, clock 12: fib.start = 10, ...
var instance = regexp.MustCompile(`^(\S+) (\[\d+,\d+\]) \S+ clock \d+: \S+ = ([^,]*).*$`)

// Calls returns, as HTML, the variables of a PE, and the calls from the first caller to the instance that runs on it.
// If none runs on it, it returns all live instances.
func (s *Session) Calls(ctx context.Context, pe int) (string, error) {
	if err := s.checkPE(pe); err != nil {
		return "", err
	}
	t, err := s.d.Tree(s.guard(ctx), debug.TreeOptions{PE: -1, Depth: 1 << 30, Lines: mostInstances})
	if err != nil {
		return "", err
	}
	p := &sheet{}
	p.Add("<div><div><h2>Variables on %s</h2>", s.batch().PE(pe).Address().String())
	if locals := s.d.Locals(pe); len(locals) > 0 {
		p.definitions(` class="variables"`, locals)
	} else {
		p.WriteString(`<p class="none">no variables here</p>`)
	}
	p.Add("</div><div><h2>Calls: %s live of %s</h2>", plural.Commas(t.Live), plural.Commas(t.Total))
	// Walking backwards from the instance, an entry is a caller if its level is lower than all levels seen so far.
	list, here, level, least := t.Instances, -1, 0, 0
	for i, x := range list {
		if here < 0 && x.Runs && x.PE == pe {
			here, level = i, x.Level
		}
		if i == 0 || x.Level < least {
			least = x.Level
		}
	}
	shown := make([]bool, len(list))
	for i := here; i >= 0; i-- {
		shown[i] = i == here || list[i].Level < level
		level = min(level, list[i].Level)
	}
	for i, x := range list {
		if here >= 0 && !shown[i] {
			continue
		}
		class := "instance"
		if i == here {
			class = "instance runs"
		}
		p.Add(`<div class="%s">%s<button class="link" data-act="open %d" title="%s">%s</button></div>`, class,
			markup.HTML(strings.Repeat("&ensp;", min(x.Level-least, 16))), x.PE, s.inRun(x.Text),
			instance.ReplaceAllString(x.Text, "$1($3) $2"))
	}
	if t.Cut > 0 {
		p.Add("<p>and %s more</p>", plural.Commas(t.Cut))
	}
	p.WriteString("</div></div>")
	return p.String(), nil
}

// Way is the way of a packet in clocks of the run, with its HTML for the page.
type Way struct {
	debug.Way
	HTML string `json:"html"`
}

// follow returns the way of a packet up to now.
func (s *Session) follow(ctx context.Context, name string) (*Way, error) {
	if err := s.checkPE(0); err != nil {
		return nil, err
	}
	found, err := s.d.Follow(s.guard(ctx), name)
	if err != nil {
		return nil, err
	}
	w, p := s.wayInRun(found), &sheet{}
	p.Add(`<p><b>%s</b> %s</p><ol class="way">`, w.Packet.ID, w.Packet.About)
	for _, x := range w.Stations {
		p.Add(`<li><button class="link clock" data-act="at %d %d">clock %[1]d</button><span>%[3]s</span></li>`,
			x.Clock, x.PE, x.Text)
	}
	p.WriteString("</ol>")
	if !w.Done {
		p.Add(`<p class="none">No further up to clock %d.</p>`, s.shownClock())
	}
	return &Way{*w, p.String()}, nil
}

// shownClock returns the clock of the run as the page shows it: a run ends with its result.
func (s *Session) shownClock() uint64 {
	if s.length > 0 {
		return min(s.clock(), s.length)
	}
	return s.clock()
}

// outcome returns how the run ended, or that it has not.
func (s *Session) outcome() (string, error) {
	if err := s.checkPE(0); err != nil {
		return "", err
	}
	f, p := s.Frame(), &sheet{}
	got, r := f.Answer, f.Result
	if f.AllWords == 0 {
		got = "no word"
	}
	if r == nil {
		return string(markup.Format(`<p class="none">The run continues. The host has received %s.</p>`, got)), nil
	}
	if f.Failure != "" {
		p.Add("<pre>%s</pre>", f.Failure)
	}
	until := "to the last word to the host"
	if f.AllWords == 0 {
		until = "until nothing could move"
	}
	const row = "<tr><td>%s</td><td>%s</td><td>%s</td></tr>"
	p.Add(`<div class="two"><table class="sum">`+row+row+row+row,
		"result", f.Answer, "", "clocks", plural.Commas(r.Clocks),
		until, "time", fmt.Sprintf("%.3f ms", r.TimeMS), "of the real machine",
		"PE utilisation", answer.InPercent(r.Utilisation), "")
	for i, name := range [...]string{"  FMU or EXU at work", "  only the IBU at work", "  " + busy[2], "  " + busy[3]} {
		p.Add(row, name, answer.InPercent(r.States[i]), "")
	}
	p.Add(`</table><table class="sum">`+row+row+row+row+row+"</table></div>", "PEs", plural.Commas(len(f.State)), "",
		"instructions", plural.Commas(r.Instructions), "", "calls", plural.Commas(r.Calls), "",
		"packets", plural.Commas(r.Packets), "",
		"spilled", plural.Commas(r.Spilled), "written to memory, as the FIFO was full")
	return p.String(), nil
}
