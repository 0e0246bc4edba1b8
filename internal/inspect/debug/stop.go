package debug

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"emsim/emcr"
	"emsim/internal/base/lists"
	"emsim/packet"
	"emsim/trace"
)

// stop is a breakpoint or a watchpoint.
type stop struct {
	number int    // 0 means that it is used for one motion only
	text   string // as the user wrote it
	on     bool
	hits   int
	times  int        // the stop applies at every times-th hit
	pes    []int      // numbers of the PEs that the stop watches, ascending
	cond   *condition // must hold for a hit; nil means always

	// A breakpoint checks an event and returns the text of its hit, or "". due reports whether the event may happen in
	// the next clock; if it is nil, it always may.
	event  func(d *Debugger, e *trace.Event) string
	due    func(v *view) bool
	packet bool // the event has a packet

	// A watchpoint compares a value of each PE with the previous value. If used is set, used decides instead whether
	// something happened. If by is set, by returns the cause.
	name    func(d *Debugger, pe int) string
	value   func(p *emcr.PE) reading
	used    func(d *Debugger, v *view, p *emcr.PE) bool
	by      func(d *Debugger, v *view, p *emcr.PE) string
	becomes bool // only a change to a value other than 0 counts
	ahead   bool // as becomes, but before the clock; the condition reads the operands of the instruction
	many    int  // how many hits this is, if more than one: statements in the line that begin together

	// By PE, in the order of pes: values before the current clock.
	was    []reading
	before []view
	values [][]int64 // the values that the condition has read
}

// hit is a hit of a stop, with its text.
type hit struct {
	stop *stop
	many int
	text string
}

// reading is the value that a watchpoint compares: a word, and which operand waits in it.
type reading struct {
	word  uint64
	waits packet.Match
	plain bool // a number, never shown as a continuation
}

// clauseWords lists the words that begin a clause of a stop.
var clauseWords = []string{"if", "on", "times"}

// cutClauses separates the words of a stop from its clauses.
func cutClauses(words []string) (what []string, clauses map[string][]string, err error) {
	clauses = map[string][]string{}
	clause := ""
	for _, w := range words {
		switch {
		case slices.Contains(clauseWords, w):
			if clause = w; clauses[w] != nil {
				return nil, nil, errorf("one %q is enough", w)
			}
			clauses[w] = []string{}
		case clause == "":
			what = append(what, w)
		default:
			clauses[clause] = append(clauses[clause], w)
		}
	}
	for _, w := range clauseWords {
		if list := clauses[w]; list != nil && len(list) == 0 {
			return nil, nil, errorf("%q needs %s", w, clauseForms[w])
		}
	}
	return what, clauses, nil
}

// clauseForms describes what must follow each clause word.
var clauseForms = map[string]string{
	"if": "a condition, such as r1 == 3 && load > 5", "on": "PEs, such as [2,*]",
	"times": "a number: every how many times to stop",
}

// readStop parses a breakpoint or a watchpoint.
func (d *Debugger) readStop(words []string) (*stop, error) {
	if len(words) == 0 {
		return nil, errorf("stop for what? %s", stopForms)
	}
	s := &stop{text: strings.Join(words, " "), on: true, times: 1}
	what, clauses, err := cutClauses(words)
	if err != nil {
		return nil, err
	}
	if what, err = d.readPlaces(s, what, clauses["on"]); err != nil {
		return nil, err
	}
	if list := clauses["times"]; list != nil {
		n, err := readNumber(list[0], "times")
		if err := cmp.Or(atMost(list, 1), err); err != nil {
			return nil, err
		}
		s.times = int(max(1, min(n, 1<<40)))
	}
	if err := d.readWhat(s, what, clauses["if"] != nil); err != nil {
		return nil, err
	}
	if s.pes == nil {
		s.pes = trace.All(d.s.Config().PEs)
	}
	if list := clauses["if"]; list != nil {
		if s.cond, err = d.readCondition(strings.Join(list, " "), s.packet); err != nil {
			return nil, err
		}
	}
	if len(what) == 0 {
		d.watchCondition(s)
	}
	return s, nil
}

// readPlaces removes the PEs of a stop from its words, or reads the PEs after 'on'. If there are none, the kind of the
// stop determines which PEs it watches.
func (d *Debugger) readPlaces(s *stop, words, on []string) (rest []string, err error) {
	if s.pes, rest, err = takeAddress(words, d.readPEs, nil); err != nil {
		return nil, err
	}
	if s.pes != nil && on != nil {
		return nil, errorf("name the PEs once: before 'if', or after 'on'")
	}
	for _, w := range on {
		list, err := d.readPEs(w)
		if err != nil {
			return nil, err
		}
		s.pes = append(s.pes, list...)
	}
	slices.Sort(s.pes)
	s.pes = slices.Compact(s.pes)
	return rest, nil
}

// readWhat parses the words that say where or when to stop.
func (d *Debugger) readWhat(s *stop, words []string, condition bool) error {
	switch {
	case len(words) == 0 && condition:
		return nil // the stop has only a condition
	case len(words) == 0:
		return errorf("stop for what in %s? %s", s.text, stopForms)
	case slices.Contains(watched(), words[0]):
		return d.readWatch(s, words)
	case lineForm.MatchString(words[0]):
		return d.readLine(s, words)
	}
	switch words[0] {
	case "block":
		return d.readBlock(s, words[1:])
	case "label":
		return d.readLabel(s, words[1:])
	case "packet":
		return d.readPacket(s, words[1:])
	case "state":
		return readState(s, words[1:])
	}
	return d.readLabel(s, words)
}

const stopForms = "a line of the source, as in fib.go:15; a label; block [LABEL]; packet data|mlpe|host " +
	"[made|consumed]; state [UNIT] STATE; memory ADDRESS [written|read]; register rN; load, fifo, mib, segments, " +
	"operands; each with PEs or for all of them, and a condition after 'if'"

// readBlock parses a breakpoint at the beginning of a block.
func (d *Debugger) readBlock(s *stop, words []string) error {
	any, addr := len(words) == 0, uint32(0)
	if !any {
		var err error
		if addr, err = d.readAddress(words[0]); err != nil {
			return err
		}
		s.due = func(v *view) bool { return v.begins(addr) }
	}
	s.packet = true
	s.event = func(d *Debugger, e *trace.Event) string {
		if e.Kind != trace.Begun || !any && e.PC != addr {
			return ""
		}
		text := fmt.Sprintf("%v begins the block %s", d.address(int(e.PE)), d.label(e.PC))
		if !trace.IDOf(&e.Packet).None() {
			text += " by packet " + d.packet(&e.Packet)
		}
		return text
	}
	return atMost(words, 1)
}

// readLabel parses a breakpoint at a label or an address: the run stops when that instruction executes.
func (d *Debugger) readLabel(s *stop, words []string) error {
	if len(words) != 1 {
		return errorf("a breakpoint needs one label or address: %s", stopForms)
	}
	addr, err := d.readAddress(words[0])
	if err != nil {
		return err
	}
	if _, ok := d.peAt(0).InstructionAt(addr); !ok {
		return errorf("there is no instruction at %s: 'watch memory %s' stops when the word changes", d.label(addr),
			words[0])
	}
	s.due = func(v *view) bool { return v.fetches(addr) }
	s.event = func(d *Debugger, e *trace.Event) string {
		if e.Kind != trace.Fetched || e.PC != addr {
			return ""
		}
		return fmt.Sprintf("%v executes %s", d.address(int(e.PE)), d.codeText(addr))
	}
	return nil
}

// readPacket parses a breakpoint for a kind of packet, or for one packet.
func (d *Debugger) readPacket(s *stop, words []string) error {
	kinds := []string{packet.Data.String(), packet.MLPE.String(), "host"}
	if len(words) == 0 {
		return errorf("which packets? expected %s, or the name of one, as in [1,2].3", strings.Join(kinds, ", "))
	}
	if idForm.MatchString(words[0]) {
		return d.readPacketID(s, words)
	}
	kind, err := oneOf(words[0], "packet kind", kinds)
	if err != nil {
		return err
	}
	when := "made"
	if len(words) > 1 {
		if when, err = oneOf(words[1], "time of a packet", []string{"made", "consumed"}); err != nil {
			return err
		}
	}
	s.packet = true
	s.event = func(d *Debugger, e *trace.Event) string { return packetEvent(d, e, kind, when) }
	return atMost(words, 2)
}

func packetEvent(d *Debugger, e *trace.Event, kind, when string) string {
	is := packet.Data.String() // answers count as data
	switch {
	case e.Packet.ToHost:
		is = "host"
	case e.Packet.Kind.Search():
		is = packet.MLPE.String()
	}
	at := d.address(int(e.PE))
	switch {
	case is != kind:
	case when == "made" && e.Kind == trace.Made:
		return fmt.Sprintf("%v makes packet %s, at %s", at, d.packet(&e.Packet), d.label(e.PC))
	case when == "made" && e.Kind == trace.Entered:
		return fmt.Sprintf("the host sends packet %s", d.packet(&e.Packet))
	case when == "consumed" && e.Kind == trace.Taken:
		return fmt.Sprintf("%v takes packet %s", at, d.packet(&e.Packet))
	case when == "consumed" && e.Kind == trace.Filled:
		return fmt.Sprintf("packet %s fills the prefetch register of %v", d.packet(&e.Packet), at)
	case when == "consumed" && e.Kind == trace.Left:
		return fmt.Sprintf("the host gets %d", e.Value)
	}
	return ""
}

// readState parses a breakpoint for a state of a PE or of one of its units.
func readState(s *stop, words []string) error {
	units := []string{"pe", "su", "ibu", "fmu", "exu"}
	states := lists.Of(trace.Statuses(), trace.Status.String)
	unit := ""
	if len(words) == 2 {
		var err error
		if unit, err = oneOf(strings.ToLower(words[0]), "unit", units); err != nil {
			return err
		}
		words = words[1:]
	}
	if len(words) != 1 {
		return errorf("state needs one of %s, of a PE, or of a unit named before it (%s)", strings.Join(states, ", "),
			strings.Join(units, ", "))
	}
	state, err := oneOf(words[0], "state", states)
	if err != nil {
		return err
	}
	want := trace.Status(slices.Index(states, state))
	if unit == "" && want <= trace.Idle {
		unit = "pe"
	}
	s.event = func(d *Debugger, e *trace.Event) string {
		if e.Kind != trace.Changed || e.Status != want || unit != "" && unit != strings.ToLower(e.Unit.String()) {
			return ""
		}
		place := e.Unit.String()
		if e.Unit == trace.SU {
			place += " " + trace.SlotName(e.Slot)
		}
		return fmt.Sprintf("%v %s: %v, was %v", d.address(int(e.PE)), place, e.Status, e.Was)
	}
	return nil
}
