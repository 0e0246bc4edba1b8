package instrument

import (
	"cmp"
	"slices"

	"emsim/internal/base/moves"
	"emsim/internal/base/plural"
	"emsim/internal/machine/machines"
)

// A Step is a part of the critical path: a worker did something, waited without being
// held by anybody, or a message was under way to it.
type Step struct {
	Worker   int
	What     string
	Use      moves.Use
	From, To int64
}

const underWay = "message under way"

// slowest is the worker that worked last.
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

// Path is the critical path of the slowest worker, from its end back to the beginning: a
// worker that had waited for a message is held by its sender.
func (r *Run) Path() (list []Step) {
	w := r.slowest()
	for t := r.endOf(w); t > 0; {
		i, found := slices.BinarySearchFunc(r.spans[w], t, func(s moves.Span, t int64) int { return cmp.Compare(s.To, t) })
		if !found {
			i--
		}
		for i >= 0 && r.spans[w][i].From >= t { // of no length
			i--
		}
		if i < 0 {
			return append(list, Step{w, "wait", moves.Exchange, 0, t})
		}
		s := &r.spans[w][i]
		if s.To < t { // nobody held it
			list = append(list, Step{w, "wait", s.Use, s.To, t})
			t = s.To
			continue
		}
		list = append(list, Step{w, s.Doing, s.Use, s.From, t})
		t = s.From
		before := int64(0)
		if i > 0 {
			before = r.spans[w][i-1].To
		}
		if s.Peer != moves.Outside && before < t && s.Sent > before {
			list = append(list, Step{w, underWay, s.Use, s.Sent, t})
			w, t = s.Peer, s.Sent
		}
	}
	return list
}

func (r *Run) held([]string) (*Answer, error) {
	path, sums, order, through := r.Path(), map[Step]int64{}, []Step(nil), map[int]bool{}
	for _, s := range path {
		key := Step{Worker: s.Worker, What: s.What, Use: s.Use}
		if _, known := sums[key]; !known {
			order = append(order, key)
		}
		sums[key] += s.To - s.From
		through[s.Worker] = true
	}
	slices.SortStableFunc(order, func(a, b Step) int { return cmp.Compare(sums[b], sums[a]) })
	x, w := answer("part", r.Worker, "for", "time", "share"), r.slowest()
	for _, k := range order {
		x.row(k.What, k.Worker, string(k.Use), r.Time(sums[k]), machines.Percent(float64(sums[k])/float64(max(1, r.endOf(w)))))
	}
	x.say("%s was the last, at %s. The path that held it has %s, through %s.", r.Name(w), r.Length(r.endOf(w)), plural.Of(len(path), "step"), plural.Of(len(through), r.Worker))
	return x, nil
}
