package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emsim/checkpoint"
	"emsim/em4"
	"emsim/programs"
)

// runFlags are the flags of 'emsim run' beyond those of every target.
type runFlags struct {
	targetFlags
	checkpointFlags
	runs    int
	stats   string
	series  string
	window  uint64
	profile string
}

func newRunCmd(a *app) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run PROGRAM [ARG...] | run --resume FILE",
		Short: "Run a program on the EM-4, clock by clock",
		Long: `run assembles a program, loads it into every PE of an EM-4, sends it its
arguments and steps the machine until it is quiet. PROGRAM is a built-in program
(` + strings.Join(programs.Names(), ", ") + `), an assembly file, or an object file, whose parameters were fixed when
it was assembled. The measured time goes from the entry of the start packet to
the last word that comes back to the host.

The machine is the EM-4 prototype unless --machine says otherwise. Precedence:
--pes, --set, the machine file, the preset. With --runs N the program runs N
times on one machine whose memories keep what earlier runs left there; what is
printed is the fastest run. Ctrl-C prints the statistics so far.

--checkpoint FILE saves the state of the run, at the clock --at or when Ctrl-C
or --max-clocks stops it, and --resume FILE goes on with it: with the same
result, statistics and state at every clock as if nothing had happened. The file
fixes program, machine and seed; the flags for output and --max-clocks may be
given anew.

` + statsHelp + "\n\n" + seriesHelp,
		Example: `  emsim run fib 20
  emsim run fib 24 --policy random --param grain=fine --runs 8 --json
  emsim run fib 24 --mlpe --series fib.csv --window 1000 --stats counters.csv
  emsim run prog.s 5 --pes 12 --set hop_clocks=2
  emsim run fib 22 --machine mine.toml --max-clocks 1000000
  emsim run fib 30 --checkpoint fib.ckp          (Ctrl-C)
  emsim run --resume fib.ckp --checkpoint fib.ckp`,
		Args:              func(cmd *cobra.Command, args []string) error { return f.args(cmd, args) },
		ValidArgsFunction: completePrograms,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			return profiled(f.profile, func() error { return a.run(cmd, f, args) })
		},
	}
	f.targetFlags.add(cmd)
	f.checkpointFlags.add(cmd)
	cmd.Flags().IntVar(&f.runs, "runs", 1, "consecutive runs on one machine; the fastest is printed")
	cmd.Flags().StringVar(&f.stats, "stats", "", "write every counter per PE and per link to this CSV file")
	cmd.Flags().StringVar(&f.series, "series", "", "write busy PEs, states and counts by window to this CSV file")
	cmd.Flags().Uint64Var(&f.window, "window", 1000, "clocks of a window of --series")
	addProfileFlag(cmd, &f.profile)
	return cmd
}

func (f *runFlags) args(cmd *cobra.Command, args []string) error {
	if len(args) == 0 && !cmd.Flags().Changed("resume") {
		return usagef("which program? For example: emsim run fib 20\nsee '%s --help'", cmd.CommandPath())
	}
	return nil
}

// check refuses flags that mean nothing, and output files that would replace
// the program, the machine or each other.
func (f *runFlags) check(cmd *cobra.Command, args []string) error {
	switch {
	case f.runs < 1:
		return usagef("--runs is %d, it must be at least 1", f.runs)
	case f.window < 1:
		return usagef("--window is 0, it must be at least 1 clock")
	case cmd.Flags().Changed("window") && f.series == "":
		return usagef("--window is the window of --series: give that a file name too")
	}
	if err := f.checkCheckpoint(cmd, args); err != nil {
		return err
	}
	reads := append(args[:min(1, len(args)):min(1, len(args))], f.name)
	seen := map[string]string{}
	for _, x := range [][2]string{{"stats", f.stats}, {"series", f.series}, {"profile", f.profile}, {"checkpoint", f.checkpoint}} {
		if other, twice := seen[x[1]]; twice && x[1] != "" {
			return usagef("--%s and --%s want different files", other, x[0])
		}
		seen[x[1]] = x[0]
		replaces := func(file string) bool { return sameFile(x[1], file) }
		// A checkpoint may replace the one that was resumed.
		if slices.ContainsFunc(reads, replaces) || x[0] != "checkpoint" && replaces(f.resume) {
			return usagef("--%s would replace the file %s, which this run reads: choose another name", x[0], x[1])
		}
	}
	return nil
}

// run is the command: build, run, report.
func (a *app) run(cmd *cobra.Command, f *runFlags, args []string) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	s, err := a.newSession(ctx, cmd, f, args)
	if err != nil {
		return err
	}
	if s.stats, err = createCSV("stats", f.stats, statsHeader); err != nil {
		return err
	}
	if s.series, err = createCSV("series", f.series, seriesHeader); err != nil {
		return errors.Join(err, s.stats.close())
	}
	s.pastRows()
	last, err := s.all(ctx)
	for _, file := range []*csvFile{s.stats, s.series} {
		if e := file.close(); err == nil {
			err = e
		}
	}
	if err != nil {
		return s.failed(err, last)
	}
	x := s.answer(s.best)
	return a.emit(x, x.table)
}

// session is a series of runs on one machine. Part of it is in a checkpoint:
// see visit.
type session struct {
	*target
	flags    *runFlags
	app      *app
	run      *em4.Run     // the one in progress
	counters []peCounters // of it, when stats are kept
	clocks   []uint64     // of the complete runs
	best     oneRun       // the fastest of them
	rows     []runRows    // of them, for checkpoints
	keep     struct{ stats, series bool }

	atDone bool // the checkpoint of --at is written
	stats  *csvFile
	series *csvFile
	line   *progress
}

// newSession begins a session, or goes on with one.
func (a *app) newSession(ctx context.Context, cmd *cobra.Command, f *runFlags, args []string) (*session, error) {
	if f.checkpoint != "" {
		if err := checkpoint.Probe(f.checkpoint); err != nil {
			return nil, err
		}
	}
	if f.resume != "" {
		return a.resumed(cmd, f)
	}
	t, err := f.build(ctx, cmd, args)
	if err != nil {
		return nil, err
	}
	s := &session{target: t, flags: f, app: a}
	s.keep.stats, s.keep.series = f.stats != "", f.series != ""
	return s, nil
}

// pastRows writes the rows of the runs before a checkpoint.
func (s *session) pastRows() {
	for i := range s.rows {
		s.stats.machineStats(i+1, s.Net.Topology, s.rows[i].counters, uint64(len(s.words)))
		s.series.series(i+1, s.PEs, s.rows[i].series)
	}
}

// oneRun is the result of a run and what it cost to simulate.
type oneRun struct {
	em4.Result
	start   uint64 // the machine's clock at its beginning
	stepped uint64 // clocks until the machine was quiet
	wall    time.Duration
}

// all does the runs and returns the last one.
func (s *session) all(ctx context.Context) (oneRun, error) {
	for {
		r, err := s.one(ctx)
		if err != nil {
			return r, err
		}
		s.clocks = append(s.clocks, r.Clocks)
		if len(s.clocks) == 1 || r.Clocks < s.best.Clocks {
			s.best = r
		}
		if len(s.clocks) < s.flags.runs {
			continue
		}
		if s.flags.atGiven && !s.atDone {
			err = usagef("no checkpoint was written: the program ended before clock %d of --at, after %d clocks", s.flags.at, s.Clock()-r.start)
		}
		return r, err
	}
}

// failed reports a run that did not end well with what there is of it, and
// the fastest run before it.
func (s *session) failed(err error, r oneRun) error {
	x := s.answer(r)
	x.failed = true
	if len(s.clocks) == 0 {
		return s.app.failed(err, map[string]any{"statistics": x}, x.table)
	}
	best := s.answer(s.best)
	return s.app.failed(err, map[string]any{"statistics": x, "best": best}, func(w io.Writer) error {
		if err := x.table(w); err != nil {
			return err
		}
		fmt.Fprint(w, "\nthe fastest run that was complete:\n\n")
		return best.table(w)
	})
}

// options observe the run in progress.
func (s *session) options() em4.RunOptions {
	o := em4.RunOptions{MaxClocks: s.flags.maxClocks}
	o.Progress = func(clock uint64, busy int) {
		s.line.update(clock, func() string {
			text := fmt.Sprintf("%d busy PEs, %d packets in flight", busy, s.InFlight())
			if s.flags.runs > 1 {
				text += fmt.Sprintf(", run %d of %d", len(s.clocks)+1, s.flags.runs)
			}
			return text
		})
	}
	if s.keep.stats {
		o.Snapshot = func() { s.counters = snapshot(s.Machine, s.counters) }
	}
	if s.keep.series {
		o.Window = s.flags.window
	}
	return o
}

// one does a run, or what is left of it after a checkpoint.
func (s *session) one(ctx context.Context) (oneRun, error) {
	s.line = s.app.newProgress(-1)
	defer s.line.done()
	if s.run == nil {
		var err error
		if s.run, err = s.Begin(s.words, s.options()); err != nil {
			return oneRun{}, err
		}
	}
	clock, begin := s.Clock(), time.Now()
	err := s.located(s.advance(ctx))
	if errors.Is(err, context.Canceled) {
		err = &interrupted{clock: s.run.Clock()}
	}
	err = s.stopped(err)
	one := oneRun{Result: s.run.Result(), start: s.run.StartClock(), stepped: s.Clock() - clock, wall: time.Since(begin)}
	number := len(s.clocks) + 1
	s.stats.machineStats(number, s.Net.Topology, s.counters, s.HostSent())
	s.series.series(number, s.PEs, one.Series)
	if s.flags.checkpoint != "" {
		s.rows = append(s.rows, runRows{s.counters, one.Series})
	}
	s.run, s.counters = nil, nil
	return one, err
}

// advance goes to the end of the run, past the clock of the checkpoint.
func (s *session) advance(ctx context.Context) error {
	if s.flags.atGiven && !s.atDone {
		if err := s.run.Advance(ctx, s.flags.at); err != nil || s.run.Ended() {
			return err
		}
		if err := s.save(); err != nil {
			return err
		}
		s.atDone = true
	}
	return s.run.Advance(ctx, em4.ToEnd)
}
