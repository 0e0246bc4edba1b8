package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Mark is a clock of the run that is worth going to.
type Mark struct {
	Clock uint64 `json:"clock"` // of the machine, when what has happened can be seen
	Kind  string `json:"kind"`  // spill, fault, stop, or own for one that the user has made
	Text  string `json:"text,omitempty"`
}

// mostStops bounds the marks at stops: the latest are kept.
const mostStops = 40

// marks are those that a session has made itself.
type marks struct {
	first, last bool // the first and the last spill of the run are known
	stops       int  // found so far
	list        []Mark
}

func (m *marks) add(clock uint64, kind, text string) {
	text, _, _ = strings.Cut(text, "\n")
	x := Mark{clock, kind, text}
	if slices.Contains(m.list, x) {
		return
	}
	if kind == "stop" {
		if m.stops++; m.stops > mostStops {
			i := slices.IndexFunc(m.list, func(x Mark) bool { return x.Kind == kind })
			m.list = slices.Delete(m.list, i, i+1)
		}
	}
	m.list = append(m.list, x)
}

// mark marks what a motion has come to: a stop, the first spill, and at the end of
// the run its last spill and its fault. A search that ctx ends is made again after
// the next motion.
func (s *Session) mark(ctx context.Context, x *Moved) {
	f, m := x.Frame, &s.marks
	for _, text := range x.Hits {
		m.add(f.Clock, "stop", text)
	}
	if f.Failure != "" {
		m.add(f.Clock, "fault", f.Failure)
	}
	all := uint64(0)
	for _, n := range f.Spilled {
		all += n
	}
	spill := func(known *bool, n uint64, name string) {
		if *known || n == 0 {
			return
		}
		if clock, err := s.d.SpillClock(ctx, n); err == nil {
			*known = true
			m.add(clock+1, "spill", fmt.Sprintf("%s spill, in clock %d", name, clock))
		}
	}
	spill(&m.first, min(all, 1), "first")
	if f.Ended {
		spill(&m.last, all, "last")
	}
}
