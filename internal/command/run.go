package command

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// runFlags holds the flags of 'emsim run'.
type runFlags struct {
	targetFlags
	driverFlags
	runs       int
	explain    bool
	overtaken  bool
	startDelay uint64
}

// programList returns the list of built-in programs, one per line.
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
	f := &runFlags{driverFlags: newDriverFlags("em4")}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run a program on the EM-4, clock by clock",
		Long: `run assembles a program, loads it into every PE of an EM-4, sends it its
arguments and steps the machine until it is quiet. PROGRAM is a built-in program
(listed below), a program in Go ('emsim docs DATAFLOW'), an assembly file, or an
object file, whose parameters were fixed when it was assembled. The measured
time runs from the entry of the start packet to the last word that comes back to
the host.

` + programList() + `

Arguments in these ranges are accepted; what fits depends on the machine. The
prototype holds fib up to 25: 'emsim docs PROGRAMS', "What fits".

The machine is the EM-4 prototype unless --machine says otherwise. Precedence:
--pes, --set, the machine file, the preset. With --runs N the program runs N
times on one machine, whose memories keep what earlier runs left there. The
output is the fastest run, and the bands (mean, minimum, maximum) of all runs.
With --seeds N as well, N machines do this side by side on all cores, with the
seeds from --seed up, and the bands are over the runs of all. With --vs another
run stands next to it, with other parameters, knobs, pes or seed.
Ctrl-C prints the statistics so far and the line that every PE is at.

--checkpoint FILE saves the state of the run, at the clock --at or when Ctrl-C
or --max-clocks stops it, and --resume FILE continues it, with the same result,
statistics and state at every clock as without the interruption. The file fixes
program, machine and seed; the flags for output and --max-clocks may be given
again.

` + statsHelp() + "\n\n" + seriesHelp(),
		Example: `  emsim run fib 20
  emsim run fib 24 --policy random --param grain=large --runs 8 --json
  emsim run fib 24 --mlpe --series fib.csv --sample 1000 --stats counters.csv
  emsim run fib 20 --vs policy=line --vs pes=1024
  emsim run prog.s 5 --pes 12 --set hop_clocks=2
  emsim run fib 22 --machine mine.toml --max-clocks 1000000
  emsim run fib 25 --checkpoint fib.ckp          # Ctrl-C
  emsim run --resume fib.ckp --checkpoint fib.ckp`,
	}
	f.runsProgram(a, cmd, func(cmd *cobra.Command, args []string) error {
		if err := f.check(a, cmd); err != nil {
			return err
		}
		return a.run(cmd, f, args)
	})
	f.registerSaving(cmd)
	cmd.Flags().Uint64Var(&f.startDelay, "start-delay", 0,
		"clocks that the machine waits before the first run, which should change nothing")
	cmd.Flags().IntVar(&f.runs, "runs", 1,
		"consecutive runs on one machine; the fastest is printed, with the bands of all")
	cmd.Flags().IntVar(&f.seeds, "seeds", 1,
		"number of machines that do the runs, side by side, with the seeds from --seed up")
	f.registerRows(cmd)
	cmd.Flags().StringArrayVar(&f.beside, "vs", nil, vsText)
	a.addDetails(cmd.Flags())
	cmd.Flags().BoolVar(&f.overtaken, "overtaken", false,
		"also say how long a packet waited in one switch, and how often other packets took the space that it needed")
	cmd.Flags().BoolVar(&f.explain, "explain", false, "of a program in Go: "+explainText)
	addProfileFlag(cmd)
	return cmd
}

const mostDelay = 1_000_000 // clocks [chosen: what is simulated in a second]

// check rejects flags without effect and values out of range.
func (f *runFlags) check(a *app, cmd *cobra.Command) error {
	err := errors.Join(between("runs", f.runs, 1, run.MaxRuns, "the clocks of all of them are kept and printed"),
		checkSeeds(f.seed, f.seeds))
	if err = cmp.Or(err, f.checkSampling(a, cmd), f.checkSaving(cmd), f.checkOneRun()); err != nil {
		return err
	}
	several := f.seeds > 1 || len(f.beside) > 0
	switch events := *f.rows["events"] != ""; {
	case f.startDelay > mostDelay || f.startDelay > 0 && f.resume != "":
		return usagef("--start-delay is at most %d clocks, and not for a run that has begun: leave --resume out",
			mostDelay)
	case several && f.resume != "":
		return usagef("--resume continues a single run; leave --seeds and --vs out")
	case len(f.beside) > 0 && f.explain:
		return usagef("--explain needs a single run; leave --vs out")
	case f.overtaken && (f.checkpoint != "" || f.resume != ""):
		return usagef("--overtaken counts from the start of a run, and no checkpoint has its counts: leave " +
			"--checkpoint and --resume out")
	case f.atGiven && f.maxClocks > 0 && uint64(f.at()) > f.maxClocks:
		return usagef("--at %d is beyond --max-clocks %d: no checkpoint would be written", f.at(), f.maxClocks)
	case events && f.runs > 1:
		return usagef("--events needs a single run; leave --runs out")
	case events && f.resume != "":
		return usagef("--events follows moves from their beginning, which may be before %s was saved: leave it "+
			"out, or repeat the run from its start", f.resume)
	}
	return nil
}

// run builds the machine of the command line, does its runs and reports them.
func (a *app) run(cmd *cobra.Command, f *runFlags, args []string) error {
	first, err := a.newRuns(cmd, f, args)
	if err != nil {
		return err
	}
	spec, target := first.spec, first.Target
	return a.drive(cmd.Context(), &f.driverFlags, first, func(vs string) (func() (driven, error), error) {
		changed, err := vsSpec(spec, target, vs, new([]string))
		if err != nil {
			return nil, err
		}
		if _, err := changed.Load(cmd.Context()); err != nil {
			return nil, fmt.Errorf("--vs %q: %w", vs, err)
		}
		return func() (driven, error) { return a.runsOf(cmd, f, &changed) }, nil
	})
}

// noteFaster prints which policy is known to be much faster for a built-in program.
func (a *app) noteFaster(t *run.Target) {
	values := t.Object.Chosen()
	if a.json || len(t.Words) == 0 || values["policy"] != programs.Policies()[0] || values["mlpe"] != "off" {
		return
	}
	if policy := programs.FasterPolicy(t.Name, t.Words[0], t.Config().PEs); policy != "" {
		fmt.Fprintf(a.err, "\nnote: %s is more than twice as fast with --policy %s: 'emsim docs PROGRAMS', \"Which "+
			"policy suits\"\n", t.Name, policy)
	}
}

// noteLeaks prints which operand segments were never released.
func (a *app) noteLeaks(leaks []em4.Leak) {
	if a.json || len(leaks) == 0 {
		return
	}
	n := lists.Sum(leaks, func(l em4.Leak) int { return l.Segments })
	fmt.Fprintf(a.err, "\nnote: %s %s still in use, but nothing refers to %s any more; does a block lack its relseg?\n",
		plural.Of(n, "operand segment"), plural.Verb(n, "is", "are"), plural.Verb(n, "it", "them"))
	for i := range leaks {
		fmt.Fprintf(a.err, "  %v\n", &leaks[i])
	}
}
