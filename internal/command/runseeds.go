package command

import (
	"context"
	"runtime"
	"sync"

	"emsim/internal/base/room"
	"emsim/internal/machine/run"
	"emsim/internal/study/ensemble"
)

// allSeeds does the runs on a machine for each seed, side by side, each on one
// thread unless --threads asks for more. The session then has the runs of all seeds in
// their order, as if the machines had come one after another.
func (r *runs) allSeeds(ctx context.Context) error {
	n := r.flags.seeds
	line := r.app.newProgress(int64(n))
	defer line.erase()
	var mu sync.Mutex
	ended := 0
	all := make([]runs, n) // without a Batch if none could be built
	crew := ensemble.New(max(1, runtime.GOMAXPROCS(0)/r.spec.Threads))
	bytes := room.EM4Bytes(r.Config().PEs)
	failed, err := crew.InOrder(ctx, n, func(int) uint64 { return bytes }, func(ctx context.Context, i int) error {
		own := *r
		own.quiet = true
		err := own.seed(ctx, i)
		mu.Lock()
		defer mu.Unlock()
		if all[i] = own; i > 0 && own.Batch != nil {
			own.Target = nil // the machine is not needed any more
		}
		ended++
		line.showSome(ended, "%d of %d machines", ended, n)
		return err
	})
	r.last = all[0].last
	for i := 1; i <= min(failed, n-1); i++ {
		later := &all[i]
		if later.Batch == nil {
			continue
		}
		if r.last = later.last; len(r.Done) == 0 || len(later.Done) > 0 && later.Best.Clocks < r.Best.Clocks {
			r.Best = later.Best
		}
		r.Done, r.Leaks = append(r.Done, later.Done...), later.Leaks
	}
	return err
}

// seed does the runs of one machine; the first one is there already.
func (r *runs) seed(ctx context.Context, i int) error {
	if i > 0 {
		spec, plan := *r.spec, r.Plan
		spec.Seed += uint64(i)
		t, err := spec.Build(ctx)
		if r.Batch = nil; err != nil {
			return err
		}
		r.Batch = run.New(t, plan)
	}
	return r.runAll(ctx)
}
