package diff

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"io"
	"reflect"
	"slices"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/state"
	"emsim/internal/inspect/debug"
	"emsim/internal/machine/run"
)

// Side is one of two runs.
type Side struct {
	*run.Batch
	Err error // why the run stopped, if it did not end well

	names map[uint32]uint64 // of code addresses, if what the units do is compared
	bytes []byte            // of the last view, behind 8 bytes for the chain
	marks []state.Mark
	chain uint64 // digest of the views so far
	shown *debug.Debugger
}

// over reports whether the run goes no further.
func (s *Side) over() bool { return s.Err != nil || s.Current.Ended() }

// view notes what is compared of the machine.
func (s *Side) view() {
	c := state.Marker(append(s.bytes[:0], make([]byte, 8)...), s.marks[:0])
	if s.names == nil {
		s.State(c)
	} else {
		s.actions(c)
	}
	s.bytes, s.marks = c.Bytes(), c.Marks()
}

// State visits the machine alone.
func (s *Side) State(c *state.Codec) { s.Machine.State(c) }

// of is what a view has of its n-th mark.
func (s *Side) of(n int) []byte {
	end := len(s.bytes)
	if n+1 < len(s.marks) {
		end = s.marks[n+1].From
	}
	return s.bytes[s.marks[n].From:end]
}

// seed makes digests of different processes differ, which compare none.
var seed = maphash.MakeSeed()

// advance steps to a clock of the run; chained takes a digest of every clock.
func (s *Side) advance(ctx context.Context, to uint64, chained bool) error {
	for !s.over() && s.Current.Clock() < to {
		if ctx.Err() != nil {
			return s.Interrupted(ctx)
		}
		next := to
		if chained {
			next = s.Current.Clock() + 1
		}
		var stopped *run.Interrupted
		if s.Err = s.Advance(ctx, next); errors.As(s.Err, &stopped) {
			return s.Err
		}
		if chained {
			s.view()
			binary.LittleEndian.PutUint64(s.bytes, s.chain)
			s.chain = maphash.Bytes(seed, s.bytes)
		}
	}
	return nil
}

// save returns what takes the run back to where it is now.
func (s *Side) save() (back func() error) {
	if s.over() {
		return func() error { return nil }
	}
	shot := s.Snapshot()
	return func() error {
		fork, err := s.Fork(shot)
		if err == nil {
			s.Batch, s.Err = fork, nil
		}
		return err
	}
}

// debugger has the words for what the machine holds.
func (s *Side) debugger() *debug.Debugger {
	if s.shown == nil || s.shown.Batch() != s.Batch {
		s.shown = debug.NewWith(s.Batch, io.Discard, debug.History{Every: em4.ToEnd >> 1, Shots: 1, Plain: true})
	}
	return s.shown
}

// Pair is two runs that go on together, by their own clocks.
type Pair struct {
	A, B Side

	// Exact says that all state is compared. Where programs or the clocks at which the
	// runs began are not the same, addresses and clocks in it differ from the beginning,
	// and what the units do is compared.
	Exact bool

	twins bool // they differ in nothing but their states: once equal, they stay so
}

// NewPair returns the pair of two runs that are in progress, on machines of one size. It
// goes on with forks of them after a while.
func NewPair(a, b *run.Batch) *Pair {
	p := &Pair{A: Side{Batch: a}, B: Side{Batch: b}}
	p.Exact = SameProgram(a.Object, b.Object) && a.Current.StartClock() == b.Current.StartClock()
	p.twins = p.Exact && a.Config() == b.Config() && a.Seed == b.Seed
	if !p.Exact {
		p.A.names, p.B.names = codeNames(a.Object), codeNames(b.Object)
	}
	return p
}

// SameProgram reports whether a machine sees the same program.
func SameProgram(a, b *asm.Object) bool {
	same := func(x, y any) bool { return reflect.DeepEqual(x, y) }
	return same(a.Sections, b.Sections) && same(a.Init, b.Init) && same(a.PerPE, b.PerPE) && same(a.Start, b.Start) && same(a.Args, b.Args)
}

// clock is that of the run which has come further.
func (p *Pair) clock() uint64 { return max(p.A.Current.Clock(), p.B.Current.Clock()) }

// Advance steps both to a clock, side by side.
func (p *Pair) Advance(ctx context.Context, to uint64) error { return p.advance(ctx, to, false) }

func (p *Pair) advance(ctx context.Context, to uint64, chained bool) error {
	other := make(chan error)
	go func() { other <- p.B.advance(ctx, to, chained) }()
	return cmp.Or(p.A.advance(ctx, to, chained), <-other)
}

// Part is a unit of a PE.
type Part struct {
	PE   int // number; -1: the host
	Unit string
}

// statistics are last of all parts: no other depends on them.
const statistics = "statistics"

// compare returns the parts that differ now.
func (p *Pair) compare() []Part {
	p.A.view()
	p.B.view()
	if bytes.Equal(p.A.bytes, p.B.bytes) {
		return nil
	}
	var list []Part
	for i, m := range p.A.marks {
		if !bytes.Equal(p.A.of(i), p.B.of(i)) {
			list = append(list, Part{m.Of, m.Unit})
		}
	}
	slices.SortStableFunc(list, func(x, y Part) int {
		return cmp.Or(order(x)-order(y), x.PE-y.PE, cmp.Compare(x.Unit, y.Unit))
	})
	return slices.Compact(list)
}

func order(x Part) int {
	switch {
	case x.Unit == statistics:
		return 2
	case x.PE < 0, x.Unit == "load": // which follows from what the PE holds
		return 1
	}
	return 0
}

// interval is how many clocks a search goes on before it looks, and goes back to find
// the one [chosen: a tenth of a second on 80 PEs].
const interval = 1024

// search goes on to the first clock at which hit holds, and reports whether there is one
// up to the last. Where chained, hit holds when the runs differ, and digests of all clocks
// tell whether they have; otherwise it is a condition that stays true.
func (p *Pair) search(ctx context.Context, last uint64, chained bool, hit func() bool) (bool, error) {
	for !hit() {
		if p.A.over() && p.B.over() || p.clock() >= last {
			return false, nil
		}
		backA, backB := p.A.save(), p.B.save()
		to := min(p.clock()+interval, last)
		if err := p.advance(ctx, to, chained); err != nil {
			return false, err
		}
		if show := p.A.Progress; show != nil {
			show(p.clock(), p.A.Busy())
		}
		if chained && p.A.chain == p.B.chain || !chained && !hit() {
			continue
		}
		if err := cmp.Or(backA(), backB()); err != nil {
			return false, err
		}
		for p.clock() < to && !hit() {
			if err := p.Advance(ctx, p.clock()+1); err != nil {
				return false, err
			}
		}
	}
	return true, nil
}
