package command

import (
	"context"
	"runtime"
	"sync"
	"time"

	"emsim/internal/base/room"
	"emsim/internal/machine/run"
	"emsim/internal/study/ensemble"
)

// seedRuns is what the machine of a seed gave.
type seedRuns struct {
	*run.Batch // its runs, without the machine; nil if none could be built
	last       run.OneRun
}

// allSeeds does the runs on a machine for each seed, side by side, each on one
// thread unless --threads asks for more. It returns the last run, and the
// session then has the runs of all seeds in their order, as if the machines had
// come one after another.
func (r *runs) allSeeds(ctx context.Context) (run.OneRun, error) {
	n := r.flags.seeds
	line := r.app.newProgress(int64(n))
	defer line.erase()
	var mu sync.Mutex
	ended := 0
	all := make([]seedRuns, n)
	crew := ensemble.New(max(1, runtime.GOMAXPROCS(0)/r.spec.Threads))
	bytes := room.EM4Bytes(r.Config().PEs)
	failed, err := crew.InOrder(ctx, n, func(int) uint64 { return bytes }, func(ctx context.Context, i int) error {
		var err error
		all[i], err = r.oneSeed(ctx, i)
		mu.Lock()
		defer mu.Unlock()
		if ended++; line != nil && time.Since(line.last) >= progressEvery {
			line.showStep(ended, "%d of %d machines", ended, n)
		}
		return err
	})
	last := all[0].last
	for i := 1; i <= min(failed, n-1); i++ {
		if all[i].Batch != nil {
			last = all[i].last
			r.addRuns(all[i].Batch)
		}
	}
	return last, err
}

// oneSeed does the runs of one machine; the first one is there already.
func (r *runs) oneSeed(ctx context.Context, i int) (seedRuns, error) {
	own := *r
	own.quiet = true
	if i > 0 {
		spec := *r.spec
		spec.Seed += uint64(i)
		t, err := spec.Build(ctx)
		if err != nil {
			return seedRuns{}, err
		}
		own.Batch = run.New(t, r.Plan)
	}
	last, err := own.runAll(ctx)
	return seedRuns{&run.Batch{Done: own.Done, Best: own.Best, Leaks: own.Leaks}, last}, err
}

// addRuns adds the runs of a later machine.
func (r *runs) addRuns(later *run.Batch) {
	if len(r.Done) == 0 || len(later.Done) > 0 && later.Best.Clocks < r.Best.Clocks {
		r.Best = later.Best
	}
	r.Done = append(r.Done, later.Done...)
	r.Leaks = later.Leaks
}
