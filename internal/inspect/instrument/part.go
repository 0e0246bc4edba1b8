package instrument

import (
	"cmp"
	"fmt"
	"slices"

	"emsim/internal/base/moves"
)

// An Event is something that happened in a run, in words.
type Event struct {
	At     int64
	Worker int
	Text   string
}

// Events lists what happened, in the order of time.
func (r *Run) Events() []Event {
	var list []Event
	for i := range r.Moves {
		m := &r.Moves[i]
		via := ""
		if m.Via != "" {
			via = " via " + m.Via
		}
		switch {
		case m.From == moves.Outside:
			list = append(list, Event{max(0, m.Came), m.To, fmt.Sprintf("begins with %s%s: %s", r.items(m), via, m.Rule)})
		case m.To == moves.Outside:
			list = append(list, Event{m.Left, m.From, fmt.Sprintf("ends %s%s: %s", r.items(m), via, m.Rule)})
		default:
			if m.Left != moves.OnTheWay {
				list = append(list, Event{m.Left, m.From, fmt.Sprintf("gives %s to %s%s: %s", r.items(m), r.Name(m.To), via, m.Rule)})
			}
			if m.Came != moves.OnTheWay {
				list = append(list, Event{m.Came, m.To, fmt.Sprintf("has got %s from %s%s", r.items(m), r.Name(m.From), via)})
			}
		}
	}
	for i := range r.Spans {
		s := &r.Spans[i]
		text := fmt.Sprintf("%s until %v", s.Doing, r.Time(s.To))
		if s.Peer != moves.Outside {
			text += fmt.Sprintf(", message of %s sent at %v", r.Name(s.Peer), r.Time(s.Sent))
		}
		list = append(list, Event{s.From, s.Worker, text})
	}
	for i := range r.Learned {
		l := &r.Learned[i]
		list = append(list, Event{l.Told, l.By, fmt.Sprintf("learns that %s had %v %s at %v", r.Name(l.Worker), l.Load, r.Measure, r.Time(l.At))})
	}
	slices.SortStableFunc(list, func(a, b Event) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Worker, b.Worker))
	})
	return list
}

// PartFrom says where two runs part: what each did then.
func (r *Run) PartFrom(o *Run) *Answer {
	const shown = 5
	a, b := r.Events(), o.Events()
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	x := answer("run", "at", r.Worker, "event")
	if n == len(a) && n == len(b) {
		x.say("The runs are the same, in all %d events.", n)
		return x
	}
	at := r.End
	for i, list := range [][]Event{a, b} {
		for _, e := range list[n:min(len(list), n+shown)] {
			at = min(at, e.At)
			x.row(i+1, r.Time(e.At), e.Worker, e.Text)
		}
	}
	x.say("The runs part at %s, after %d equal events; they end at %v and %v %s.", r.When(at), n, r.Time(r.End), r.Time(o.End), r.Unit)
	return x
}
