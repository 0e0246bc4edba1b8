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
	for _, m := range r.Moves {
		via := ""
		if m.Via != "" {
			via = " via " + m.Via
		}
		switch {
		case m.From == moves.Outside:
			list = append(list, Event{
				max(0, m.Came), m.To, fmt.Sprintf("begins with %s%s: %s", m.Items(), via, m.Rule),
				m,
			})
		case m.To == moves.Outside:
			list = append(list, Event{m.Left, m.From, fmt.Sprintf("ends %s%s: %s", m.Items(), via, m.Rule), m})
		default:
			if m.Left != moves.OnTheWay {
				list = append(list, Event{
					m.Left, m.From,
					fmt.Sprintf("gives %s to %s%s: %s", m.Items(), r.Name(m.To), via, m.Rule), m,
				})
			}
			if m.Came != moves.OnTheWay {
				list = append(list, Event{
					m.Came, m.To,
					fmt.Sprintf("gets %s from %s%s", m.Items(), r.Name(m.From), via), m,
				})
			}
		}
	}
	for i := range r.Spans {
		s := &r.Spans[i]
		text := fmt.Sprintf("%s until %v", s.Doing, r.Time(s.To))
		if s.Peer != moves.Outside {
			text += fmt.Sprintf(", message from %s sent at %v", r.Name(s.Peer), r.Time(s.Sent))
		}
		list = append(list, Event{s.From, s.Worker, text, nil})
	}
	for i := range r.Learned {
		l := &r.Learned[i]
		list = append(list, Event{
			l.Told, l.By,
			fmt.Sprintf("learns that %s had %v %s at %v", r.Name(l.Worker), l.Load, r.Measure, r.Time(l.At)), nil,
		})
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
			x.row(i+1, r.cell(e.At), e.Worker, e.Text)
		}
	}
	x.say("The runs diverge at %s, after %d equal events; they end at %s and %s.", r.rounded(at), n, r.rounded(r.End),
		r.rounded(r.Beside.End))
	return x, nil
}
