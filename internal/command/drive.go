package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/study/ensemble"
)

// driven is the work of a command 'run' with one seed: the runs of a program on an EM-4, or a run of another machine.
// The driver does it with all seeds, and with the changes of every --vs, in the same way for all machines.
type driven interface {
	// withSeed returns the work with a seed that is larger by i. Both may be done in parallel.
	withSeed(ctx context.Context, i int) (driven, error)
	// do does the work. It writes rows to the files, and shows its progress unless there are several seeds.
	do(ctx context.Context, files rowFiles) error
	// join adds the results of the same work with other seeds, in their order.
	join(later []driven)
	// complete returns the answer for the complete runs, or nil if there are none.
	complete() *answer.Answer
	// end prints the answer. err says why the work did not complete, and files why a file could not be written.
	end(ctx context.Context, err, files error) error
	// needs returns the first seed, and how many bytes of memory and how many threads the work takes.
	needs() (seed, bytes uint64, threads int)
}

// drive does the work of a command 'run' and prints its answer. The function change applies a --vs, and names it in
// errors. The function begin that change returns builds the changed machine later, because a machine may be large.
func (a *app) drive(ctx context.Context, f *driverFlags, first driven,
	change func(vs string) (begin func() (driven, error), err error),
) error {
	if len(f.beside) > 0 {
		return a.driveBeside(ctx, f, first, change)
	}
	files, err := a.createRows(f)
	if err != nil {
		return err
	}
	err = a.driveSeeds(ctx, f, first, files)
	if err == nil && f.checkpoint != "" && !f.atGiven {
		fmt.Fprintf(a.err, "note: %s was not written: the run ended; --at says when to write it\n", f.checkpoint)
	}
	return first.end(ctx, err, files.close())
}

// driveSeeds does the work with all seeds. Several seeds run in parallel on all cores, with the result as if they had
// been done one after another up to the first that fails.
func (a *app) driveSeeds(ctx context.Context, f *driverFlags, first driven, files rowFiles) error {
	if f.seeds == 1 {
		return first.do(ctx, files)
	}
	seed, bytes, threads := first.needs()
	line := a.newPart("", f.seeds)
	defer line.end()
	var mu sync.Mutex
	all, ended := make([]driven, f.seeds), 0
	crew := ensemble.New(max(1, runtime.GOMAXPROCS(0)/max(1, threads)))
	size := func(int) uint64 { return bytes }
	failed, err := crew.InOrder(ctx, f.seeds, size, func(ctx context.Context, i int) error {
		d, err := first, error(nil)
		if i > 0 {
			d, err = first.withSeed(ctx, i)
		}
		if err == nil {
			err = d.do(ctx, files)
		}
		mu.Lock()
		defer mu.Unlock()
		all[i] = d
		ended++
		line.steps("seeds")(ended, f.seeds)
		return ofSeveral(err, "seed %d", seed+uint64(i))
	})
	isMissing := func(d driven) bool { return d == nil } // its machine could not be built
	first.join(slices.DeleteFunc(all[1:min(failed+1, f.seeds)], isMissing))
	return err
}

// ofSeveral adds to err the name of the run that failed, as one of several runs. It leaves an interruption unchanged,
// because that error already says how far the run got.
func ofSeveral(err error, format string, args ...any) error {
	var by *interrupt.Error
	if err == nil || interrupt.Ended(err) || errors.As(err, &by) {
		return err
	}
	return fmt.Errorf(format+": %w", append(args, err)...)
}

// driveBeside runs the machine as given, then once with the changes of each --vs, and prints the answers side by side.
// It checks every --vs before the first run begins.
func (a *app) driveBeside(ctx context.Context, f *driverFlags, first driven,
	change func(vs string) (begin func() (driven, error), err error),
) error {
	if err := fewRuns(len(f.beside)); err != nil {
		return err
	}
	begins := []func() (driven, error){func() (driven, error) { return first, nil }}
	for _, text := range f.beside {
		begin, err := change(text)
		if err != nil {
			return err
		}
		begins = append(begins, begin)
	}
	var said []*answer.Answer
	var failed error
	for i, begin := range begins {
		a.line.rest(fmt.Sprintf("machine %d of %d", i+1, len(begins)))
		d, err := begin()
		if first = nil; err == nil { // release each machine after its runs
			err = a.driveSeeds(ctx, f, d, nil)
		}
		if i > 0 {
			err = ofSeveral(err, "--vs %q", f.beside[i-1])
		}
		if failed = cmp.Or(err, ctx.Err()); failed != nil {
			break
		}
		said = append(said, d.complete())
	}
	return a.emitNext(ctx, failed, said, f)
}
