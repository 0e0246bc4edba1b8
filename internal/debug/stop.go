package debug

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"emsim/emcr"
	"emsim/internal/plural"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// stop is a breakpoint or a watchpoint.
type stop struct {
	number int    // 0: for one motion only
	text   string // as the user wrote it
	on     bool
	hits   int
	pe     int // -1: any

	// A breakpoint looks at an event and returns the text of its hit, or "".
	event func(d *Debugger, e *trace.Event) string

	// A watchpoint compares a value of each PE with its last one.
	name  func(d *Debugger) string
	value func(p *emcr.PE) reading
	was   []reading
}

// reading is what a watchpoint compares: a word, and whether it is a waiting
// operand.
type reading struct {
	word  uint64
	waits packet.Match
	plain bool // a number, never shown as a continuation
}

// readStop reads a breakpoint or a watchpoint.
func (d *Debugger) readStop(words []string) (*stop, error) {
	if len(words) == 0 {
		return nil, errorf("stop for what? %s", stopForms)
	}
	text := strings.Join(words, " ")
	s := &stop{text: text, on: true}
	var err error
	if s.pe, words, err = d.takePE(words, -1); err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errorf("stop for what in %s? %s", text, stopForms)
	}
	kind := words[0]
	if slices.Contains(watched, kind) {
		return s, d.readWatch(s, words)
	}
	switch kind {
	case "block":
		err = d.readBlock(s, words[1:])
	case "label":
		err = d.readLabel(s, words[1:])
	case "packet":
		err = readPacket(s, words[1:])
	case "state":
		err = readState(s, words[1:])
	default:
		err = d.readLabel(s, words)
	}
	return s, err
}

const stopForms = "a label; block [LABEL]; packet data|mlpe|host [made|consumed]; state [UNIT] STATE; memory ADDRESS; register rN; load, fifo, mib, segments, operands; each with a PE or for all of them"

// readBlock reads a block's beginning.
func (d *Debugger) readBlock(s *stop, words []string) error {
	any, addr := len(words) == 0, uint32(0)
	if !any {
		var err error
		if addr, err = d.readAddress(words[0]); err != nil {
			return err
		}
		if len(words) > 1 {
			return tooMany(words[1:])
		}
	}
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
	return nil
}

// readLabel reads an instruction's execution.
func (d *Debugger) readLabel(s *stop, words []string) error {
	if len(words) != 1 {
		return errorf("a breakpoint needs one label or address: %s", stopForms)
	}
	addr, err := d.readAddress(words[0])
	if err != nil {
		return err
	}
	if _, ok := d.at(0).At(addr); !ok {
		return errorf("there is no instruction at %s: 'watch memory %s' stops when the word changes", d.label(addr), words[0])
	}
	s.event = func(d *Debugger, e *trace.Event) string {
		if e.Kind != trace.Fetched || e.PC != addr {
			return ""
		}
		return fmt.Sprintf("%v executes %s", d.address(int(e.PE)), d.code(addr))
	}
	return nil
}

// readPacket reads a packet kind.
func readPacket(s *stop, words []string) error {
	kinds := []string{packet.Data.String(), packet.MLPE.String(), "host"}
	if len(words) == 0 {
		return errorf("which packets? expected %s", strings.Join(kinds, ", "))
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
	if len(words) > 2 {
		return tooMany(words[2:])
	}
	s.event = func(d *Debugger, e *trace.Event) string { return packetEvent(d, e, kind, when) }
	return nil
}

func packetEvent(d *Debugger, e *trace.Event, kind, when string) string {
	is := packet.Data.String() // answers too
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
	case when == "consumed" && e.Kind == trace.Left:
		return fmt.Sprintf("the host gets %d", e.Value)
	}
	return ""
}

// readState reads a state of a PE, or of a unit.
func readState(s *stop, words []string) error {
	units := []string{"pe", "su", "ibu", "fmu", "exu"}
	var states []string
	for _, st := range trace.Statuses() {
		states = append(states, st.String())
	}
	unit := ""
	if len(words) == 2 {
		var err error
		if unit, err = oneOf(strings.ToLower(words[0]), "unit", units); err != nil {
			return err
		}
		words = words[1:]
	}
	if len(words) != 1 {
		return errorf("state needs one of %s, of a PE, or of a unit named before it (%s)", strings.Join(states, ", "), strings.Join(units, ", "))
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

// readWatch reads a watchpoint.
func (d *Debugger) readWatch(s *stop, words []string) error {
	kind := words[0]
	number := func(value func(p *emcr.PE) int) {
		s.value = func(p *emcr.PE) reading { return reading{word: uint64(value(p)), plain: true} }
	}
	s.name = func(*Debugger) string { return kind }
	switch kind {
	case "memory":
		return d.watchMemory(s, words[1:])
	case "register":
		return d.watchRegister(s, words[1:])
	case "load":
		number(func(p *emcr.PE) int { return int(p.Pins().LoadQ) })
	case "fifo":
		number(func(p *emcr.PE) int { return p.IBU().FIFOWords() })
	case "mib":
		number(func(p *emcr.PE) int { return p.IBU().MIBWords() })
	case "segments":
		number((*emcr.PE).SegmentsInUse)
	case "operands":
		number((*emcr.PE).CountWaitingOperands)
	}
	if len(words) > 1 {
		return tooMany(words[1:])
	}
	return nil
}

// watched are the quantities that a watchpoint can look at.
var watched = []string{"memory", "register", "load", "fifo", "mib", "segments", "operands"}

// register reads the name of a register.
func register(word string) (int, error) {
	if word == "fp" {
		return isa.FP, nil
	}
	var r int
	if n, err := fmt.Sscanf(word, "r%d", &r); err != nil || n != 1 || r < 0 || r >= isa.Registers || fmt.Sprintf("r%d", r) != word {
		return 0, errorf("%q is not a register: expected r0 .. r%d or fp", word, isa.Registers-1)
	}
	return r, nil
}

// addStop is the commands break and watch.
func (d *Debugger) addStop(_ context.Context, words []string) error {
	s, err := d.readStop(words)
	if err != nil {
		return err
	}
	d.count++
	s.number = d.count
	d.stops = append(d.stops, s)
	d.printf("stop %d: %s\n", s.number, s.text)
	return nil
}

// listStops is the command stops.
func (d *Debugger) listStops() {
	if len(d.stops) == 0 {
		d.printf("no stops: 'break' and 'watch' set some\n")
	}
	for _, s := range d.stops {
		state := "on "
		if !s.on {
			state = "off"
		}
		d.printf("%3d  %s  %s  (%s)\n", s.number, state, s.text, plural.Of(s.hits, "hit"))
	}
}

// changeStops calls f with the stops of the given numbers; without numbers,
// with all.
func (d *Debugger) changeStops(words []string, f func(s *stop)) error {
	chosen := d.stops
	if len(words) > 0 {
		chosen = nil
	}
	for _, w := range words {
		i := slices.IndexFunc(d.stops, func(s *stop) bool { return fmt.Sprint(s.number) == w })
		if i < 0 {
			return errorf("there is no stop %s: 'stops' lists them", w)
		}
		chosen = append(chosen, d.stops[i])
	}
	for _, s := range slices.Clone(chosen) {
		f(s)
	}
	return nil
}

func (d *Debugger) deleteStops(words []string) error {
	return d.changeStops(words, func(s *stop) {
		d.stops = slices.DeleteFunc(d.stops, func(x *stop) bool { return x == s })
	})
}
