package sweep

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"emsim/internal/interrupt"
)

// Survey lists which results of a plan a directory holds.
type Survey struct {
	Results map[string]*Result // by Point.ID
	Missing []*Point           // in the plan's order, each run once
	Again   []string           // why existing files do not count
	Ran     int                // how many of Results Store.Run ran
}

// Survey looks for the results of a plan.
func (s *Store) Survey(plan *Plan) (*Survey, error) {
	x := &Survey{Results: map[string]*Result{}}
	seen := map[string]bool{}
	why := map[string]int{}
	var order []string
	for i := range plan.Points {
		p := &plan.Points[i]
		if seen[p.ID] {
			continue
		}
		seen[p.ID] = true
		r, reason, err := s.load(p)
		switch {
		case err != nil:
			return nil, err
		case r != nil:
			x.Results[p.ID] = r
			continue
		case reason != "":
			if why[reason] == 0 {
				order = append(order, reason)
			}
			why[reason]++
		}
		x.Missing = append(x.Missing, p)
	}
	for _, reason := range order {
		x.Again = append(x.Again, fmt.Sprintf("%d of the results in %s are %s", why[reason], s.Dir, reason))
	}
	return x, nil
}

// Runs counts the different runs of the plan.
func (x *Survey) Runs() int { return len(x.Results) + len(x.Missing) }

// Progress is the progress of a sweep.
type Progress struct {
	Done, Total int      // runs; Done includes those that existed before
	Ran         int      // how many of Done this sweep ran
	Running     []string // what the workers are doing
}

// Wrong are the points whose results cannot be trusted, in the plan's order.
type Wrong struct {
	Points []*WrongPoint
	Dir    string
}

func (e *Wrong) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of the points gave no result that can be trusted; the others are in %s, and a table needs all of them", len(e.Points), e.Dir)
	for _, p := range e.Points {
		fmt.Fprintf(&b, "\n%v", p)
	}
	return b.String()
}

// Kind is the JSON error's kind.
func (e *Wrong) Kind() string { return "wrong_result" }

// Details returns the further keys of the JSON error.
func (e *Wrong) Details() map[string]any {
	list := []map[string]any{}
	for _, p := range e.Points {
		list = append(list, map[string]any{"command": p.Point.Command(), "message": p.Err.Error()})
	}
	return map[string]any{"points": list}
}

// Run runs the missing points of a survey on that many workers and adds their
// results, each of which is in its file before the next one of that worker
// begins. progress is called whenever something changes, by one worker at a
// time. The error is *interrupt.Error, *Wrong, or a file system error.
func (s *Store) Run(ctx context.Context, x *Survey, workers int, progress func(Progress)) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	pool := &pool{store: s, survey: x, stop: stop, progress: progress, todo: x.Missing, total: x.Runs()}
	pool.running = make([]string, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for p := pool.next(ctx, w); p != nil; p = pool.next(ctx, w) {
				pool.work(ctx, w, p)
			}
		})
	}
	all.Wait()
	x.Missing = slices.DeleteFunc(x.Missing, func(p *Point) bool { return x.Results[p.ID] != nil })
	switch {
	case pool.err != nil:
		return pool.err
	case ctx.Err() != nil && len(x.Missing) > 0:
		return interrupt.Of(ctx, "with %d of %d runs in %s; the same command continues from there", len(x.Results), pool.total, s.Dir).
			With("done", len(x.Results)).With("total", pool.total).With("directory", s.Dir)
	case len(pool.wrong) > 0:
		slices.SortFunc(pool.wrong, func(a, b *WrongPoint) int {
			return slices.Index(x.Missing, a.Point) - slices.Index(x.Missing, b.Point)
		})
		return &Wrong{pool.wrong, s.Dir}
	}
	return nil
}

// pool is what the workers share.
type pool struct {
	store    *Store
	survey   *Survey
	stop     func()
	progress func(Progress)
	total    int

	mu      sync.Mutex
	todo    []*Point
	running []string // by worker
	wrong   []*WrongPoint
	err     error // the first error that ends the sweep
}

// next takes a point, or nil if none is left or the sweep stops.
func (l *pool) next(ctx context.Context, worker int) *Point {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil || len(l.todo) == 0 {
		l.running[worker] = ""
		return nil
	}
	p := l.todo[0]
	l.todo = l.todo[1:]
	l.tell(worker, p.Label())
	return p
}

// tell reports what a worker is doing; mu is held.
func (l *pool) tell(worker int, what string) {
	l.running[worker] = what
	if l.progress == nil {
		return
	}
	running := slices.DeleteFunc(slices.Clone(l.running), func(s string) bool { return s == "" })
	l.progress(Progress{Done: len(l.survey.Results), Total: l.total, Ran: l.survey.Ran, Running: running})
}

// work runs a point and keeps its result, unless another sweep has been
// faster.
func (l *pool) work(ctx context.Context, worker int, p *Point) {
	r, _, err := l.store.load(p)
	there := r != nil
	if !there && err == nil {
		r, err = p.run(ctx, func(clock uint64) {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.tell(worker, fmt.Sprintf("%s (%dk clocks)", p.Label(), clock/1000))
		})
		if err == nil {
			err = l.store.save(p, r)
			r.lighten(p)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	var wrong *WrongPoint
	switch {
	case errors.As(err, &wrong):
		l.wrong = append(l.wrong, wrong)
	case err != nil && ctx.Err() != nil: // the sweep is stopping
	case err != nil:
		l.err = err
		l.stop()
	default:
		l.survey.Results[p.ID] = r
		if !there {
			l.survey.Ran++
		}
	}
	l.tell(worker, "")
}
