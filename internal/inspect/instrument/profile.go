package instrument

import (
	"cmp"
	"slices"

	"emsim/internal/base/answer"
	"emsim/internal/base/moves"
	"emsim/internal/base/ordered"
)

// A part sums the steps that differ only in their times.
type part struct {
	Step
	steps int
	time  int64
}

// sumsOf returns the sums of equal steps, the longest first.
func sumsOf(path []Step) (list []part) {
	at := map[Step]int{}
	for _, s := range path {
		length := s.To - s.From
		s.From, s.To = 0, 0
		i, known := at[s]
		if !known {
			i = len(list)
			at[s], list = i, append(list, part{Step: s})
		}
		list[i].steps++
		list[i].time += length
	}
	slices.SortStableFunc(list, func(a, b part) int { return cmp.Compare(b.time, a.time) })
	return list
}

// did returns the steps of a worker from the beginning to the end of the run: its operations and, where it waited, the
// operation that came next. The steps do not name the worker.
func (r *Run) did(w int) (list []Step) {
	for _, s := range r.spans[w] {
		list = append(list, Step{0, s.Doing, s.Use, moves.Outside, s.From, s.To})
	}
	for _, g := range r.waits(w) {
		what := waits + " at the end"
		if g.next != nil {
			what = waits + " before " + g.next.Doing
		}
		list = append(list, Step{0, what, waiting, moves.Outside, g.from, g.to})
	}
	return list
}

// A Profile shows how the slowest worker spent its time, and what determined the length of the run.
type Profile struct {
	Says              []string
	slowest           string
	Did, Path, Pieces answer.List
}

// Profile returns the profile of a run. Each of three lists adds up to the time of the run: slowest worker, mean
// worker, critical path.
func (r *Run) Profile() *Profile {
	last, path, all, own := r.slowest(), r.Path(), []Step(nil), map[Step]int64{}
	held, _ := r.held(nil)
	x := &Profile{Says: held.Says, slowest: r.Name(last), Path: held.List}
	for _, p := range sumsOf(r.did(last)) {
		own[p.Step] = p.time
	}
	for w := range r.Workers {
		all = append(all, r.did(w)...)
	}
	sums := sumsOf(all)
	slices.SortStableFunc(sums, func(a, b part) int { return cmp.Compare(own[b.Step], own[a.Step]) })
	x.Did.Heads = []string{"part", "for", "time", "share", "mean of all", "mean share"}
	for _, p := range sums {
		mean := float64(p.time) / float64(int64(r.Workers)*r.PerUnit)
		x.Did.Add(p.What, string(p.Use), r.Time(own[p.Step]), partOf(own[p.Step], r.End), mean,
			answer.Percent(r.share(p.time)))
	}
	x.Pieces.Heads = []string{"part", r.Worker, "from", "for", "begins", "time", "share"}
	slices.SortStableFunc(path, func(a, b Step) int { return cmp.Compare(b.To-b.From, a.To-a.From) })
	for _, s := range path {
		x.Pieces.Add(s.What, s.Worker, r.Name(s.Peer), string(s.Use), r.Time(s.From), r.Time(s.To-s.From),
			partOf(s.To-s.From, r.End))
	}
	return x
}

// partOf returns t as a percentage of another time.
func partOf(t, of int64) answer.Percent { return answer.Percent(float64(t) / float64(max(1, of))) }

// Tables returns the tables of the profile; the first head of each is its title.
func (x *Profile) Tables() (list []answer.List) {
	titles := []string{"what " + x.slowest + " did", "the critical path", "its longest pieces"}
	for i, l := range []answer.List{x.Did, x.Path, x.Pieces} {
		l.Heads = append([]string{titles[i]}, l.Heads[1:]...)
		list = append(list, l)
	}
	return list
}

// MarshalJSON returns the sentences and the rows of the tables.
func (x *Profile) MarshalJSON() ([]byte, error) {
	return ordered.Object{
		"says", x.Says, "did", rowsOf(x.Did), "path", rowsOf(x.Path),
		"pieces", rowsOf(x.Pieces),
	}.MarshalJSON()
}
