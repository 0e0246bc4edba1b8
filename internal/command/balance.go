package command

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"emsim/balance"
	"emsim/internal/base/knob"
	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/machine/machines"
	"emsim/sim"
)

// balanceFlags holds the flags of 'emsim balance compare'.
type balanceFlags struct {
	whole, details  bool
	workloads       []string
	workers, grains []int
	seeds, jobs     int
	seed            uint64
	policies, loads []string
	csv             string
	trace, parallel string
	load            []float64
	precision       float64
	set             []string
	constants       string
	best, turns     bool
}

// ownPolicy and ownWorkload are the example files in the help.
const (
	ownPolicy = `  name = "two choices"
  information = "probe"    # whose backlog it asks for: none, probe, neighbours, group, all
  probes = 2               # others asked, with probe
  trigger = "birth"        # when: birth, idle, threshold, timer
  amount = "one"           # how much: one, half, difference, share
  range = "all"            # where to or from: neighbours, circuits, group, all
`
	ownWorkload = `  name = "few slow"
  shape = "bag"            # bag, tree, loop or graph
  units = 50               # for each worker
  spread = 25              # per cent by which work varies, up or down
  slow = [3]               # worker 3 of every 8
  of = 8
  percent = 10             # runs at 10 % of the speed
`
)

func newBalanceCompareCmd(a *app) *cobra.Command {
	f := &balanceFlags{}
	cmd := &cobra.Command{
		Use:   "compare",
		Short: "Compare all policies on six workloads, several sizes and grains",
		Long: `compare runs every policy on the same workers, the same network and the same
workloads, and prints how long it takes relative to the ideal time: the mean of
32 seeds and its 95 % interval. A tie with the best of a cell is marked =: with
equal seeds the difference could be chance, or the policies differ as much from
their native models. The grain is the work of a unit over the CPU time of moving
it. n/a means that the policy's formula has no value there. Policies
marked * do not match their native model on the paper's case within the stated
tolerance. 'emsim docs BALANCE' explains workloads, policies and results.

A policy of your own is a file. This is two.toml:

` + ownPolicy + `
Further keys: threshold (units), interval (typical units), group (workers). A
workload of your own is a file, too. This is few.toml:

` + ownWorkload + `
Further keys: one (all units are born at worker 0), rounds (of a loop or graph), rest (of
a tree: the part of a unit, in per cent, that waits for the results of its children), and
on, off and jitter: time slices of the slow workers, in per cent of a unit's work.

Units arrive over time with arrivals = "even", "poisson" or "bursty" (burst units
together), at a load in per cent of the workers' capacity (--load 0.8 is 80 %); then the
time from a unit's arrival to its end is printed, too, without the units that arrive in
the first and the last warmup (20) per cent of the time. Eight pilot seeds choose the
length of the runs: until the start no longer shows, and the interval of that time is as
narrow as --precision asks; other seeds are reported. A run that is not steady after four
million units is reported as not steady, and a load of 100 % or more never is steady. With
--precision 0 the number of units in the workload sets the length, and nothing tells
whether that was enough. law says how work varies: "uniform" by spread, "exponential", or
"pareto" with the exponent tail.

A trace is a file with a line for each job: its time and its work, as whole numbers in
one unit, and, if it matters, the worker at which it arrives, as in "950 800 3"; arrivals =
"trace" takes its times and workers, law = "trace" its work, and a load compresses or
stretches its times. A file of the Parallel Workloads Archive (.swf) is a trace, too.
--parallel says what to do with its jobs of several processors, because the choice can
change results several times over: split makes a unit of each processor's part, which
arrive together but need not run together; first leaves these jobs out.

` + settable(),
		Example: "  emsim balance compare\n" +
			"  emsim balance compare --policy power,stealing --workload uneven --workers 16 --details\n" +
			"  emsim balance compare --workload poisson --load 0.5,0.8,0.95 --workers 16 --grain 30\n" +
			"  emsim balance compare --policy two.toml --workload-file few.toml --workers 16 --seeds 8 --json",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.balanceCompare(cmd, f) },
	}
	f.add(a, cmd, balance.Default(false))
	fl := cmd.Flags()
	fl.BoolVar(&f.whole, "full", false, "all grains (3, 30, 300) and sizes (16, 64, 256, 1024)")
	fl.BoolVar(&f.best, "best-intervals", false,
		"give every policy with a timer its own best interval, found with other seeds")
	fl.BoolVar(&f.turns, "sensitivity", false,
		"halve and double each number of --set in turn, and show where another policy becomes the best")
	fl.BoolVar(&f.details, "details", false,
		"also print all cells, with intervals and the other metrics: greatest time, moves, messages, probes, "+
			"waiting, deviation, regret")
	fl.Float64SliceVar(&f.load, "load", nil, "open workloads: arriving work over capacity (default 0.8 or a file's)")
	fl.Lookup("load").DefValue = "" // the help text already names the default
	fl.Float64Var(&f.precision, "precision", 10,
		"open workloads: runs are long enough for a 95 % interval of the response time of ± this per cent (0: "+
			"as long as the number of units in the workload says)")
	outFlag(cmd, &f.csv, "csv", "write all rows to this file")
	return cmd
}

// add adds the flags that the commands for comparisons share.
func (f *balanceFlags) add(a *app, cmd *cobra.Command, d balance.Plan) {
	fl := cmd.Flags()
	fl.StringArrayVar(&f.policies, "policy", nil,
		"policies to compare: NAME[,NAME...] (default all), or FILE.toml: "+
			"one of your own, next to the others (may be repeated)")
	fl.StringSliceVar(&f.workloads, "workload", nil,
		"workloads: uneven, source, stream, tree, loop, graph, and open ones: poisson, bursty; all for both (default "+
			strings.Join(lists.Of(d.Workloads, workloadName), ", ")+")")
	fl.IntSliceVar(&f.workers, "workers", d.Workers, "numbers of workers")
	fl.IntSliceVar(&f.grains, "grain", d.Grains, "work of a unit over the CPU time of moving it")
	fl.IntVar(&f.seeds, "seeds", d.Seeds, "number of runs to average, with the seeds from --seed up")
	fl.Uint64Var(&f.seed, "seed", 1, "the first seed; comparisons that share no seed are independent")
	fl.IntVar(&f.jobs, "jobs", runtime.NumCPU(), "number of simulations run at the same time")
	fl.StringArrayVar(&f.loads, "workload-file", nil,
		"FILE.toml: a workload of your own, instead of the others (may be repeated)")
	fl.StringVar(&f.constants, "constants", "", "FILE.toml: numbers of network and policies, with the keys of --set")
	fl.StringArrayVar(&f.set, "set", nil, "KEY=VALUE: a number of network or policies (may be repeated)")
	fl.StringVar(&f.trace, "arrivals", "",
		"FILE: the jobs for workload files with arrivals or law = \"trace\", or, without one, for the workload trace")
	fl.StringVar(&f.parallel, "parallel", "",
		"jobs of several processors in a trace of the Standard Workload Format: split or first (default: an error)")
	a.completes(cmd, "parallel", completeList([]string{string(balance.Split), string(balance.First)}))
	a.completes(cmd, "policy", completeList(lists.Of(balance.Policies(), policyName)))
	workloads := slices.Concat(balance.Workloads(), balance.OpenWorkloads())
	a.completes(cmd, "workload", completeList(append(lists.Of(workloads, workloadName), "all")))
	a.completes(cmd, "set", completeKnobs(knob.Bind(balance.Knobs(), &d)))
}

func policyName(s balance.Policy) string     { return s.Name }
func workloadName(w balance.Workload) string { return w.Name }

// chosen returns the elements whose name is in the list, or all for an empty list. An unknown name is an error.
func chosen[T any](flag string, all []T, of func(T) string, list []string) ([]T, error) {
	known := lists.Of(all, of)
	for _, name := range list {
		if !slices.Contains(known, name) {
			return nil, usagef("--%s: there is no %q; it is one of %s%s",
				flag, name, strings.Join(known, ", "), suggest.DidYouMean(name, known))
		}
	}
	if len(list) == 0 {
		return all, nil
	}
	return slices.DeleteFunc(all, func(x T) bool { return !slices.Contains(list, of(x)) }), nil
}

// comparison returns the plan p with the changes of the flags, or an error if these contradict each other.
func (f *balanceFlags) comparison(cmd *cobra.Command, p balance.Plan) (balance.Plan, error) {
	jobs, err := f.jobsOf(cmd)
	if err == nil && f.constants != "" {
		err = readGround("constants", f.constants,
			func(text []byte) error { return machines.ReadConstants(f.constants, text, &p) })
	}
	if err != nil {
		return p, err
	}
	fair := sim.Comparison()
	p.Interval, p.Against, p.Checks = fair.Interval, fair.Against, fair.Checks
	for _, s := range f.set {
		key, value, _ := strings.Cut(s, "=")
		if err := knob.Set(balance.Knobs(), &p, key, value); err != nil {
			return p, usagef("--set %s: %w", s, err)
		}
	}
	if err := knob.CheckAll(knob.Bind(balance.Knobs(), &p)); err != nil {
		return p, usagef("--set: %w", err)
	}
	if p.Policies, err = chosen("policy", p.Policies, policyName, policyNames(f.policies)); err != nil {
		return p, err
	}
	if err := f.addPolicies(&p); err != nil {
		return p, err
	}
	known := p.Workloads
	for _, l := range slices.Concat(balance.Workloads(), balance.OpenWorkloads()) {
		if f.workloads != nil && !slices.Contains(lists.Of(known, workloadName), l.Name) {
			known = append(known, l)
		}
	}
	switch {
	case slices.Equal(f.workloads, []string{"all"}):
		p.Workloads = fair.Workloads
	case f.workloads == nil && f.trace != "" && len(f.loads) == 0:
		p.Workloads = []balance.Workload{machines.WorkloadOf("trace", f.trace, jobs)}
	case f.workloads == nil && len(f.loads) > 0:
		p.Workloads = nil
	default:
		if p.Workloads, err = chosen("workload", known, workloadName, f.workloads); err != nil {
			return p, err
		}
	}
	for _, file := range f.loads {
		var w balance.Workload
		if err := readGround("workload-file", file, func(text []byte) (err error) {
			w, err = machines.ReadWorkload(file, text, jobs)
			return err
		}); err != nil {
			return p, err
		}
		if slices.Contains(lists.Of(p.Workloads, workloadName), w.Name) {
			return p, usagef("--workload-file %s: there is already a workload %q; give it another name", file, w.Name)
		}
		p.Workloads = append(p.Workloads, w)
	}
	if cmd.Flags().Changed("workers") {
		p.Workers = f.workers
	}
	if cmd.Flags().Changed("grain") {
		p.Grains = f.grains
	}
	p.Seeds, p.First, p.Precision = f.seeds, f.seed, f.precision
	if !cmd.Flags().Changed("precision") && !p.HasOpen() {
		p.Precision = 0
	}
	p.Workloads, err = atLoads(p.Workloads, f.load)
	return p, cmp.Or(err, checkNumbers(cmd, &p), f.checkTrace(&p, jobs), f.check(&p))
}

// isPolicyFile reports whether a value of --policy is a file.
func isPolicyFile(value string) bool { return strings.HasSuffix(value, ".toml") }

// policyNames returns the names in the values of --policy that are not files, or nil if there are none.
func policyNames(values []string) (names []string) {
	for _, v := range values {
		if !isPolicyFile(v) {
			names = append(names, strings.Split(v, ",")...)
		}
	}
	return names
}

// addPolicies adds the policies in the files of --policy.
func (f *balanceFlags) addPolicies(p *balance.Plan) error {
	for _, file := range f.policies {
		if !isPolicyFile(file) {
			continue
		}
		var rule balance.Rule
		if err := readGround("policy", file,
			func(text []byte) (err error) { rule, err = machines.ReadPolicy(file, text); return err }); err != nil {
			return err
		}
		if slices.Contains(lists.Of(balance.Policies(), policyName), rule.Name) ||
			slices.Contains(lists.Of(p.Policies, policyName), rule.Name) {
			return usagef("--policy %s: there is already a policy %q; give it another name", file, rule.Name)
		}
		p.Policies = append(p.Policies, rule.Policy())
	}
	return nil
}

// readGround reads a file of policies, workloads or numbers, and calls use with its text.
func readGround(flag, name string, use func(text []byte) error) error {
	text, err := machines.GroundFile.Read(name)
	if err != nil {
		return usagef("--%s: %w", flag, err)
	}
	return use(text)
}

// settable returns the help about the numbers that --set changes.
func settable() string {
	d := balance.Default(false)
	text := "--set changes a number, as in --set interval=13.2 --set hold=20:\n"
	for _, r := range knob.Bind(balance.Knobs(), &d) {
		text += fmt.Sprintf("  %s=%s: %s\n    (%s)\n", r.Key, r.Text(), r.Doc, r.About())
	}
	return text
}

// checkNumbers rejects --set and --constants if no policy moves work, because they would have no effect.
func checkNumbers(cmd *cobra.Command, p *balance.Plan) error {
	moves := func(s balance.Policy) bool { return s.Decide.Trigger != "none" }
	for _, flag := range []string{"set", "constants"} {
		if cmd.Flags().Changed(flag) && !slices.ContainsFunc(p.Policies, moves) {
			return usagef("--%s: the policy none moves nothing, so no number of the network or the policies has "+
				"an effect; expected another --policy", flag)
		}
	}
	return nil
}

// atLoads returns each workload at each of the loads, or the workloads unchanged if loads is empty.
func atLoads(all []balance.Workload, loads []float64) (list []balance.Workload, err error) {
	if len(loads) == 0 {
		return all, nil
	}
	for _, w := range all {
		if w.Arrivals == "" || w.Arrivals == balance.AtStart {
			return all, usagef("--load: %s is not an open workload, so it has no load; expected open workloads "+
				"only, such as --workload poisson", w.Name)
		}
		for _, load := range loads {
			if load > mostLoad {
				return all, usagef("--load %g: expected the arriving work over the workers' capacity, such as "+
					"%g for %g per cent", load, load/100, load)
			}
			load = math.Round(load*1e8) / 1e6 // in per cent: 57 for 0.57, without the rounding error of the product
			at := w
			at.Name, at.Load = fmt.Sprintf("%s %g %%", w.Name, load), load
			list = append(list, at)
		}
	}
	return list, nil
}

// mostLoad is the largest load over capacity [chosen: far above 1, from which every queue grows].
const mostLoad = 10

// mostSeed is the largest first seed; it leaves room for further seeds [chosen].
const mostSeed = 1 << 62

// check rejects numbers that are out of range, and a plan that is not valid.
func (f *balanceFlags) check(p *balance.Plan) error {
	for _, limit := range []struct {
		flag    string
		numbers []int
		most    int
		what    string
		why     string
	}{
		{"workers", p.Workers, balance.MaxWorkers, "%d workers", ""},
		{"grain", p.Grains, 1_000_000, "%d", ""},
		{"seeds", []int{p.Seeds}, 10_000, "%d runs", " (the results of all runs are held in memory)"},
	} {
		for _, n := range limit.numbers {
			if n < 1 || n > limit.most {
				return usagef("--%s: %s; expected 1 to %d%s",
					limit.flag, fmt.Sprintf(limit.what, n), limit.most, limit.why)
			}
		}
	}
	if !(p.Precision >= 0 && p.Precision <= 100) {
		return usagef("--precision: %g; expected 0 to 100 per cent", p.Precision)
	}
	if p.First < 1 || p.First > mostSeed {
		return usagef("--seed: %d; expected 1 to %d", p.First, uint64(mostSeed))
	}
	if err := workersBetween("jobs", f.jobs, "world"); err != nil {
		return err
	}
	if err := p.Validate(); err != nil {
		return usagef("%w", err)
	}
	return nil
}

func (a *app) balanceCompare(cmd *cobra.Command, f *balanceFlags) error {
	p, err := f.comparison(cmd, balance.Default(f.whole))
	if err != nil {
		return err
	}
	if f.turns {
		return a.balanceSensitivity(cmd, f, &p)
	}
	line := a.newPart("", 0)
	if f.best {
		tuning := a.newPart("tuning timers", 0)
		p.Tune(cmd.Context(), f.jobs)
		tuning.end()
	}
	rows, err := p.Compare(cmd.Context(), f.jobs, line.steps("worlds"))
	line.end()
	table := a.shown(a.balanceSaid(&p, rows, f.details))
	if err == nil && f.csv != "" {
		if err := a.writeTable("--csv", f.csv, []byte(balance.CSV(rows))); err != nil {
			return a.unwritten(err, rows, table)
		}
	}
	return a.emitParts(cmd.Context(), err, steps(len(rows), p.Rows()), rows, table, "with %d of %d rows",
		len(rows), p.Rows())
}
