package instrument

import (
	"cmp"
	"maps"
	"slices"

	"emsim/internal/base/moves"
)

// LoadAt returns the number of items that a worker holds at a time, after all events of that time.
func (r *Run) LoadAt(worker int, t int64) float64 { return valueAt(r.load[worker], t) }

// Loads returns the smallest and the largest number of items that any worker held, from the end of time 0 on.
func (r *Run) Loads() (least, most float64) {
	least = r.LoadAt(0, 0)
	for w := range r.load {
		least, most = min(least, r.LoadAt(w, 0)), max(most, r.LoadAt(w, 0))
		for _, s := range r.load[w] {
			least, most = min(least, s.v), max(most, s.v)
		}
	}
	return least, most
}

// A Way is a route from one worker to another, through a board if Via names one.
type Way struct {
	From, To int
	Via      string
}

// Ways returns the routes on which workers give items to others, ordered by giver and taker, and the number of items by
// route.
func (r *Run) Ways() (list []Way, items map[Way]int) {
	items = map[Way]int{}
	for _, m := range r.Moves {
		if m.Kind == r.Kind && m.Moved() && m.Count > 0 {
			items[Way{m.From, m.To, m.Via}] += m.Count
		}
	}
	return slices.SortedFunc(maps.Keys(items), func(a, b Way) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Via, b.Via))
	}), items
}

// A Belief is what a worker believed about another one when it made a decision that moved load.
type Belief struct {
	At, Age    int64 // the time of the decision, and the age of the belief then
	Knew, True float64
}

// Right reports whether the belief was true, within 10 %.
func (b Belief) Right() bool { return near(b.Knew, b.True, within) }

// Beliefs returns the beliefs of all decisions that moved load, and the number of these decisions. Decisions without
// any belief do not count.
func (r *Run) Beliefs() (list []Belief, decisions int) {
	seen := map[*moves.Cause]bool{}
	for _, m := range r.Moves {
		if m.Kind != r.Kind || !m.Moved() || len(m.Knew) == 0 || seen[m.Cause] {
			continue
		}
		seen[m.Cause] = true
		for _, k := range m.Knew {
			if k.Worker != m.By {
				list = append(list, Belief{m.At, m.At - k.At, k.Load, valueAt(r.truth[k.Worker], m.At)})
			}
		}
	}
	return list, len(seen)
}

// UsedFor returns the time that a worker spent on a use; in the rest of the run it waits.
func (r *Run) UsedFor(worker int, use moves.Use) (t int64) {
	for _, s := range r.spans[worker] {
		if s.Use == use {
			t += s.To - s.From
		}
	}
	return t
}
