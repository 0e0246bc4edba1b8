package command

import (
	"context"
	"errors"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/knob"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/plural"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// machineWork is a run of a machine other than the EM-4, with one seed.
type machineWork struct {
	*machineRun
	app   *app
	m     *machinefile.Machine
	start *machines.Start // of m
	done  []*answer.Answer
	last  *answer.Answer // of a run that failed, as far as it got; nil without one
}

// do runs the machine with one seed. It keeps the answer in done, or in last if the run failed.
func (w *machineWork) do(ctx context.Context, files rowFiles) error {
	watch := w.watch()
	if w.seeds > 1 {
		watch.Threads = max(1, watch.Threads) // the runs share the cores
	}
	for _, c := range files {
		watch.Rows[c.flag] = c.write
	}
	if w.seeds == 1 {
		line := w.app.newPart("", 0)
		defer line.end()
		watch.Progress = line.far
		watch.Snapshots = w.snapshots(w.app)
	}
	x, err := machines.Run(ctx, w.m, watch)
	if err != nil {
		w.last = x
		return err
	}
	w.done = append(w.done, x)
	return w.reached(x)
}

// needs returns the first seed, and the bytes and threads that a run takes.
func (w *machineWork) needs() (seed, bytes uint64, threads int) {
	if row, ok := knob.Find(w.m.Rows, "seed"); ok {
		seed = row.Get().(uint64)
	}
	bytes = memlimit.Small
	if net, ok := w.m.Config.(*machines.NetSetup); ok {
		bytes = memlimit.Traffic(net.PEs)
	}
	return seed, bytes, w.threads
}

// withSeed returns a run with another seed.
func (w *machineWork) withSeed(_ context.Context, i int) (driven, error) {
	seed, _, _ := w.needs()
	m := w.kind.NewMachine()
	err := w.start.Give(m, func() {})
	if row, ok := knob.Find(m.Rows, "seed"); ok && err == nil {
		err = row.Put(seed + uint64(i))
	}
	return &machineWork{machineRun: w.machineRun, app: w.app, m: m, start: w.start}, err
}

// join adds the runs with other seeds.
func (w *machineWork) join(later []driven) {
	for _, d := range later {
		w.done = append(w.done, d.(*machineWork).done...)
	}
}

// complete returns the mean of the complete runs, or the answer of a run that is alone.
func (w *machineWork) complete() *answer.Answer {
	if len(w.done) == 0 {
		return nil
	}
	x := *w.done[0]
	if w.seeds > 1 || len(w.beside) > 0 {
		x = *answer.MeanOf(w.done)
	}
	x.Machine += seedOf(w.m, len(w.done))
	return &x
}

// end prints the answer, with a paper's numbers and what to try next. If the run failed, it prints the answer so far
// and writes the checkpoint, if one is wanted.
func (w *machineWork) end(ctx context.Context, err, files error) error {
	a, x := w.app, w.complete()
	if w.seeds > 1 {
		return w.endSeveral(ctx, err, x)
	}
	if x == nil {
		if x = w.last; x == nil {
			return w.ended(a, errors.Join(err, files))
		}
		x.Machine += seedOf(w.m, 1)
	}
	if interrupt.Ended(err) {
		end := interrupt.Of(ctx, "%s", x.SoFar)
		for key, v := range x.Keys {
			end = end.With(key, v)
		}
		err = end
	}
	err, files = completed(w.ended(a, err), files)
	if err == nil {
		w.addPapers(x, w.m)
		w.addNext(a, x, w.m)
	}
	failed := a.emitRun(x, a.shown(x), err, files)
	if wall, ok := x.Float("wall_seconds"); ok && failed == nil {
		a.noteSpeed(wall, "")
	}
	return failed
}

// endSeveral prints the mean over the seeds that are done.
func (w *machineWork) endSeveral(ctx context.Context, err error, x *answer.Answer) error {
	n, table := len(w.done), w.app.shown(x)
	switch {
	case x == nil:
		return ended(ctx, err, "after 0 of %s", plural.Of(w.seeds, "run"))
	case err != nil && !interrupt.Ended(err):
		return w.app.stopped(err, map[string]any{"partial": x}, "the runs before it:\n\n", table)
	}
	w.addPapers(x, w.m)
	w.addNext(w.app, x, w.m)
	return w.app.emitParts(ctx, err, steps(n, w.seeds), x, table, "after %d of %s", n, plural.Of(w.seeds, "run"))
}
