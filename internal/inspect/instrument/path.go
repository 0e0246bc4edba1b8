package instrument

import (
	"fmt"
	"sort"

	"emsim/internal/base/moves"
	"emsim/internal/base/plural"
)

// A Step is a part of the critical path: a worker did something, it waited but not for another worker, or a message was
// on its way to it.
type Step struct {
	Worker   int
	What     string
	Use      moves.Use
	Peer     int // the sender of the message that was on its way or awaited; or moves.Outside
	From, To int64
}

// Parts of the path that are not operations of a worker.
const (
	underWay           = "message in flight"
	waits              = "wait"
	waiting  moves.Use = waits
)

// slowest returns the worker that finished last.
func (r *Run) slowest() int {
	last := 0
	for w := range r.spans {
		if len(r.spans[w]) > 0 && r.endOf(w) > r.endOf(last) {
			last = w
		}
	}
	return last
}

func (r *Run) endOf(w int) int64 {
	if n := len(r.spans[w]); n > 0 {
		return r.spans[w][n-1].To
	}
	return 0
}

// lastBefore returns the index of a worker's last span that began before a time, or -1.
func (r *Run) lastBefore(w int, t int64) int {
	return sort.Search(len(r.spans[w]), func(i int) bool { return r.spans[w][i].From >= t }) - 1
}

// Path returns the critical path as a list of steps without gaps, from the end of the run back to its beginning. It
// starts at the worker that finished last. Where a worker waited for a message, the path continues with the sender.
func (r *Run) Path() (list []Step) {
	w := r.slowest()
	i := len(r.spans[w]) - 1
	add := func(what string, use moves.Use, peer int, from, to int64) int64 {
		list = append(list, Step{w, what, use, peer, from, to})
		return from
	}
	for t := r.End; t > 0; {
		if i < 0 {
			add(waits, waiting, moves.Outside, 0, t)
			break
		}
		s := &r.spans[w][i]
		if s.To < t {
			t = add(waits, waiting, moves.Outside, s.To, t)
		}
		if s.From < t { // a message may leave in the middle of a span
			t = add(s.Doing, s.Use, moves.Outside, s.From, t)
		}
		before := int64(0)
		if i--; i >= 0 {
			before = r.spans[w][i].To
		}
		switch {
		case s.Peer == moves.Outside || before >= t:
		case s.Sent > before:
			if s.Sent < t {
				t = add(underWay, s.Use, s.Peer, s.Sent, t)
			}
			w = s.Peer
			i = r.lastBefore(w, t)
		default: // the message left before the worker began to wait
			t = add(waits, waiting, s.Peer, before, t)
		}
	}
	return list
}

func (r *Run) held([]string) (*Answer, error) {
	path := r.Path()
	x := newAnswer("part", r.Worker, "from", "for", "steps", "time", "share", "longest", "begins")
	for _, p := range sumsOf(path) {
		x.Add(p.What, p.Worker, r.Name(p.Peer), string(p.Use), p.steps, r.cell(p.time), partOf(p.time, r.End),
			r.cell(p.longest), r.cell(p.from))
	}
	x.Says = r.pathSays(path)
	return x, nil
}

// pathSays returns a sentence about the critical path.
func (r *Run) pathSays(path []Step) []string {
	w, workers := r.slowest(), map[int]bool{}
	for _, s := range path {
		workers[s.Worker] = true
	}
	return []string{fmt.Sprintf("%s finished last, at %s. The critical path to it has %s, through %s.", r.Name(w),
		r.rounded(r.endOf(w)), plural.Of(len(path), "step"), plural.Of(len(workers), r.Worker))}
}
