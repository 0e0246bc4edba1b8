package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/programs"
)

// runFlags are the flags of 'emsim run' beyond those of every target.
type runFlags struct {
	targetFlags
	runs    int
	stats   string
	series  string
	window  uint64
	profile string
}

func newRunCmd(a *app) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run PROGRAM [ARG...]",
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

` + statsHelp + "\n\n" + seriesHelp,
		Example: `  emsim run fib 20
  emsim run fib 24 --policy random --param grain=fine --runs 8 --json
  emsim run fib 24 --mlpe --series fib.csv --window 1000 --stats counters.csv
  emsim run prog.s 5 --pes 12 --set hop_clocks=2
  emsim run fib 22 --machine mine.toml --max-clocks 1000000`,
		Args:              runArgs,
		ValidArgsFunction: completePrograms,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := f.check(cmd, args); err != nil {
				return err
			}
			return profiled(f.profile, func() error { return a.run(cmd, f, args) })
		},
	}
	f.add(cmd)
	cmd.Flags().IntVar(&f.runs, "runs", 1, "consecutive runs on one machine; the fastest is printed")
	cmd.Flags().StringVar(&f.stats, "stats", "", "write every counter per PE and per link to this CSV file")
	cmd.Flags().StringVar(&f.series, "series", "", "write busy PEs, states and counts by window to this CSV file")
	cmd.Flags().Uint64Var(&f.window, "window", 1000, "clocks of a window of --series")
	addProfileFlag(cmd, &f.profile)
	return cmd
}

func runArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
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
	seen := map[string]string{}
	for _, x := range [][2]string{{"stats", f.stats}, {"series", f.series}, {"profile", f.profile}} {
		if other, twice := seen[x[1]]; twice && x[1] != "" {
			return usagef("--%s and --%s want different files", other, x[0])
		}
		seen[x[1]] = x[0]
		if sameFile(x[1], args[0]) || sameFile(x[1], f.name) {
			return usagef("--%s would replace the file %s, which this run reads: choose another name", x[0], x[1])
		}
	}
	return nil
}

// run is the command: build, run, report.
func (a *app) run(cmd *cobra.Command, f *runFlags, args []string) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	t, err := f.build(ctx, cmd, args)
	if err != nil {
		return err
	}
	s := &session{target: t, flags: f, app: a}
	if s.stats, err = createCSV("stats", f.stats, statsHeader); err != nil {
		return err
	}
	if s.series, err = createCSV("series", f.series, seriesHeader); err != nil {
		return errors.Join(err, s.stats.close())
	}
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

// session is a series of runs on one machine.
type session struct {
	*target
	flags  *runFlags
	app    *app
	clocks []uint64 // of the complete runs
	best   oneRun   // the fastest of them
	stats  *csvFile
	series *csvFile
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
	for number := 1; ; number++ {
		r, err := s.one(ctx, number)
		if err != nil {
			return r, err
		}
		s.clocks = append(s.clocks, r.Clocks)
		if number == 1 || r.Clocks < s.best.Clocks {
			s.best = r
		}
		if number == s.flags.runs {
			return r, nil
		}
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

func (s *session) one(ctx context.Context, number int) (oneRun, error) {
	line := s.app.newProgress(-1)
	defer line.done()
	o := em4.RunOptions{MaxClocks: s.flags.maxClocks}
	o.Progress = func(clock uint64, busy int) {
		line.update(clock, func() string {
			text := fmt.Sprintf("%d busy PEs, %d packets in flight", busy, s.InFlight())
			if s.flags.runs > 1 {
				text += fmt.Sprintf(", run %d of %d", number, s.flags.runs)
			}
			return text
		})
	}
	var counters []peCounters
	if s.stats != nil {
		o.Snapshot = func() { counters = snapshot(s.Machine, counters) }
	}
	if s.series != nil {
		o.Window = s.flags.window
	}
	clock, begin := s.Clock(), time.Now()
	r, err := s.Run(ctx, s.words, o)
	one := oneRun{Result: r, start: clock, stepped: s.Clock() - clock, wall: time.Since(begin)}
	if s.stats != nil {
		s.stats.machineStats(number, s.Net.Topology, counters, s.HostSent())
	}
	if s.series != nil {
		s.series.series(number, s.PEs, r.Series)
	}
	if errors.Is(err, context.Canceled) {
		err = &interrupted{clock: r.Clocks}
	}
	return one, err
}
