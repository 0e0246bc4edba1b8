package instrument

import (
	"cmp"
	"slices"

	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/base/moves"
	"emsim/internal/base/plural"
)

// Waited is the time in which a worker had nothing to do.
type Waited struct {
	All, Lost int64 // the whole time, and the part in which another worker had at least two items more
	Last      int64 // when the last of the lost time ended; 0 if there is none
}

// Waited returns the sums of a worker's waits.
func (r *Run) Waited(worker int) (x Waited) {
	for _, g := range r.waits(worker) {
		x.All += g.to - g.from
		r.changes(g.from, g.to, func(from, to int64, most float64) {
			if most >= valueAt(r.load[worker], from)+2 {
				x.Lost += to - from
				x.Last = to
			}
		})
	}
	return x
}

func (r *Run) idle([]string) (*Answer, error) {
	x, sum := newAnswer(r.Worker, "waited", "while another had more", "last"), int64(0)
	for w := range r.Workers {
		waited := r.Waited(w)
		sum += waited.Lost
		x.Add(w, r.cell(waited.All), r.cell(waited.Lost), r.cell(waited.Last))
	}
	x.say("All %s together waited %s while another had at least two %s more: %.1f %% of their time.", r.Worker+
		"s", r.rounded(sum), r.Items, 100*r.share(sum))
	return x, nil
}

// share returns a time as a part of all workers' time.
func (r *Run) share(t int64) float64 {
	return float64(t) / max(1, float64(float64(r.End)*float64(r.Workers)))
}

// levels returns, for each worker, the quantity that a policy tries to make equal: the load, the measure that the
// workers publish or, if that is the speed, the load divided by it.
func (r *Run) levels(t int64) []float64 {
	out := make([]float64, r.Workers)
	for w := range out {
		load, truth := valueAt(r.load[w], t), valueAt(r.truth[w], t)
		switch {
		case r.Truths == nil:
			out[w] = load
		case !r.IsSpeed:
			out[w] = truth
		default:
			out[w] = load / max(truth, 1e-9)
		}
	}
	return out
}

// Level returns the intervals, as from and to, in which the load was level within 10 % or one item.
func (r *Run) Level() (list [][2]int64) {
	times := []int64{0, r.End}
	for _, list := range append(slices.Clone(r.truth), r.most) {
		for _, s := range list {
			times = append(times, s.at)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	since := int64(-1)
	for i, at := range times {
		if level := i+1 < len(times) && isLevel(r.levels(at), within, r.Truths == nil); level && since < 0 {
			since = at
		} else if !level && since >= 0 {
			list = append(list, [2]int64{since, at})
			since = -1
		}
	}
	return list
}

// isLevel reports whether all values are near their mean or, for whole items, within one item of it. A load of zero is
// not level.
func isLevel(list []float64, part float64, whole bool) bool {
	mean := lists.Sum(list, func(v float64) float64 { return v }) / float64(len(list))
	return mean > 0 && !slices.ContainsFunc(list, func(v float64) bool {
		return !near(v, mean, part) && !(whole && near(v, mean, 1/mean))
	})
}

func (r *Run) cost([]string) (*Answer, error) {
	type part struct{ n, time int64 }
	parts, names := map[string]*part{}, []string{}
	add := func(name string, t int64) {
		if parts[name] == nil {
			parts[name] = &part{}
			names = append(names, name)
		}
		parts[name].n++
		parts[name].time += t
	}
	sum := int64(0)
	for w := range r.Workers {
		for _, s := range r.spans[w] {
			if s.Use == moves.Balance {
				sum += s.To - s.From
				add(s.Doing, s.To-s.From)
			}
		}
		for _, g := range r.waits(w) {
			if g.next != nil && g.next.Use == moves.Balance && g.next.Peer != moves.Outside {
				sum += g.to - g.from
				add("wait for a message of balancing", g.to-g.from)
			}
		}
	}
	moved, items, way := 0, 0, int64(0)
	for _, m := range r.Moves {
		if m.Moved() && m.Count > 0 {
			moved, items, way = moved+1, items+m.Count, way+max(0, m.Came-m.Left)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(parts[b].time, parts[a].time) })
	x := newAnswer("part", "times", "time", "share")
	for _, name := range names {
		x.Add(name, parts[name].n, r.cell(parts[name].time), answer.Percent(r.share(parts[name].time)))
	}
	x.say("Balancing took %s of all %ss together, %.1f %% of their time.", r.rounded(sum), r.Worker, 100*r.share(sum))
	x.say("%s changed %s in %s, which took %s in all.", r.Count(items), r.Worker, plural.Of(moved, "move"),
		r.rounded(way))
	x.say("A %s updated what it knew of another one's %s %s.", r.Worker, r.Measure, plural.Of(len(r.Learned), "time"))
	return x, nil
}
