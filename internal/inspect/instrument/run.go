// Package instrument analyses a recorded run of any machine that balances its load: it answers questions, debugs,
// traces, profiles and draws, from a moves.Record alone.
//
//	run.go        a recorded run: load, waits and beliefs over time
//	em4.go        a run of a program on the EM-4, recorded in the same form
//	questions.go  the nine questions, and the form of an answer
//	items.go      the answers about moves and beliefs
//	load.go       the answers about load over time, waits and cost
//	path.go       the critical path, from the slowest worker back
//	part.go       the events in order, and where two runs diverge
//	debug.go      the debugger, which moves in both directions
//	view.go       the contents of the debugger's screen
//	trace.go      the events as text and as a timeline
//	boards.go     the boards of the MNC computer, as waves
//	profile.go    the profile: the use of time, with the critical path
//	picture.go    the data for pictures
//
// All machines are deterministic, so a record is all that is needed to go to any time.
package instrument

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/moves"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// Run is a run that was recorded to its end or to its failure.
type Run struct {
	*moves.Record
	machines.Terms
	Machine *machinefile.Machine
	Answer  *answer.Answer // the run's answer; nil if it failed before it had one
	Title   string
	Label   string // distinguishes the run from the others in a comparison
	End     int64
	Err     error // why the run failed, or nil
	Beside  *Run  // the run to compare with, or nil

	spans [][]moves.Span
	load  [][]step // by worker: the number of its items
	truth [][]step // by worker: the value that others learn
	most  []step   // the largest of all loads, with a step for each change of any load
}

// A step is a value that holds from the time `at` on.
type step struct {
	at int64
	v  float64
}

// valueAt returns the value at a time, after all changes at that time; 0 before the first step.
func valueAt(list []step, t int64) float64 {
	i := sort.Search(len(list), func(i int) bool { return list[i].at > t })
	if i == 0 {
		return 0
	}
	return list[i-1].v
}

// setFrom sets the value that holds from the time `at` on.
func setFrom(list *[]step, at int64, v float64) {
	if n := len(*list); n > 0 && (*list)[n-1].at == at {
		(*list)[n-1].v = v
		return
	}
	*list = append(*list, step{at, v})
}

// mostSpans limits a record [chosen: half a gigabyte, with the moves].
const mostSpans = 1 << 20

// Record runs a machine and records it.
func Record(ctx context.Context, m *machinefile.Machine) (*Run, error) {
	return record(ctx, m, func(ctx context.Context, rec *moves.Record) (*answer.Answer, error) {
		return machines.Run(ctx, m, machines.Watch{Record: rec})
	})
}

// record calls do, which runs the machine, and returns the recorded run.
func record(ctx context.Context, m *machinefile.Machine,
	do func(ctx context.Context, rec *moves.Record) (*answer.Answer, error),
) (*Run, error) {
	held, stop := context.WithCancel(ctx)
	defer stop()
	full := false
	rec := &moves.Record{Most: mostSpans, Full: func() { full = true; stop() }}
	x, err := do(held, rec)
	model := machines.ModelOf(m.Kind.Name)
	switch {
	case full:
		return nil, simerr.Usagef("the run has more than %d operations, which do not fit into memory: choose a "+
			"smaller one, with fewer %s or less time%s", mostSpans, model.Terms.Items,
			strings.Replace(model.Recorded, " ", ", such as ", 1))
	case ctx.Err() != nil:
		return nil, interrupt.Of(ctx, "while the run was recorded")
	case err != nil && simerr.Kind(err) == simerr.KindUsage:
		return nil, err
	}
	r := &Run{Record: rec, Terms: model.Terms, Machine: m, Answer: x, Err: err}
	if x != nil {
		r.Title = x.Heading()
	}
	r.order()
	return r, nil
}

// order sorts the record by worker, and computes the loads over time from the moves.
func (r *Run) order() {
	r.spans, r.load, r.truth = make([][]moves.Span, r.Workers), make([][]step, r.Workers), make([][]step, r.Workers)
	for _, s := range r.Spans {
		r.spans[s.Worker] = append(r.spans[s.Worker], s)
		r.End = max(r.End, s.To)
	}
	for _, list := range r.spans { // a unit's span is recorded at its end, after the messages that interrupted it
		slices.SortStableFunc(list, func(a, b moves.Span) int {
			return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To))
		})
	}
	type change struct {
		at    int64
		w, by int
	}
	var all []change
	for _, m := range r.Moves {
		if r.End = max(r.End, m.Left, m.Came); m.Kind != r.Kind {
			continue
		}
		if m.From != moves.Outside && m.Left != moves.OnTheWay {
			all = append(all, change{m.Left, m.From, -m.Count})
		}
		if m.To != moves.Outside && m.Came != moves.OnTheWay {
			all = append(all, change{m.Came, m.To, m.Count})
		}
	}
	slices.SortStableFunc(all, func(a, b change) int { return cmp.Compare(a.at, b.at) })
	now, most := make([]int, r.Workers), 0
	for _, c := range all {
		before := now[c.w]
		if now[c.w] += c.by; now[c.w] >= most {
			most = now[c.w]
		} else if before == most {
			most = slices.Max(now)
		}
		setFrom(&r.load[c.w], c.at, float64(now[c.w]))
		setFrom(&r.most, c.at, float64(most))
	}
	for _, t := range r.Truths {
		setFrom(&r.truth[t.Worker], t.At, t.Load)
	}
	if r.Truths == nil {
		r.truth = r.load
	}
}

// Time returns a time in the machine's unit: a whole number of clocks, or seconds. It returns "-" for moves.OnTheWay.
func (r *Run) Time(t int64) any {
	switch {
	case t == moves.OnTheWay:
		return "-"
	case r.PerUnit == 1:
		return t
	}
	return float64(t) / float64(r.PerUnit)
}

// clocks is a number of clocks or ticks in a table.
type clocks int64

func (n clocks) String() string { return answer.Commas(int64(n)) }

// seconds is a time in seconds in a table.
type seconds float64

func (s seconds) String() string {
	if 0 < s && s < 1e-4 { // without an exponent
		return strconv.FormatFloat(float64(s), 'f', 6, 64)
	}
	return strconv.FormatFloat(float64(s), 'g', 6, 64)
}

// cell returns a time for a table, in the machine's unit, or "-" for moves.OnTheWay.
func (r *Run) cell(t int64) any {
	switch v := r.Time(t).(type) {
	case int64:
		return clocks(v)
	case float64:
		return seconds(v)
	default:
		return v
	}
}

// rounded formats a time with its unit for a sentence.
func (r *Run) rounded(t int64) string {
	return (&answer.Field{Value: float64(t) / float64(r.PerUnit), Unit: r.Unit}).String()
}

// Length formats a time exactly, with its unit.
func (r *Run) Length(t int64) string { return fmt.Sprint(r.Time(t), " ", r.Unit) }

// ParseTime parses a time in the machine's unit.
func (r *Run) ParseTime(word string) (int64, error) {
	x, err := strconv.ParseFloat(word, 64)
	t := float64(x * float64(r.PerUnit))
	if err != nil || !(t >= 0 && t <= 1<<62) || r.PerUnit == 1 && t != float64(int64(t)) {
		return 0, simerr.Usagef("%q is not a time: expected %s from 0 to %v", word, r.Unit, r.Time(r.End))
	}
	return int64(t + 0.5), nil
}

// parseNumber parses the number of a worker or an item, which must be below count.
func parseNumber(word, what string, count int) (int, error) {
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 || n >= count {
		return 0, simerr.Usagef("there is no %s %q: expected 0 to %d", what, word, count-1)
	}
	return n, nil
}

// Name returns the name of a worker, or "-" for moves.Outside.
func (r *Run) Name(w int) string {
	if w == moves.Outside {
		return "-"
	}
	return fmt.Sprintf("%s %d", r.Worker, w)
}

// Count formats a number of items.
func (r *Run) Count(n int) string {
	if n == 1 {
		return "1 " + r.Item
	}
	return fmt.Sprintf("%d %s", n, r.Items)
}

// wait is a time in which a worker did nothing, before its next span.
type wait struct {
	from, to int64
	next     *moves.Span // nil at the end of the run
}

// waits returns a worker's waits.
func (r *Run) waits(w int) (list []wait) {
	at := int64(0)
	for i := range r.spans[w] {
		s := &r.spans[w][i]
		if s.From > at {
			list = append(list, wait{at, s.From, s})
		}
		at = max(at, s.To)
	}
	if at < r.End {
		list = append(list, wait{at, r.End, nil})
	}
	return list
}

// changes calls visit for each part of an interval in which no load changes, with the largest load.
func (r *Run) changes(from, to int64, visit func(from, to int64, most float64)) {
	i := sort.Search(len(r.most), func(i int) bool { return r.most[i].at >= from })
	for at := from; at < to; i++ {
		next := to
		if i < len(r.most) {
			next = min(to, r.most[i].at)
		}
		if next > at {
			visit(at, next, valueAt(r.most, at))
			at = next
		}
	}
}

// near reports whether a and b differ by at most a given part of b.
func near(a, b, part float64) bool {
	most := float64(part * b)
	return a-b <= most && b-a <= most
}
