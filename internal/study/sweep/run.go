package sweep

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
	"emsim/internal/study/ensemble"
)

// Survey says which results of a plan a directory holds.
type Survey struct {
	Results map[string]*Result // by Point.ID
	Missing []*Point           // in the plan's order, each only once
	Again   []string           // why existing files were rejected
	Ran     int                // how many of Results were run by Store.Run

	part  Part
	place map[string]int // position of each run in the plan, by Point.ID
}

// LimitTo limits the runs to a part.
func (x *Survey) LimitTo(h Part) { x.part = h }

// Survey reads the existing results of a plan.
func (s *Store) Survey(plan *Plan) (*Survey, error) {
	x := &Survey{Results: map[string]*Result{}, place: map[string]int{}}
	why := map[string][]string{}
	var order []string
	for i := range plan.Points {
		p := &plan.Points[i]
		if _, seen := x.place[p.ID]; seen {
			continue
		}
		x.place[p.ID] = len(x.place)
		r, reason, err := s.loadResult(p)
		switch {
		case err != nil:
			return nil, err
		case r != nil:
			x.Results[p.ID] = r
			continue
		case reason != "":
			if why[reason] == nil {
				order = append(order, reason)
			}
			why[reason] = append(why[reason], p.ID+".json")
		}
		x.Missing = append(x.Missing, p)
	}
	for _, reason := range order {
		names := why[reason]
		list := strings.Join(names[:min(len(names), mostNames)], ", ")
		if len(names) > mostNames {
			list += ", ..."
		}
		x.Again = append(x.Again, fmt.Sprintf("%d of the results in %s are %s (%s)", len(names), s.Dir, reason, list))
	}
	return x, nil
}

// mostNames is the largest number of files that a message names.
const mostNames = 20

// Runs returns the number of different runs in the plan.
func (x *Survey) Runs() int { return len(x.Results) + len(x.Missing) }

// Progress says how far a sweep has come.
type Progress struct {
	Done, Total int      // runs; Done includes results that already existed
	Ran         int      // how many of Done this sweep has run
	Running     []string // what the workers do now
}

// wrongResults returns the error for points without a reliable result. They are in the plan's order.
func wrongResults(points []*WrongPoint, dir string) error {
	text := fmt.Sprintf("%d of the points gave no result that can be trusted; the others are in %s, and a table "+
		"needs all of them", len(points), dir)
	list := []map[string]any{}
	for _, p := range points {
		text += "\n" + p.Error()
		list = append(list, map[string]any{"command": p.Point.Command(), "message": p.Err.Error()})
	}
	return &simerr.Fault{Name: "wrong_result", Keys: simerr.Keys{"points": list}, Err: errors.New(text)}
}

// Run runs the missing points of a survey, at most `workers` at a time, and adds their results. Each result is in its
// file before the next point begins in its place. Run calls progress after every change, one call at a time. The error
// is an *interrupt.Error, the error of wrong results, or a file system error.
func (s *Store) Run(ctx context.Context, x *Survey, workers int, progress func(Progress)) error {
	o := &ongoing{store: s, survey: x, progress: progress, total: x.Runs(), running: map[int]string{}}
	missing := x.Missing
	todo := s.order(x)
	_, err := ensemble.New(workers).InOrder(ctx, len(todo),
		func(i int) uint64 { return todo[i].subject().bytes(todo[i]) },
		func(ctx context.Context, i int) error { return o.runAndKeep(ctx, i, todo[i]) })
	x.Missing = slices.DeleteFunc(slices.Clone(missing), func(p *Point) bool { return x.Results[p.ID] != nil })
	switch {
	case err != nil && !interrupt.Ended(err):
		return err
	case ctx.Err() != nil && slices.ContainsFunc(todo, func(p *Point) bool { return x.Results[p.ID] == nil }):
		return interrupt.Of(ctx, "with %d of %d runs in %s; the same command continues from there", len(x.Results),
			o.total, s.Dir).
			With("done", len(x.Results)).With("total", o.total).With("directory", s.Dir)
	case len(o.wrong) > 0:
		slices.SortFunc(o.wrong, func(a, b *WrongPoint) int {
			return x.place[a.Point.ID] - x.place[b.Point.ID]
		})
		return wrongResults(o.wrong, s.Dir)
	}
	return nil
}

// order returns the points that this process has to run. Points that another process has begun come last: if they crash
// emsim, all others are done first.
func (s *Store) order(x *Survey) (todo []*Point) {
	var begun []*Point
	for _, p := range x.Missing {
		if !x.part.holds(x.place[p.ID]) {
			continue
		}
		if _, ok := s.marked(p); ok {
			begun = append(begun, p)
		} else {
			todo = append(todo, p)
		}
	}
	return append(todo, begun...)
}

// ongoing is a sweep in progress.
type ongoing struct {
	store    *Store
	survey   *Survey
	progress func(Progress)
	total    int

	mu      sync.Mutex
	running map[int]string // descriptions of the running points, by position in the order
	wrong   []*WrongPoint
}

// report reports the description of a running point, or its end if the description is ""; mu is held.
func (o *ongoing) report(i int, what string) {
	if o.running[i] = what; what == "" {
		delete(o.running, i)
	}
	if o.progress == nil {
		return
	}
	p := Progress{Done: len(o.survey.Results), Total: o.total, Ran: o.survey.Ran}
	for _, i := range slices.Sorted(maps.Keys(o.running)) {
		p.Running = append(p.Running, o.running[i])
	}
	o.progress(p)
}

// runAndKeep runs a point and stores its result, unless another sweep has stored it already. A wrong point does not end
// the sweep.
func (o *ongoing) runAndKeep(ctx context.Context, i int, p *Point) error {
	tell := func(what string) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.report(i, what)
	}
	tell(p.Label())
	r, _, err := o.store.loadResult(p)
	there := r != nil
	if !there && err == nil {
		o.store.begin(p, o.survey.part)
		r, err = p.runPoint(ctx, func(clock uint64) { tell(fmt.Sprintf("%s (%dk clocks)", p.Label(), clock/1000)) })
		if err == nil {
			err = o.store.saveResult(p, r)
			r.lighten(p)
		}
		o.store.endMark(p, err)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	defer o.report(i, "")
	var wrong *WrongPoint
	switch {
	case errors.As(err, &wrong):
		o.wrong = append(o.wrong, wrong)
		return nil
	case err != nil:
		return err
	}
	o.survey.Results[p.ID] = r
	if !there {
		o.survey.Ran++
	}
	return nil
}
