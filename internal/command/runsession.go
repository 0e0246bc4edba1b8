package command

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/base/answer"
	"emsim/internal/base/memlimit"
	"emsim/internal/base/plural"
	"emsim/internal/machine/checkpoint"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
)

// runs is the session of the command, with its output files.
type runs struct {
	*run.Batch
	flags  *runFlags
	app    *app
	spec   *run.Spec // of the machine; nil if it comes from a checkpoint
	later  bool      // does the runs of a seed other than the first
	line   *part     // progress of all runs; nil for a single run
	atDone bool      // the checkpoint of --at has been written
	before snapshot  // of the current run, to go back to if it fails
	last   run.OneRun
	rows   rowFiles
}

// newRuns begins a session, or continues the session in the checkpoint of --resume.
func (a *app) newRuns(cmd *cobra.Command, f *runFlags, args []string) (*runs, error) {
	if f.checkpoint != "" {
		if err := checkpoint.Probe(f.checkpoint); err != nil {
			return nil, err
		}
	}
	if f.resume != "" {
		r, err := &runs{flags: f, app: a}, error(nil)
		if r.Batch, err = f.resumed(a, cmd); err != nil {
			return nil, err
		}
		r.KeepRows = f.checkpoint != ""
		return r, f.checkResumed(r.Batch)
	}
	spec, err := f.runSpec(cmd, args)
	if err != nil {
		return nil, err
	}
	if f.explain {
		if !run.IsGoProgram(spec.Program) {
			return nil, usagef("--explain is about a program in Go, and %s is not in Go: leave it out", spec.Program)
		}
		explained(spec.Params)
	}
	return a.runsOf(cmd, f, spec)
}

// runsOf begins the runs of a specification.
func (a *app) runsOf(cmd *cobra.Command, f *runFlags, spec *run.Spec) (r *runs, err error) {
	if f.seeds > 1 && spec.Threads == 0 {
		spec.Threads = 1 // the machines share the cores
	}
	r = &runs{flags: f, app: a, spec: spec}
	r.Batch, err = a.load(cmd, spec, run.Plan{
		Runs: f.runs, StartDelay: f.startDelay, Window: uint64(f.every()), Overtaken: f.overtaken,
		KeepCounters: *f.rows["stats"] != "", KeepSeries: *f.rows["series"] != "", KeepRows: f.checkpoint != "",
	}, true)
	if err != nil {
		return nil, err
	}
	if most := run.MaxCounters / r.Config().PEs; *f.rows["stats"] != "" && f.checkpoint != "" && f.runs > most {
		return nil, usagef("--runs is %d: with --stats and --checkpoint together it is at most %d on %d PEs (the "+
			"counters of every PE and run are kept)", f.runs, most, r.Config().PEs)
	}
	return r, nil
}

// described returns the answer about a run.
func (r *runs) described(one run.OneRun) *run.Answer {
	x := r.Answer(one)
	if r.flags.seeds > 1 {
		x.Seeds = r.flags.seeds
	}
	said := x.Said()
	addPapers(said, sameProgram(r.Target))
	x.Papers = said.Papers
	return x
}

// table returns a function that writes the answer, with the reasons of --explain before it.
func (r *runs) table(x *run.Answer) func(io.Writer) {
	return func(w io.Writer) {
		if writeReasons(w, x.Explain); len(x.Explain) > 0 {
			fmt.Fprintln(w)
		}
		x.AllSettings = r.app.details
		r.app.shown(x.Said())(w)
	}
}

// writeRows writes the rows of one run to the files; fed is the number of packets that the host sent in it.
func (r *runs) writeRows(number int, rows run.Rows, fed uint64) {
	if stats := r.rows.of("stats"); stats != nil {
		machines.Stats(stats.write, number, r.Net.Topology, rows.Counters, fed)
	}
	r.rows.of("series").series(number, r.Config().PEs, rows.Series)
}

// do does the runs that are left, and writes their rows to the files. It returns an error if --at was not reached.
func (r *runs) do(ctx context.Context, files rowFiles) error {
	r.rows = files
	for i := range r.Rows { // the runs before the checkpoint
		r.writeRows(i+1, r.Rows[i], uint64(len(r.Words)))
	}
	if r.later {
		defer func() { r.Target = nil }() // the machine is not needed any more
	}
	if r.flags.seeds == 1 && r.Runs > 1 {
		r.line = r.app.newPart("", r.Runs)
		defer r.line.end()
	}
	for first := true; first || len(r.Done) < r.Runs; first = false {
		if err := r.runOne(ctx); err != nil {
			return err
		}
	}
	if r.flags.atGiven && !r.atDone {
		return r.flags.notReached(r.flags.lasted(int64(r.last.Clocks)))
	}
	return nil
}

// runOne does a run, or the rest of a run after a checkpoint.
func (r *runs) runOne(ctx context.Context) error {
	name := r.Call()
	if r.Runs > 1 {
		name += fmt.Sprintf(", run %d of %d", len(r.Done)+1, r.Runs)
		r.line.steps("runs")(len(r.Done), r.Runs)
	}
	var line *part
	if r.flags.seeds == 1 {
		line = r.app.newPart(name, 0)
	}
	defer line.end()
	r.Progress = func(clock uint64, busy func() int) {
		r.keep()
		line.clocks(clock, func() string {
			return plural.Of(busy(), "busy PE") + ", " + plural.Of(r.InFlight(), "packet") + " in flight"
		})
	}
	if err := r.Begin(); err != nil {
		return err
	}
	endEvents := tellEvents(r.Batch, r.rows.of("events"))
	r.before = snapshot{}
	r.keep()
	number := len(r.Done) + 1
	err := r.stopped(ctx, r.advance(ctx))
	endEvents()
	one, rows := r.EndRun(err)
	r.last = one
	r.writeRows(number, rows, r.HostSent())
	if r.Runs > 1 {
		err = ofSeveral(err, "run %d of %d", number, r.Runs)
	}
	return err
}

// advance continues to the end of the run, and writes the checkpoint at --at.
func (r *runs) advance(ctx context.Context) error {
	if r.flags.atGiven && !r.atDone {
		if err := r.Advance(ctx, uint64(r.flags.at())); err != nil || r.Current.Ended() {
			return err
		}
		if err := r.save(r.Batch); err != nil {
			return err
		}
		r.atDone = true
		r.flags.noteCheckpoint(r.app, r.flags.lasted(r.flags.at()))
	}
	return r.Advance(ctx, em4.ToEnd)
}

// complete returns the answer about the fastest complete run, or nil if there is none.
func (r *runs) complete() *answer.Answer {
	if len(r.Done) == 0 {
		return nil
	}
	return r.described(r.Best).Said()
}

// end prints the answer about the fastest run. If the runs failed, it prints the results so far, and the fastest of the
// earlier runs.
func (r *runs) end(_ context.Context, err, files error) error {
	if err, files = completed(err, files); err != nil {
		return r.failed(errors.Join(err, files))
	}
	x := r.described(r.Best)
	if r.flags.explain {
		if x.Explain, err = r.spec.Explain(); err != nil {
			return err
		}
	}
	if r.flags.resume == "" {
		x.Next = r.next()
	}
	if err := r.app.emitRun(x, r.table(x), nil, files); err != nil {
		return err
	}
	r.app.noteSpeed(x.Wall.Seconds(), ", "+short(x.Speed())+" PE-clocks/s")
	r.app.noteLeaks(r.Leaks)
	r.app.noteFaster(r.Target)
	return nil
}

// next returns what to try after the run.
func (r *runs) next() answer.Next {
	next := r.flags.model.Next
	if v, ok := r.Object.Chosen()["mlpe"]; ok && v != "off" {
		next = answer.Next{Command: "run --vs mlpe=off", Why: "what MLPE is worth"}
	}
	next.Command = r.app.made.next(next.Command, r.app.made.args)
	return next
}

// failed reports failed runs.
func (r *runs) failed(err error) error {
	x := r.described(r.last)
	x.Partial, x.Papers = true, nil
	if len(r.Done) == 0 {
		return r.app.failed(err, map[string]any{"statistics": x}, r.table(x))
	}
	best := r.described(r.Best)
	return r.app.failed(err, map[string]any{"statistics": x, "best": best}, func(w io.Writer) {
		r.table(x)(w)
		fmt.Fprint(w, "\nthe fastest complete run:\n\n")
		r.table(best)(w)
	})
}

// needs returns the seed of the first machine, and the bytes and threads that a machine takes.
func (r *runs) needs() (seed, bytes uint64, threads int) {
	return r.spec.Seed, memlimit.EM4Bytes(r.Config().PEs), r.spec.Threads
}

// withSeed returns the runs on a machine with another seed.
func (r *runs) withSeed(ctx context.Context, i int) (driven, error) {
	spec, plan := *r.spec, r.Plan
	spec.Seed += uint64(i)
	t, err := spec.Build(ctx)
	if err != nil {
		return nil, err
	}
	return &runs{Batch: run.New(t, plan), flags: r.flags, app: r.app, spec: &spec, later: true}, nil
}

// join adds the runs of other machines, as if they had been done one after another.
func (r *runs) join(later []driven) {
	for _, d := range later {
		x := d.(*runs)
		if r.last = x.last; len(r.Done) == 0 || len(x.Done) > 0 && x.Best.Clocks < r.Best.Clocks {
			r.Best = x.Best
		}
		r.Done, r.Leaks = append(r.Done, x.Done...), x.Leaks
	}
}

// checkResumed rejects flags that need data that the checkpoint lacks, and a time --at that is already over.
func (f *runFlags) checkResumed(s *run.Batch) error {
	switch {
	case *f.rows["stats"] != "" && !s.KeepCounters:
		return usagef("--stats: the checkpoint %s was made without --stats and has no counters by PE: leave it out",
			f.resume)
	case *f.rows["series"] != "" && !s.KeepSeries:
		return usagef("--series: the checkpoint %s was made without --series and has no windows: leave it out",
			f.resume)
	case f.atGiven && uint64(f.at()) < s.Current.Clock():
		return usagef("--at is %d, the run in %s has already reached clock %d", f.at(), f.resume, s.Current.Clock())
	}
	return nil
}
