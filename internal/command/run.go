package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/base/plural"
	"emsim/internal/machine/checkpoint"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// runFlags are the flags of 'emsim run' beyond those of every target.
type runFlags struct {
	targetFlags
	checkpoint string
	at         uint64 // clock of --checkpoint
	atGiven    bool
	runs       int
	seeds      int
	stats      string
	series     string
	window     uint64
	explain    bool
	verbose    bool
}

// programList describes the built-in programs, one a line.
func programList() string {
	lines := make([]string, len(programs.Names()))
	for i, p := range programs.List() {
		call := p.Name
		for _, x := range p.Args {
			call += fmt.Sprintf(" %s=%d..%d", strings.ToUpper(x.Name), x.Min, x.Max)
		}
		lines[i] = fmt.Sprintf("  %-20s %s", call, p.Does)
	}
	return strings.Join(lines, "\n")
}

func newRunCmd(a *app) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run a program on the EM-4, clock by clock",
		Long: `run assembles a program, loads it into every PE of an EM-4, sends it its
arguments and steps the machine until it is quiet. PROGRAM is a built-in program
(listed below), a program in Go (docs/DATAFLOW.md), an assembly file, or an
object file, whose parameters were fixed when it was assembled. The measured
time goes from the entry of the start packet to the last word that comes back to
the host.

` + programList() + `

Arguments in these ranges are understood; what fits depends on the machine. The
prototype holds fib up to 25: docs/PROGRAMS.md, "What fits".

The machine is the EM-4 prototype unless --machine says otherwise. Precedence:
--pes, --set, the machine file, the preset. With --runs N the program runs N
times on one machine, whose memories keep what earlier runs left there. The
output is the fastest run, and the bands (mean, minimum, maximum) of all runs.
With --seeds N as well, N machines do this side by side on all cores, with the
seeds from --seed up, and the bands are over the runs of all.
Ctrl-C prints the statistics so far and the line that every PE is at.

--checkpoint FILE saves the state of the run, at the clock --at or when Ctrl-C
or --max-clocks stops it, and --resume FILE continues it, with the same result,
statistics and state at every clock as without the interruption. The file fixes
program, machine and seed; the flags for output and --max-clocks may be given
again.

` + statsHelp() + "\n\n" + seriesHelp(),
		Example: `  emsim run fib 20
  emsim run fib 24 --policy random --param grain=large --runs 8 --json
  emsim run fib 24 --mlpe --series fib.csv --window 1000 --stats counters.csv
  emsim run prog.s 5 --pes 12 --set hop_clocks=2
  emsim run fib 22 --machine mine.toml --max-clocks 1000000
  emsim run fib 30 --checkpoint fib.ckp          (Ctrl-C)
  emsim run --resume fib.ckp --checkpoint fib.ckp`,
	}
	f.runsProgram(cmd, func(cmd *cobra.Command, args []string) error {
		if err := f.check(cmd); err != nil {
			return err
		}
		return a.run(cmd, f, args)
	})
	outFlag(cmd, &f.checkpoint, "checkpoint", "write the state of the run to this file: at --at; without --at when Ctrl-C or --max-clocks stops it", "resume")
	cmd.Flags().Uint64Var(&f.at, "at", 0, "clock of the run, from its start packet, at which --checkpoint is written; the run continues")
	cmd.Flags().IntVar(&f.runs, "runs", 1, "consecutive runs on one machine; the fastest is printed, with the bands of all")
	cmd.Flags().IntVar(&f.seeds, "seeds", 1, "number of machines that do the runs, side by side, with the seeds from --seed up")
	outFlag(cmd, &f.stats, "stats", "write every counter per PE and per link to this CSV file")
	outFlag(cmd, &f.series, "series", "write busy PEs, states and counts by window to this CSV file")
	cmd.Flags().Uint64Var(&f.window, "window", 1000, "length of a window of --series in clocks")
	cmd.Flags().BoolVarP(&f.verbose, "verbose", "v", false, "list all parameters of the program, also those that are as usual")
	cmd.Flags().BoolVar(&f.explain, "explain", false, "of a program in Go: "+explainText)
	addProfileFlag(cmd)
	return cmd
}

// check refuses flags without effect.
func (f *runFlags) check(cmd *cobra.Command) error {
	switch {
	case f.window < 1:
		return usagef("--window is 0, it must be at least 1 clock")
	case cmd.Flags().Changed("window") && f.series == "":
		return usagef("--window is the window of --series: give that a file name too")
	}
	if err := checkSeeds(f.seed, f.seeds); err != nil {
		return err
	}
	for _, flag := range []string{"stats", "series", "checkpoint", "resume"} {
		if f.seeds > 1 && cmd.Flag(flag).Value.String() != "" {
			return usagef("--%s is of one machine: leave --seeds out, and choose the machine by --seed", flag)
		}
	}
	return f.checkCheckpoint(cmd)
}

// run is the command: build, run, report.
func (a *app) run(cmd *cobra.Command, f *runFlags, args []string) error {
	r, err := a.newRuns(cmd, f, args)
	if err != nil {
		return err
	}
	if r.stats, err = a.createCSV("stats", f.stats, statsHeader); err != nil {
		return err
	}
	if r.series, err = a.createCSV("series", f.series, seriesHeader); err != nil {
		return errors.Join(err, r.stats.close())
	}
	for i := range r.Rows { // of the runs before the checkpoint
		r.writeRows(i+1, r.Rows[i], uint64(len(r.Words)))
	}
	if f.seeds > 1 {
		err = r.allSeeds(cmd.Context())
	} else {
		err = r.runAll(cmd.Context())
	}
	files := errors.Join(r.stats.close(), r.series.close())
	if err != nil {
		return r.failed(errors.Join(err, files))
	}
	x := r.described(r.Best)
	if f.explain {
		x.Explain = r.spec.Plan.Explain()
	}
	if err := a.emitRun(x, x.table, nil, files); err != nil {
		return err
	}
	a.noteLeaks(r.Leaks)
	return nil
}

// noteLeaks tells a person which operand segments were never released.
func (a *app) noteLeaks(leaks []em4.Leak) {
	if a.json || len(leaks) == 0 {
		return
	}
	n := 0
	for i := range leaks {
		n += leaks[i].Segments
	}
	fmt.Fprintf(a.err, "\nnote: %s %s still in use, but nothing refers to %s any more; does a block lack its relseg?\n",
		plural.Of(n, "operand segment"), plural.Verb(n, "is", "are"), plural.Verb(n, "it", "them"))
	for i := range leaks {
		fmt.Fprintf(a.err, "  %v\n", &leaks[i])
	}
}

// runs is the session of the command, with its files.
type runs struct {
	*run.Batch
	flags  *runFlags
	app    *app
	spec   *run.Spec // of the machine; nil for one from a checkpoint
	quiet  bool      // no progress: one of several machines
	atDone bool      // the checkpoint of --at is written
	last   run.OneRun
	stats  *csvFile
	series *csvFile
}

// newRuns begins or continues a session.
func (a *app) newRuns(cmd *cobra.Command, f *runFlags, args []string) (*runs, error) {
	if f.checkpoint != "" {
		if err := checkpoint.Probe(f.checkpoint); err != nil {
			return nil, err
		}
	}
	r := &runs{flags: f, app: a}
	if f.resume != "" {
		var err error
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
			return nil, usagef("--explain is about a program in Go, and %s is none: leave it out", spec.Program)
		}
		if err := explained(spec.Params); err != nil {
			return nil, err
		}
	}
	if r.spec = spec; f.seeds > 1 && spec.Threads == 0 {
		spec.Threads = 1 // the machines share the cores
	}
	r.Batch, err = a.load(cmd, spec, run.Plan{
		Runs: f.runs, Window: f.window, KeepCounters: f.stats != "", KeepSeries: f.series != "", KeepRows: f.checkpoint != "",
	}, true)
	if err != nil {
		return nil, err
	}
	if most := run.MaxCounters / r.Config().PEs; f.stats != "" && f.checkpoint != "" && f.runs > most {
		return nil, usagef("--runs is %d: with --stats and --checkpoint together it is at most %d on %d PEs (the counters of every PE and run are kept)", f.runs, most, r.Config().PEs)
	}
	return r, nil
}

// described is the answer with what only its table says.
func (r *runs) described(one run.OneRun) *runAnswer {
	x := &runAnswer{Answer: r.Answer(one)}
	if r.flags.seeds > 1 {
		x.Seeds = r.flags.seeds
	}
	if !r.app.json {
		x.changed = r.Changed(r.flags.verbose)
		x.full, _ = programs.FullAnswer(r.Name, r.Object, r.Words, r.Config().PEs) // nil of other programs
	}
	return x
}

// writeRows writes the rows of one run to the files; fed is how many packets
// the host sent in it.
func (r *runs) writeRows(number int, rows run.Rows, fed uint64) {
	if r.stats != nil {
		machines.Stats(r.stats.write, number, r.Net.Topology, rows.Counters, fed)
	}
	r.series.series(number, r.Config().PEs, rows.Series)
}

// runAll does the runs.
func (r *runs) runAll(ctx context.Context) error {
	for first := true; first || len(r.Done) < r.Runs; first = false {
		if err := r.runOne(ctx); err != nil {
			return err
		}
	}
	if r.flags.atGiven && !r.atDone {
		return usagef("no checkpoint was written: the program ended before clock %d of --at, after %s", r.flags.at, plural.Of(r.Clock()-r.last.Start, "clock"))
	}
	return nil
}

// runOne does a run, or the rest of it after a checkpoint.
func (r *runs) runOne(ctx context.Context) error {
	var line *progress
	if !r.quiet {
		line = r.app.newProgress(-1)
	}
	defer line.erase()
	r.Progress = func(clock uint64, busy int) {
		line.update(clock, func() string {
			text := plural.Of(busy, "busy PE") + ", " + plural.Of(r.InFlight(), "packet") + " in flight"
			if r.Runs > 1 {
				text += fmt.Sprintf(", run %d of %d", len(r.Done)+1, r.Runs)
			}
			return text
		})
	}
	if err := r.Begin(); err != nil {
		return err
	}
	number := len(r.Done) + 1
	err := r.stopped(r.advance(ctx))
	one, rows := r.EndRun(err)
	r.last = one
	r.writeRows(number, rows, r.HostSent())
	return err
}

// advance continues to the end of the run, and writes the checkpoint on the way.
func (r *runs) advance(ctx context.Context) error {
	if r.flags.atGiven && !r.atDone {
		if err := r.Advance(ctx, r.flags.at); err != nil || r.Current.Ended() {
			return err
		}
		if err := r.save(); err != nil {
			return err
		}
		r.atDone = true
	}
	return r.Advance(ctx, em4.ToEnd)
}

// failed reports a failed run with its results so far, and the fastest run
// before it.
func (r *runs) failed(err error) error {
	x := r.described(r.last)
	x.failed = true
	if len(r.Done) == 0 {
		return r.app.failed(err, map[string]any{"statistics": x}, x.table)
	}
	best := r.described(r.Best)
	return r.app.failed(err, map[string]any{"statistics": x, "best": best}, func(w io.Writer) error {
		if err := x.table(w); err != nil {
			return err
		}
		fmt.Fprint(w, "\nthe fastest complete run:\n\n")
		return best.table(w)
	})
}
