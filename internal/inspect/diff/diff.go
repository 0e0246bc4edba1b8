// Package diff finds where two runs on the EM-4 diverge: the clock, the PE, the unit and the packet. It also reports
// how the difference spreads.
//
//	diff.go     two runs that advance together; the search, by chained digests of the clocks
//	tell.go     the report about a difference
//	actions.go  the actions of the units, for runs whose states cannot be compared
package diff

import (
	"bytes"
	"cmp"
	"context"
	"hash/maphash"
	"reflect"
	"slices"

	"emsim/em4"
	"emsim/internal/base/state"
	"emsim/internal/inspect/debug"
	"emsim/internal/machine/run"
)

// Side is one of the two runs.
type Side struct {
	*run.Batch
	Err error // why the run stopped, if it did not end well

	names map[uint32]uint64 // names of code addresses, if the units' actions are compared
	bytes []byte            // the last view
	marks []state.Mark      // its marks, with one more at its end
	chain uint64            // digest of the views so far
	words *debug.Debugger   // prints what the machine holds
}

// over reports whether the run has ended or failed.
func (s *Side) over() bool { return s.Err != nil || s.Current.Ended() }

// view records the part of the machine's state that is compared.
func (s *Side) view() {
	c := state.Marker(s.bytes[:0], s.marks[:0])
	if s.names == nil {
		s.Machine.State(c)
	} else {
		s.actions(c)
	}
	s.bytes, s.marks = c.Bytes(), append(c.Marks(), state.Mark{From: len(c.Bytes())})
}

// of returns the part of the view that belongs to its n-th mark.
func (s *Side) of(n int) []byte { return s.bytes[s.marks[n].From:s.marks[n+1].From] }

// seed differs between processes, because digests are compared only within one process.
var seed = maphash.MakeSeed()

// advance steps to a clock of the run. If chained is set, it takes a digest in every clock.
func (s *Side) advance(ctx context.Context, to uint64, chained bool) error {
	for !s.over() && s.Current.Clock() < to {
		next := to
		if chained {
			next = s.Current.Clock() + 1
		}
		if s.Err = s.Advance(ctx, next); ctx.Err() != nil {
			return s.Interrupted(ctx)
		}
		if chained {
			s.view()
			s.chain = 31*s.chain + maphash.Bytes(seed, s.bytes)
		}
	}
	return nil
}

// fork returns a copy of the run in its current state.
func (s Side) fork() (Side, error) {
	if s.over() {
		return s, nil
	}
	var err error
	s.Batch, err = s.Fork(s.Snapshot())
	return s, err
}

// Pair holds two runs that advance together; each has its own clock.
type Pair struct {
	A, B Side

	// Compared is "state", "actions" or "results". The actions of the units are compared if the programs or the start
	// clocks differ, because addresses and clocks in the state then differ from the beginning. Only results are
	// compared if the machines have different sizes.
	Compared string

	twins bool // the runs differ only in their states: once equal, they stay equal
}

// NewPair returns the pair of two runs that are in progress, and chooses what is compared.
func NewPair(a, b *run.Batch) *Pair {
	p := &Pair{A: Side{Batch: a}, B: Side{Batch: b}, Compared: "state"}
	x, y := a.Object, b.Object
	same := reflect.DeepEqual([]any{x.Sections, x.Init, x.PerPE, x.Start, x.Args},
		[]any{y.Sections, y.Init, y.PerPE, y.Start, y.Args})
	switch {
	case a.Config().PEs != b.Config().PEs:
		p.Compared = "results"
	case !same || a.Current.StartClock() != b.Current.StartClock():
		p.Compared = "actions"
		p.A.names, p.B.names = codeNames(x), codeNames(y)
	}
	p.twins = p.Compared == "state" && a.Config() == b.Config() && a.Seed == b.Seed
	return p
}

// clock returns the clock of the run that is ahead.
func (p *Pair) clock() uint64 { return max(p.A.Current.Clock(), p.B.Current.Clock()) }

// advance steps both runs to a clock, in parallel.
func (p *Pair) advance(ctx context.Context, to uint64, chained bool) error {
	other := make(chan error)
	go func() { other <- p.B.advance(ctx, to, chained) }()
	return cmp.Or(p.A.advance(ctx, to, chained), <-other)
}

// Part is a unit of a PE.
type Part struct {
	PE   int // number; -1 for the host or the whole machine
	Unit string
}

// order returns the rank of a part: parts whose differences only follow from others come last.
func order(x Part) int { return slices.Index([]string{"host", "load", "statistics"}, x.Unit) }

// compare returns the parts that differ now.
func (p *Pair) compare() (list []Part) {
	if p.Compared == "results" {
		return []Part{{-1, "machine"}}
	}
	p.A.view()
	p.B.view()
	for i := range len(p.A.marks) - 1 {
		if m := p.A.marks[i]; !bytes.Equal(p.A.of(i), p.B.of(i)) {
			list = append(list, Part{m.Of, m.Unit})
		}
	}
	slices.SortFunc(list, func(x, y Part) int {
		return cmp.Or(order(x)-order(y), x.PE-y.PE, cmp.Compare(x.Unit, y.Unit))
	})
	return slices.Compact(list)
}

// interval is the number of clocks between two comparisons in a search; the search then goes back for the first
// difference [chosen: a tenth of a second on 80 PEs].
const interval = 1024

// search advances to the first clock at which hit holds, and reports whether there is one up to clock last. Unless
// chained is set, hit must stay true once it is true. If chained is set, hit reports whether the runs differ, which may
// become false again: a digest over all clocks finds such differences.
func (p *Pair) search(ctx context.Context, last uint64, chained bool, hit func() bool) (bool, error) {
	for !hit() {
		if p.A.over() && p.B.over() || p.clock() >= last {
			return false, nil
		}
		a, err := p.A.fork()
		b, other := p.B.fork()
		to := min(p.clock()+interval, last)
		if err := cmp.Or(err, other, p.advance(ctx, to, chained)); err != nil {
			return false, err
		}
		if show := p.A.Progress; show != nil {
			show(p.clock(), p.A.Busy)
		}
		if chained && p.A.chain == p.B.chain || !chained && !hit() {
			continue
		}
		for p.A, p.B = a, b; p.clock() < to && !hit(); {
			if err := p.advance(ctx, p.clock()+1, false); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// first advances to the first clock at which the runs differ, and returns the parts that differ.
func (p *Pair) first(ctx context.Context, last uint64) (list []Part, err error) {
	_, err = p.search(ctx, last, true, func() bool { list = p.compare(); return len(list) > 0 })
	return list, err
}

// soon is for how many clocks after the divergence First looks for a packet that differs [chosen: on 80 PEs less than a
// tenth of a second].
const soon = 32

// First advances two runs in progress to the first clock, up to last, at which they differ. It returns nil if they do
// not. packet is the first packet that differs soon afterwards, or nil. First consumes both runs: pass forks of runs
// that are still needed.
func First(ctx context.Context, a, b *run.Batch, last uint64) (parted, packet *Difference, err error) {
	p := NewPair(a, b)
	list, err := p.first(ctx, last)
	if err != nil || len(list) == 0 {
		return nil, nil, err
	}
	parted = p.describe(list[0])
	if p.Compared == "results" {
		return parted, nil, nil
	}
	for n := 0; ; n++ {
		if packet = p.packet(list); packet != nil || n == soon || p.A.over() && p.B.over() {
			return parted, packet, nil
		}
		if err := p.advance(ctx, p.clock()+1, false); err != nil {
			return parted, nil, err
		}
		list = p.compare()
	}
}

// Compare advances two runs to their ends, and reports where they diverge. The run at the earlier clock catches up
// first.
func (p *Pair) Compare(ctx context.Context) (*Report, error) {
	r := &Report{After: []Spread{}}
	if err := p.advance(ctx, p.clock(), false); err != nil {
		return nil, err
	}
	list, err := p.first(ctx, em4.ToEnd)
	if err != nil || len(list) == 0 {
		return r, err
	}
	r.Parted, r.Units = p.describe(list[0]), len(list)
	for n := uint64(0); p.Compared != "results"; n++ {
		r.note(p, n, list)
		if n == slices.Max(after) || p.A.over() && p.B.over() {
			break
		}
		if err := p.advance(ctx, p.clock()+1, false); err != nil {
			return nil, err
		}
		list = p.compare()
	}
	if p.twins && r.Healed == nil {
		healed, err := p.search(ctx, em4.ToEnd, false, func() bool { return len(p.compare()) == 0 })
		if now := p.clock(); healed {
			r.Healed = &now
		}
		if err != nil {
			return nil, err
		}
	}
	return r, p.advance(ctx, em4.ToEnd, false)
}
