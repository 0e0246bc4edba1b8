package report

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"emsim/docs"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/internal/draw/figures"
	"emsim/internal/study/ensemble"
	"emsim/verify"
)

// Options choose what a page holds.
type Options struct {
	Only    []string // numbers of papers, as in "003"; empty means all
	Workers int      // things measured or drawn at a time, at least 1
	Version string   // of emsim, for the head of the page; may be empty
	// Progress, if not nil, receives the number of finished parts and their total.
	Progress func(done, of int)
}

// job makes a part of a page.
type job struct {
	name string
	do   func(context.Context) error
}

// Unfinished is the error for a page that was incomplete when the context ended.
type Unfinished struct {
	Done []string // finished parts
	Of   int      // total number of parts
	Err  error    // of the context
}

func (e *Unfinished) Error() string {
	return fmt.Sprintf("%d of %d parts: %v", len(e.Done), e.Of, e.Err)
}
func (e *Unfinished) Unwrap() error { return e.Err }

// Build measures and draws the contents of a page. If ctx ends, the error is *Unfinished.
func Build(ctx context.Context, o Options) (*Page, error) {
	all := lists.Of(verify.Suites(), func(s verify.Suite) string { return s.Paper })
	for _, n := range o.Only {
		if !slices.Contains(all, n) {
			return nil, simerr.Usagef("no paper is called %q: they are %s", n, strings.Join(all, ", "))
		}
	}
	page := &Page{Version: o.Version}
	bench := verify.NewBench003(verify.Standard003())
	gaps := gapNotes()
	var jobs []job
	for _, suite := range verify.Suites() {
		if len(o.Only) > 0 && !slices.Contains(o.Only, suite.Paper) {
			continue
		}
		p := newPaper(suite.Paper)
		page.Papers = append(page.Papers, p)
		// The rows of one paper share runs, so one job measures all of them.
		jobs = append(jobs, job{"rows of " + suite.Paper, func(ctx context.Context) error {
			rows, err := measure(ctx, suite, bench)
			if err != nil {
				return err
			}
			return p.fillRows(rows, gaps)
		}})
	}
	for _, p := range page.Papers {
		jobs = append(jobs, drawing(p, bench)...)
		if p.Number == "003" {
			p.Knobs = em4Knobs(bench.Setup())
			jobs = append(jobs,
				job{"time line", func(ctx context.Context) (err error) {
					page.Timeline,
						err = timelineOf(ctx, bench, 20)
					return err
				}}, // short enough to show clock by clock
				job{"sensitivity table", func(context.Context) (err error) {
					page.Sensitivity,
						err = sensitivity(docs.Sensitivity)
					return err
				}})
		}
	}
	return page, parallel(ctx, max(1, o.Workers), jobs, o.Progress)
}

// measure returns the rows of one paper; the EM-4's come from the bench
// shared with the figures.
func measure(ctx context.Context, s verify.Suite, bench *verify.Bench003) ([]verify.Row, error) {
	if s.Paper == "003" {
		return bench.Rows(ctx)
	}
	suites := []verify.Suite{s}
	chosen, err := verify.Select(suites, nil)
	if err != nil {
		return nil, err
	}
	return verify.Run(ctx, suites, chosen, nil)
}

// drawing returns the jobs that draw a paper's figures, the EM-4's on
// the shared bench where possible.
func drawing(p *Paper, bench *verify.Bench003) []job {
	shared := figures.EM4(bench)
	var jobs []job
	for _, f := range figures.All() {
		if machine, _, _ := strings.Cut(f.Name, "-"); machine != p.prefix {
			continue
		}
		if i := slices.IndexFunc(shared, func(s figures.Figure) bool { return s.Name == f.Name }); i >= 0 {
			f = shared[i]
		}
		at := len(p.Figures)
		p.Figures = append(p.Figures, Figure{Name: f.Name, Title: f.Title, Source: f.Source})
		jobs = append(jobs, job{"figure " + f.Name, func(ctx context.Context) error {
			return p.Figures[at].paint(ctx, f)
		}})
	}
	return jobs
}

// parallel runs the jobs, a few at a time, and returns the first error in the
// order of the list. Each job writes its own part of the page, so the page
// does not depend on the order.
func parallel(ctx context.Context, workers int, jobs []job, progress func(done, of int)) error {
	var mu sync.Mutex
	made, done := make([]bool, len(jobs)), 0
	if progress != nil {
		progress(done, len(jobs))
	}
	_, err := ensemble.New(workers).InOrder(ctx, len(jobs), func(int) uint64 { return 0 },
		func(ctx context.Context, i int) error {
			if err := jobs[i].do(ctx); err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			made[i] = true
			if done++; progress != nil {
				progress(done, len(jobs))
			}
			return nil
		})
	if !interrupt.Ended(err) {
		return err
	}
	x := &Unfinished{Done: []string{}, Of: len(jobs), Err: err}
	for i := range jobs {
		if made[i] {
			x.Done = append(x.Done, jobs[i].name)
		}
	}
	return x
}
