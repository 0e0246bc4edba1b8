package instrument

import (
	"cmp"
	"slices"

	"emsim/internal/base/answer"
	"emsim/internal/base/moves"
)

// A part sums the steps that differ only in their times.
type part struct {
	Step
	steps         int
	time          int64
	longest, from int64 // the first of the longest of these steps: its length, and when it begins
}

// sumsOf returns the sums of equal steps, the longest first.
func sumsOf(path []Step) (list []part) {
	at := map[Step]int{}
	for _, s := range path {
		from, length := s.From, s.To-s.From
		s.From, s.To = 0, 0
		i, known := at[s]
		if !known {
			i = len(list)
			at[s], list = i, append(list, part{Step: s})
		}
		p := &list[i]
		p.steps++
		p.time += length
		if length > p.longest || length == p.longest && (p.steps == 1 || from < p.from) {
			p.longest, p.from = length, from
		}
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

// A spent is what the slowest worker and all workers together spent on something.
type spent struct {
	Step
	own, all int64
}

// spentBy returns what a worker did, the longest first, and then what only others did.
func (r *Run) spentBy(worker int) (list []spent) {
	own, all := map[Step]int64{}, []Step(nil)
	for _, p := range sumsOf(r.did(worker)) {
		own[p.Step] = p.time
	}
	for w := range r.Workers {
		all = append(all, r.did(w)...)
	}
	for _, p := range sumsOf(all) {
		list = append(list, spent{p.Step, own[p.Step], p.time})
	}
	slices.SortStableFunc(list, func(a, b spent) int { return cmp.Compare(b.own, a.own) })
	return list
}

// spentColumns declares the table of what the slowest worker did.
func (r *Run) spentColumns() answer.Columns[spent] {
	return answer.Columns[spent]{
		{Key: "part", Head: "what " + r.Name(r.slowest()) + " did", Of: func(s spent) any { return s.What }},
		{Key: "for", Head: "for", Of: func(s spent) any { return string(s.Use) }},
		{Key: "time", Of: func(s spent) any { return r.cell(s.own) }},
		{Key: "share", Of: func(s spent) any { return partOf(s.own, r.End) }},
		{Head: r.Unit, Of: func(s spent) any { return answer.Unless(s.own == 0, r.cell(s.own)) }},
		{Head: "share", Of: func(s spent) any { return answer.Unless(s.own == 0, partOf(s.own, r.End)) }},
		{Key: "mean_of_all", Of: func(s spent) any { return float64(s.all) / float64(int64(r.Workers)*r.PerUnit) }},
		{Head: "mean of all", Of: func(s spent) any { return r.cell((s.all + int64(r.Workers)/2) / int64(r.Workers)) }},
		{Key: "mean_share", Head: "mean share", Of: func(s spent) any { return answer.Percent(r.share(s.all)) }},
	}
}

// partColumns declares the table of the critical path.
func (r *Run) partColumns() answer.Columns[part] {
	return answer.Columns[part]{
		{Key: "part", Head: "the critical path", Of: func(p part) any { return p.What }},
		{Key: r.Worker, Head: r.Worker, Of: func(p part) any { return p.Worker }},
		{Key: "from", Head: "from", Of: func(p part) any { return r.Name(p.Peer) }},
		{Key: "for", Head: "for", Of: func(p part) any { return string(p.Use) }},
		{Key: "steps", Head: "steps", Of: func(p part) any { return p.steps }},
		{Key: "time", Head: r.Unit, Of: func(p part) any { return r.cell(p.time) }},
		{Key: "share", Head: "share", Of: func(p part) any { return partOf(p.time, r.End) }},
		{Key: "longest", Head: "longest", Of: func(p part) any { return r.cell(p.longest) }},
		{Key: "begins", Head: "begins at", Of: func(p part) any { return r.cell(p.from) }},
	}
}

// pieceColumns declares the keys of the steps of the critical path.
func (r *Run) pieceColumns() answer.Columns[Step] {
	return answer.Columns[Step]{
		{Key: "part", Of: func(s Step) any { return s.What }},
		{Key: r.Worker, Of: func(s Step) any { return s.Worker }},
		{Key: "from", Of: func(s Step) any { return r.Name(s.Peer) }},
		{Key: "for", Of: func(s Step) any { return string(s.Use) }},
		{Key: "begins", Of: func(s Step) any { return r.cell(s.From) }},
		{Key: "time", Of: func(s Step) any { return r.cell(s.To - s.From) }},
		{Key: "share", Of: func(s Step) any { return partOf(s.To-s.From, r.End) }},
	}
}

// leastShown is the smallest share of the time with which a row of a profile is printed: a smaller one would be printed
// as 0.0 %.
const leastShown = 0.0005

// Profile returns the profile of a run: how the slowest worker spent its time, and what determined the length of the
// run. Each of three columns adds up to the time of the run: slowest worker, mean worker, critical path.
func (r *Run) Profile() *answer.Answer {
	path, did := r.Path(), r.spentBy(r.slowest())
	parts, x := sumsOf(path), r.about()
	if len(parts) > 0 {
		most := parts[0]
		x.Share("chain", float64(partOf(most.time, r.End)), "share of the critical path that its largest part takes").
			Conclude("the chain", "of the critical path: %s, by %s", most.What, r.Name(most.Worker))
	}
	x.Say("says", r.pathSays(path))
	x.Say("did", r.spentColumns().Objects(did))
	x.Say("path", r.partColumns().Objects(parts))
	x.Lists = []answer.List{
		r.spentColumns().List(slices.DeleteFunc(slices.Clone(did), func(s spent) bool {
			return float64(s.own) < leastShown*float64(r.End) && r.share(s.all) < leastShown
		})),
		r.partColumns().List(slices.DeleteFunc(slices.Clone(parts), func(p part) bool {
			return float64(p.time) < leastShown*float64(r.End)
		})),
	}
	x.Lists[0].Whole, x.Lists[1].Whole = false, false
	x.Lists[1].Notes = r.pathSays(path)
	slices.SortStableFunc(path, func(a, b Step) int { return cmp.Compare(b.To-b.From, a.To-a.From) })
	x.Say("pieces", r.pieceColumns().Objects(path))
	return x
}

// about returns an answer about the run: what ran on which machine, its first numbers, and what limited it. A run
// that failed before it had an answer is called by its machine.
func (r *Run) about() *answer.Answer {
	x := &answer.Answer{Title: r.Machine.Kind.Doc}
	x.Say("machine", r.Machine.Kind.Name)
	a := r.Answer
	if a == nil {
		return x
	}
	x.Title, x.Result, x.Stopped, x.Machine, x.Whole = a.Title, a.Result, a.Stopped, a.Machine, a.Whole
	x.Say("run", a.Title)
	x.Say("settings", a.Machine)
	shown := func(f *answer.Field) bool { return f.Place == answer.Headline || f.Part != "" }
	var wholes []string
	for _, f := range a.Fields {
		if shown(f) {
			wholes = append(wholes, f.Of...)
		}
	}
	for _, f := range a.Fields {
		if own := *f; shown(f) || slices.Contains(wholes, f.Key) {
			if own.Place == answer.Detail {
				own.Place = answer.Data
			}
			x.Fields = append(x.Fields, &own)
		}
	}
	return x
}

// partOf returns t as a percentage of another time.
func partOf(t, of int64) answer.Percent { return answer.Percent(float64(t) / float64(max(1, of))) }
