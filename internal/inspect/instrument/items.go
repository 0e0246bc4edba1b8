package instrument

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/moves"
	"emsim/internal/base/plural"
)

// historyOf returns the moves of an item, in order of time.
func (r *Run) historyOf(word string) (item int, list []*moves.Move, err error) {
	last := 0
	for _, m := range r.Moves {
		last = max(last, m.Item+m.Count)
	}
	item, err = parseNumber(word, r.Item, last)
	for _, m := range r.Moves {
		if err == nil && m.Has(m.Kind, item) {
			list = append(list, m)
		}
	}
	slices.SortStableFunc(list, func(a, b *moves.Move) int { return cmp.Compare(uint64(a.Left), uint64(b.Left)) })
	return item, list, err
}

func (r *Run) why(args []string) (*Answer, error) {
	item, list, err := r.historyOf(args[0])
	if err != nil {
		return nil, err
	}
	return r.wayOf(item, list), nil
}

// wayOf returns the table of an item's moves.
func (r *Run) wayOf(item int, list []*moves.Move) *Answer {
	x, moved := newAnswer("what", "from", "to", "decided", "by", "left", "came", "via", "rule"), 0
	for _, m := range list {
		if m.Moved() {
			moved++
		}
		x.Add(m.Items(), r.Name(m.From), r.Name(m.To), r.cell(m.At), r.Name(m.By), r.cell(m.Left), r.cell(m.Came),
			m.Via, m.Rule)
	}
	x.say("%s %d changed its %s %s.", r.Item, item, r.Worker, plural.Of(moved, "time"))
	return x
}

func (r *Run) knew(args []string) (*Answer, error) {
	item, list, err := r.historyOf(args[0])
	if err != nil {
		return nil, err
	}
	x := newAnswer("move", "decided", "by", "about", "it knew", "of", "age", "true", "detail")
	for _, m := range list {
		for _, k := range m.Knew {
			truth := any(valueAt(r.truth[k.Worker], m.At))
			if m.Kind != r.Kind {
				truth = "-" // the kind of the belief differs from the measure
			}
			x.Add(fmt.Sprintf("%s: %d to %d", m.Items(), m.From, m.To), r.cell(m.At), r.Name(m.By), r.Name(k.Worker),
				k.Load, r.cell(k.At), r.cell(m.At-k.At), truth, k.Detail)
		}
	}
	x.say("%s %d: what was compared before its moves (%s), as of when, and what was true then.", r.Item, item,
		r.Measure)
	return x, nil
}

// lastRight returns the last time up to t at which a belief was right. ok is false if it never was.
func (r *Run) lastRight(by, about int, t int64) (last int64, ok bool) {
	told, truth := []step(nil), r.truth[about]
	for _, l := range r.Learned {
		if l.By == by && l.Worker == about {
			setFrom(&told, l.Told, l.Load)
		}
	}
	times := []int64{t}
	for _, s := range slices.Concat(told, truth) {
		times = append(times, s.at)
	}
	slices.Sort(times)
	for i, at := range times {
		if at > t || len(told) == 0 || at < told[0].at {
			continue
		}
		if near(valueAt(told, at), valueAt(truth, at), within) {
			last, ok = at, true
			if at < t && i+1 < len(times) {
				last = min(t, times[i+1])
			}
		}
	}
	return last, ok
}

// beliefs returns worker w's latest belief about each other worker at time t, by worker number.
func (r *Run) beliefs(w int, t int64) []*moves.Learned {
	about := make([]*moves.Learned, r.Workers)
	for i := range r.Learned {
		if l := &r.Learned[i]; l.By == w && l.Told <= t {
			about[l.Worker] = l
		}
	}
	return slices.DeleteFunc(about, func(l *moves.Learned) bool { return l == nil })
}

func (r *Run) lastTruth(args []string) (*Answer, error) {
	w, err := parseNumber(args[0], r.Worker, r.Workers)
	t := r.End
	if err == nil && len(args) > 1 {
		t, err = r.ParseTime(args[1])
	}
	if err != nil {
		return nil, err
	}
	x, right := newAnswer("about", "believes", "of", "true", "last knew the truth"), 0
	for _, l := range r.beliefs(w, t) {
		other := l.Worker
		last, ok := r.lastRight(w, other, t)
		when := any("never")
		if ok {
			when = r.cell(last)
		}
		if ok && last == t {
			right++
		}
		x.Add(r.Name(other), l.Load, r.cell(l.At), valueAt(r.truth[other], t), when)
	}
	x.say("At %s %s was right about %d of the %s that it had heard of (%s, within 10 %%).", r.rounded(t), r.Name(w),
		right, plural.Of(len(x.Rows), r.Worker), r.Measure)
	return x, nil
}

// back answers the question back: it lists the loops in the items' paths.
func (r *Run) back([]string) (*Answer, error) {
	type key struct {
		kind string
		item int
	}
	paths, loops, ways, all, useless := map[key][]int{}, map[string]int{}, []string(nil), 0, 0
	for _, m := range r.Moves {
		for k := (key{m.Kind, m.Item}); k.item < m.Item+m.Count; k.item++ {
			if !m.Moved() {
				paths[k] = []int{m.To}
				continue
			}
			all++
			path := paths[k]
			at := slices.Index(path, m.To)
			if paths[k] = append(path, m.To); at >= 0 {
				way := strings.Trim(strings.ReplaceAll(fmt.Sprint(paths[k][at:]), " ", " to "), "[]")
				if loops[way]++; loops[way] == 1 {
					ways = append(ways, way)
				}
				useless += len(path) - at
				paths[k] = path[:at+1]
			}
		}
	}
	slices.SortStableFunc(ways, func(a, b string) int { return cmp.Compare(loops[b], loops[a]) })
	x := newAnswer("way", "times")
	for _, way := range ways {
		x.Add(way, loops[way])
	}
	x.say("%d of %s of single %s were for nothing: they belong to paths that came back to where they began.", useless,
		plural.Of(all, "move"), r.Items)
	return x, nil
}

// onTheWay reports whether the items of a move are between two workers at time t.
func onTheWay(m *moves.Move, t int64) bool {
	return m.Moved() && m.Left >= 0 && m.Left <= t && (m.Came > t || m.Came == moves.OnTheWay)
}

func (r *Run) way(args []string) (*Answer, error) {
	t, err := r.ParseTime(args[0])
	if err != nil {
		return nil, err
	}
	x, n, said := newAnswer("what", "from", "to", "left", "comes", "via"), 0, 0
	for _, m := range r.Moves {
		if onTheWay(m, t) {
			n += m.Count
			x.Add(m.Items(), r.Name(m.From), r.Name(m.To), r.cell(m.Left), r.cell(m.Came), m.Via)
		}
	}
	for _, s := range r.Spans {
		if s.Peer != moves.Outside && s.Sent <= t && s.From > t && s.Doing != "sense and plan" {
			said++
			x.Add("message: "+s.Doing, r.Name(s.Peer), r.Name(s.Worker), r.cell(s.Sent), r.cell(s.From), "")
		}
	}
	x.say("At %s %s and %s were on the way or not yet taken.", r.rounded(t), r.Count(n), plural.Of(said, "message"))
	return x, nil
}
