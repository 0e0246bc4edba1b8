package instrument

import (
	"cmp"
	"fmt"
	"slices"

	"emsim/internal/base/moves"
	"emsim/internal/base/simerr"
)

// An Event is an event of a run, with a description.
type Event struct {
	At     int64
	Worker int
	Text   string
	Move   *moves.Move // the move that begins or ends, or nil
}

func (e Event) withoutMove() Event { e.Move = nil; return e }

// Events returns the events in the order of time.
func (r *Run) Events() []Event {
	var list []Event
	add := func(at int64, worker int, m *moves.Move, format string, args ...any) {
		list = append(list, Event{at, worker, fmt.Sprintf(format, args...), m})
	}
	for _, m := range r.Moves {
		via := ""
		if m.Via != "" {
			via = " via " + m.Via
		}
		switch {
		case m.From == moves.Outside:
			add(max(0, m.Came), m.To, m, "begins with %s%s: %s", m.Items(), via, m.Rule)
		case m.To == moves.Outside:
			add(m.Left, m.From, m, "ends %s%s: %s", m.Items(), via, m.Rule)
		default:
			if m.Left != moves.OnTheWay {
				add(m.Left, m.From, m, "gives %s to %s%s: %s", m.Items(), r.Name(m.To), via, m.Rule)
			}
			if m.Came != moves.OnTheWay {
				add(m.Came, m.To, m, "gets %s from %s%s", m.Items(), r.Name(m.From), via)
			}
		}
	}
	for i := range r.Spans {
		s := &r.Spans[i]
		message := ""
		if s.Peer != moves.Outside {
			message = fmt.Sprintf(", message from %s sent at %v", r.Name(s.Peer), r.Time(s.Sent))
		}
		add(s.From, s.Worker, nil, "%s until %v%s", s.Doing, r.Time(s.To), message)
	}
	for i := range r.Learned {
		l := &r.Learned[i]
		add(l.Told, l.By, nil, "learns that %s had %v %s at %v", r.Name(l.Worker), l.Load, r.Measure, r.Time(l.At))
	}
	slices.SortStableFunc(list, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Worker, b.Worker))
	})
	return list
}

// part answers the question part: it shows where two runs diverge, and the events of each there.
func (r *Run) part([]string) (*Answer, error) {
	const shown = 5
	if r.Beside == nil {
		return nil, simerr.Usagef("the question part compares two runs: give the other one as --vs KEY=VALUE")
	}
	a, b, n, x := r.Events(), r.Beside.Events(), 0, newAnswer("run", "at", r.Worker, "event")
	for n < len(a) && n < len(b) && a[n].withoutMove() == b[n].withoutMove() {
		n++
	}
	if n == len(a) && n == len(b) {
		x.say("The runs are the same, in all %d events.", n)
		return x, nil
	}
	at := r.End
	for i, list := range [][]Event{a, b} {
		for _, e := range list[n:min(len(list), n+shown)] {
			at = min(at, e.At)
			x.Add(i+1, r.cell(e.At), e.Worker, e.Text)
		}
	}
	x.say("The runs diverge at %s, after %d equal events; they end at %s and %s.", r.rounded(at), n, r.rounded(r.End),
		r.rounded(r.Beside.End))
	return x, nil
}
