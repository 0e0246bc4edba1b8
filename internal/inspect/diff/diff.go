// Package diff says where two runs on the EM-4 part: in which clock, PE and unit, and at
// which packet; and what follows of it.
//
//	diff.go     what is told of two runs
//	pair.go     two runs that go on together; the search, by digests that are chained over the clocks
//	actions.go  what is compared of runs whose states have nothing in common
package diff

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/machine/run"
	"emsim/packet"
)

// Place is where two runs differ.
type Place struct {
	Clock uint64     `json:"clock"` // of the run; what it has done before is equal
	PE    *packet.PE `json:"pe"`    // nil: the host, or the machine as a whole
	Unit  string     `json:"unit"`
	A     string     `json:"a"` // what is there
	B     string     `json:"b"`
}

// Spread is how much differs some clocks after the runs have parted.
type Spread struct {
	Clocks uint64 `json:"clocks"`
	PEs    int    `json:"pes"`
	Units  int    `json:"units"`
}

// Report is what is told of two runs.
type Report struct {
	Compared string   `json:"compared"` // "state"; "actions" of units if state cannot be compared; "results" of machines of different sizes
	Parted   *Place   `json:"parted"`   // nil: they never part
	Units    int      `json:"units"`    // units that differ there
	Packet   *Place   `json:"packet"`   // the first packet that differs, if that is within the clocks of After
	After    []Spread `json:"after"`

	// Of two runs that differ in their states alone: the clock from which on these are
	// equal, and that from which on nothing but statistics differs.
	Healed  *uint64 `json:"healed_clock"`
	Counted *uint64 `json:"only_statistics_clock"`
}

// First goes on to the first clock up to the last one at which two runs in progress
// differ; nil if they do not. Both are used up: give it forks of what is still needed.
func First(ctx context.Context, a, b *run.Batch, last uint64) (*Place, error) {
	p := NewPair(a, b)
	x, err := p.first(ctx, last)
	if err != nil || len(x) == 0 {
		return nil, err
	}
	return p.place(x[0]), nil
}

// first goes on to the first clock at which the runs differ, and returns the parts that do.
func (p *Pair) first(ctx context.Context, last uint64) (list []Part, err error) {
	_, err = p.search(ctx, last, true, func() bool { list = p.compare(); return len(list) > 0 })
	return list, err
}

// after are the clocks of Report.After.
var after = []uint64{10, 100, 1000}

// Compare goes on to the ends of two runs, and says where they part. The one that is
// behind first catches up.
func (p *Pair) Compare(ctx context.Context) (*Report, error) {
	r := &Report{Compared: "actions", After: []Spread{}}
	if p.Exact {
		r.Compared = "state"
	}
	if err := p.Advance(ctx, p.clock()); err != nil {
		return nil, err
	}
	if a, b := p.A.Config().PEs, p.B.Config().PEs; a != b {
		r.Compared, r.Parted = "results", &Place{Clock: p.clock(), Unit: "machine", A: fmt.Sprintf("%d PEs", a), B: fmt.Sprintf("%d PEs", b)}
		return r, p.Advance(ctx, em4.ToEnd)
	}
	list, err := p.first(ctx, em4.ToEnd)
	if err != nil || len(list) == 0 {
		return r, err
	}
	r.Parted, r.Units = p.place(list[0]), len(list)
	if err := p.follow(ctx, r, list); err != nil {
		return nil, err
	}
	return r, p.Advance(ctx, em4.ToEnd)
}

// follow notes what follows in the clocks after the runs have parted at some units, and
// whether they become equal again.
func (p *Pair) follow(ctx context.Context, r *Report, list []Part) error {
	for n := uint64(0); ; n++ {
		if r.Packet == nil {
			r.Packet = p.packet(list)
		}
		healed := p.twins && onlyCounted(list)
		for _, clocks := range after {
			if clocks == n || healed && clocks > n { // then this stays so
				r.After = append(r.After, spread(clocks, list))
			}
		}
		if healed || n == slices.Max(after) || p.A.over() && p.B.over() {
			break
		}
		if err := p.Advance(ctx, p.clock()+1); err != nil {
			return err
		}
		list = p.compare()
	}
	if !p.twins {
		return nil
	}
	for _, x := range []struct {
		clock **uint64
		hit   func() bool
	}{{&r.Counted, func() bool { return onlyCounted(p.compare()) }}, {&r.Healed, func() bool { return len(p.compare()) == 0 }}} {
		found, err := p.search(ctx, em4.ToEnd, false, x.hit)
		if err != nil {
			return err
		}
		if now := p.clock(); found {
			*x.clock = &now
		}
	}
	return nil
}

// onlyCounted reports whether nothing but statistics differs, which come last.
func onlyCounted(list []Part) bool { return len(list) == 0 || list[0].Unit == statistics }

// spread counts what differs.
func spread(clocks uint64, list []Part) Spread {
	s := Spread{Clocks: clocks}
	pes := map[int]bool{}
	for _, x := range list {
		if x.Unit != statistics && x.PE >= 0 {
			s.Units++
			pes[x.PE] = true
		}
	}
	s.PEs = len(pes)
	return s
}

// packet returns the first packet that differs in some parts, nil if none does.
func (p *Pair) packet(list []Part) *Place {
	for _, x := range list {
		if a, b := first(p.A.debugger().PacketsIn(x.PE, x.Unit), p.B.debugger().PacketsIn(x.PE, x.Unit)); a != b {
			return p.at(x, a, b)
		}
	}
	return nil
}

// first returns the first texts of two lists that differ.
func first(a, b []string) (string, string) {
	for i := range max(len(a), len(b)) {
		x, y := "nothing", "nothing"
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y {
			return x, y
		}
	}
	return "", ""
}

func (p *Pair) at(x Part, a, b string) *Place {
	place := &Place{Clock: p.clock(), Unit: x.Unit, A: a, B: b}
	if x.PE >= 0 {
		at := p.A.Net.Address(x.PE)
		place.PE = &at
	}
	return place
}

// place says what differs in a part.
func (p *Pair) place(x Part) *Place {
	a, b := first(p.A.texts(x), p.B.texts(x))
	if x.Unit == "memory" {
		a, b = p.memory(x.PE)
	}
	if a == b {
		a, b = p.words(x)
	}
	return p.at(x, a, b)
}

// texts say what a unit does and holds.
func (s *Side) texts(x Part) (list []string) {
	d := s.debugger()
	for _, w := range s.Net.HostWords() {
		if x.PE < 0 {
			list = append(list, fmt.Sprintf("got %d in clock %d", w.Data, w.Clock))
		}
	}
	for _, u := range d.Units(max(0, x.PE)) {
		if u.Name == x.Unit && u.Name != "SU" {
			list = append(list, u.Does)
		}
	}
	switch x.Unit {
	case "SU":
		for _, slot := range d.Slots(x.PE) {
			list = append(list, fmt.Sprintf("%s: %v, %s", slot.Place, slot.Packet, slot.Why))
		}
	case "EXU":
		for _, r := range d.Registers(x.PE) {
			list = append(list, r.Name+" = "+r.Text)
		}
	}
	return append(list, d.PacketsIn(x.PE, x.Unit)...)
}

// memory finds the first word of a PE's memory that differs.
func (p *Pair) memory(pe int) (a, b string) {
	text := func(s *Side, addr uint32) string {
		return fmt.Sprintf("%#x (%s) = %#x, tag %d", addr, s.PE(pe).Layout(addr), s.PE(pe).Memory().Read(addr), s.PE(pe).Memory().Tag(addr))
	}
	x, y := p.A.PE(pe).Memory(), p.B.PE(pe).Memory()
	for addr := range uint32(asm.MemoryWords) {
		if x.Read(addr) != y.Read(addr) || x.Tag(addr) != y.Tag(addr) {
			return text(&p.A, addr), text(&p.B, addr)
		}
	}
	return "", ""
}

// words finds the first word of a part that differs, among those that have no names.
func (p *Pair) words(x Part) (a, b string) {
	text := func(s *Side) (list []string) {
		for i, m := range s.marks {
			for at := s.of(i); m.Of == x.PE && m.Unit == x.Unit && len(at) > 0; at = at[8:] {
				list = append(list, fmt.Sprintf("word %d of its state is %#x", len(list), binary.LittleEndian.Uint64(at)))
			}
		}
		return list
	}
	return first(text(&p.A), text(&p.B))
}
