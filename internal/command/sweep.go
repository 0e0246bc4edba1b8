package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/input"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/wholefile"
	"emsim/internal/draw/figures"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
	"emsim/internal/study/sweep"
)

// sweepFlags holds the flags of 'emsim sweep'.
type sweepFlags struct {
	dir       string
	csv       string
	check     string
	jobs      int
	dryRun    bool
	reference string // as given
	policies  []string

	share   string // I/N, as given
	part    sweep.Part
	status  bool
	collect bool
	slurm   slurmFlags

	picture string // file for a picture of the table
	choice  figures.SweepChoice
}

// sweepHelp is the long help of 'emsim sweep'.
const sweepHelp = `sweep runs every point of a grid over programs, their parameters, sizes,
machines, knobs and seeds: as many at a time as there are cores and memory for,
each on one thread. The file is TOML:

  title = "FIFO and hops"
  max_clocks = 10_000_000               # bounds every run; default: no bound

  [[variant]]                           # a named change of machine and program
  name = "deep FIFO"
  set = { fifo_words = 128 }
  [[variant]]
  name = "deep FIFO, own memory"
  together = ["deep FIFO"]              # changes of earlier variants, plus its own
  set = { ibu_own_memory = true }

  [[grid]]                              # a product of lists; several grids are added
  program = ["fib 20", "queens 8"]
  pes = [80, 1024]
  variant = "*"                         # or a list of names; "base" changes nothing
  param = { policy = ["ring", "line"], mlpe = ["off", "on"] }
  [[grid]]
  program = "fib 20"
  set = { hop_clocks = [1, 2, 3] }
  seed = [1, 2, 3]

With seeds = 32 at the top every row of the table is a cell of 32 runs: the runs of
32 seeds where something is drawn at random, and otherwise consecutive runs on
one machine. Of every number the row has mean, standard deviation, least and
greatest value and a 95 % interval of the mean, and the verdict: faster or slower than
the variant base, or cannot be told, in pairs of equal seeds and corrected for many
rows. --reference chooses another row: with --reference mlpe=on the one with that value
and all else equal. With vary = true, runs that draw nothing at random also have
arguments and sizes that differ by one, and begin a clock later.

A grid can also have machine = [presets and files] and runs = [numbers]. A grid of
another machine has machine, set, variant, seed and file = {work = ["a.txt"]}, what
'emsim mnc run --work' reads, and varies knobs as 'emsim machine show mnc' lists
them:

  [[grid]]
  machine = "mnc"                       # or rhinet, spmd, pdes, net; one kind in a file
  set = { pes = [16, 64], policy = ["auto", "naive"] }

'emsim docs SWEEP' describes everything.

The result of every finished point is in a file of its own in the directory. So
the same command continues a sweep that was stopped, by Ctrl-C or otherwise, and
runs nothing twice; only points measured by another version of emsim run again. Failed
runs (segment_overflow, deadlock, max_clocks, ...) are results too, in the
column outcome. The answers of built-in programs are checked. The table has a
row for each point in the file's order; its bytes do not depend on --jobs. A
JSON file of the same name next to it has machine, version and command of every
point.

Several computers that see the same directory can share a sweep: --share 3/12
runs the points of the third of twelve parts that are missing; --status says what is
done, running, failed and missing; --collect makes the table. The directory
keeps a copy of the executable, and accepts no shares run by another one.

On a cluster with Slurm, --slurm 12 submits the parts that have missing points
as an array of twelve tasks, and a job that makes the table when they have
ended. Submitting again queues only what is missing and not in the queue.
'emsim docs SWEEP' has more, and recipes for other clusters.`

func newSweepCmd(a *app) *cobra.Command {
	f := &sweepFlags{}
	cmd := &cobra.Command{
		Use:   "sweep FILE.toml",
		Short: "Run a grid of programs, machines and knobs, and make a table of it",
		Long:  sweepHelp,
		Example: `  emsim sweep docs/sweeps/programs.toml --dry-run
  emsim sweep docs/sweeps/programs.toml -o results --jobs 4
  emsim sweep docs/sweeps/programs.toml --csv docs/beyond/programs.csv
  emsim sweep docs/sweeps/programs.toml --check docs/beyond/programs.csv
  emsim sweep docs/sweeps/seeds.toml --plot seeds.svg
  emsim sweep docs/sweeps/seeds.toml --collect --reference policy=ring
  emsim sweep big.toml -o /shared/big --share 3/12
  emsim sweep big.toml -o /shared/big --status
  emsim sweep big.toml -o /shared/big --slurm 12 --time 2:00:00 --sbatch-arg=--mem=4G`,
		Args: exactArgs(1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return []cobra.Completion{"toml"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.sweep(cmd, f, args[0]) },
	}
	cmd.Flags().StringVarP(&f.dir, "output", "o", "",
		"directory of the results, one file per point (default NAME.sweep)")
	cmd.Flags().StringVar(&f.csv, "csv", "",
		"file for the table; its sidecar has the same name with .json (default NAME.csv in the directory)")
	cmd.Flags().StringVar(&f.check, "check", "", "compare this table with the results; exit status 1 if they differ")
	cmd.Flags().StringVar(&f.reference, "reference", "",
		"what every row is compared with: the row with these values, COLUMN=VALUE,..., and all else equal "+
			"(default: the variant base)")
	cmd.Flags().StringArrayVar(&f.policies, "policy", nil,
		"NAME.s or NAME.go: run every grid with this policy of your own, too (may be repeated)")
	cmd.Flags().StringVar(&f.picture, "plot", "",
		"draw the table to this file, .svg or .png, with intervals if the sweep has seeds")
	cmd.Flags().StringVar(&f.choice.X, "x", "",
		"column of the horizontal axis of --plot (default: the last one with three numbers or more; "+
			"without one a mark for each row)")
	cmd.Flags().StringVar(&f.choice.Y, "y", "", "column that --plot draws (default: the time, or its ratio)")
	cmd.Flags().IntVar(&f.jobs, "jobs", runtime.GOMAXPROCS(0),
		"number of points run at the same time, fewer if memory is short")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "list the points and say which are done; run nothing")
	cmd.Flags().StringVar(&f.share, "share", "", "run one of N parts, I/N, on this or another computer; make no table")
	cmd.Flags().BoolVar(&f.status, "status", false, "say what is done, running, failed and missing; run nothing")
	cmd.Flags().BoolVar(&f.collect, "collect", false, "make the table once all results are there; run nothing")
	f.slurm.addFlags(cmd)
	return cmd
}

// paths fills in missing file names, and rejects files that would replace each other.
func (f *sweepFlags) paths(cmd *cobra.Command, file string) error {
	if err := f.readMode(cmd); err != nil {
		return err
	}
	for _, policy := range f.policies {
		if err := checkPolicyFile(policy); err != nil {
			return err
		}
	}
	name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	f.dir = cmp.Or(f.dir, undashed(name+".sweep"))
	f.csv = cmp.Or(f.csv, undashed(filepath.Join(f.dir, name+".csv")))
	if err := workersBetween("jobs", f.jobs, "machine"); err != nil {
		return err
	}
	switch {
	case filepath.Ext(f.csv) != ".csv":
		return usagef("--csv needs a file that ends in .csv, got %q: its sidecar ends in .json", f.csv)
	case replaces(f.csv, file) || replaces(f.sidecar(), file):
		return usagef("--csv would replace the sweep file: choose another name")
	case f.picture != "" && wantsPicture("--plot", f.picture) != nil:
		return wantsPicture("--plot", f.picture)
	case f.picture == "" && f.choice != figures.SweepChoice{}:
		return usagef("--%s has no effect without --plot FILE.svg",
			map[bool]string{true: "x", false: "y"}[f.choice.X != ""])
	case f.check != "" && cmd.Flags().Changed("csv") && replaces(f.csv, f.check):
		return usagef("--check compares with a table that --csv would replace: leave one of them out")
	}
	return nil
}

// sidecar returns the name of the file with the table's recipe.
func (f *sweepFlags) sidecar() string { return strings.TrimSuffix(f.csv, ".csv") + ".json" }

func (a *app) sweep(cmd *cobra.Command, f *sweepFlags, file string) error {
	begin := time.Now()
	if err := f.paths(cmd, file); err != nil {
		return err
	}
	ctx := cmd.Context()
	plan, err := interrupt.Await(ctx, func() (*sweep.Plan, error) { return sweep.Load(file, f.policies...) })
	if err == nil && cmd.Flags().Changed("reference") {
		err = plan.Refer(f.reference)
	}
	if err != nil {
		return ended(ctx, err, "before the first run")
	}
	store := &sweep.Store{Dir: f.dir, Version: sweepVersion()}
	for _, name := range plan.Reads() {
		a.made.reads(name, run.Relative(name, []string{filepath.Dir(plan.File)}))
	}
	switch {
	case f.dryRun:
		return a.listPoints(plan, store)
	case f.status:
		return a.sweepStatus(ctx, f, plan, store)
	case f.part.N > 0:
		return a.sweepShare(cmd, f, plan, store)
	case f.slurm.shares > 0:
		return a.sweepSlurm(cmd, f, plan, store)
	}
	return a.sweepTable(cmd, f, plan, store, begin)
}

// sweepTable does the missing runs, unless --collect is given, and makes the table.
func (a *app) sweepTable(
	cmd *cobra.Command, f *sweepFlags, plan *sweep.Plan, store *sweep.Store, begin time.Time,
) error {
	var survey *sweep.Survey
	var err error
	if f.collect {
		survey, err = a.collected(cmd.Context(), f, plan, store)
	} else {
		err = store.Open()
	}
	if err != nil {
		return err
	}
	if err := claim([]output{
		{flag: "--csv", name: f.csv}, {flag: "--csv", name: f.sidecar()}, {flag: "--plot", name: f.picture},
	}); err != nil {
		return err
	}
	published, err := f.published()
	if err != nil {
		return err
	}
	if !f.collect {
		if survey, err = a.survey(cmd.Context(), plan, store); err == nil {
			err = a.runSweep(cmd, store, survey, f.jobs)
		}
		if err != nil {
			return err
		}
	}
	table, err := plan.CSV(survey.Results)
	if err != nil {
		return err
	}
	command := "emsim sweep " + plan.File
	if cmd.Flags().Changed("csv") {
		command += " --csv " + f.csv
	}
	for _, policy := range f.policies {
		command += " --policy " + recipe.Quoted(policy)
	}
	if f.reference != "" {
		command += " --reference " + recipe.Quoted(f.reference)
	}
	sidecar, err := plan.Sidecar(f.csv, command, a.recipe("--csv"), store.Version, survey.Results)
	if err == nil {
		err = wholefile.WriteFile(f.sidecar(), sidecar, 0o666)
	}
	if err == nil {
		err = wholefile.WriteFile(f.csv, table, 0o666)
	}
	if err == nil {
		err = a.plotTable(cmd.Context(), f, plan, table)
	}
	if err != nil {
		return err
	}
	differences := append([]string{}, sweep.Differences(published, table)...)
	if err := a.emitSweep(f, plan, survey, table, differences, time.Since(begin).Seconds()); err != nil {
		return err
	}
	if f.check != "" && len(differences) > 0 {
		return errCheckFailed
	}
	return nil
}

// emitSweep prints the answer for a complete sweep. differences lists the differences between its table and the table
// of --check.
func (a *app) emitSweep(
	f *sweepFlags, plan *sweep.Plan, survey *sweep.Survey, table []byte, differences []string, wall float64,
) error {
	outcomes, ranks, same := plan.Outcomes(survey.Results), rankings(plan, table), len(differences) == 0
	ended := lists.Of(slices.Sorted(maps.Keys(outcomes)),
		func(o string) string { return fmt.Sprintf("%s %d", o, outcomes[o]) })
	x := &answer.Answer{
		Title: cmp.Or(plan.Title, "sweep"), Machine: plan.File, Lists: []answer.List{summary(plan, table)},
	}
	x.Say("sweep", plan.File)
	x.Say("title", plan.Title)
	x.Number("points", plan.Rows(), "", "rows of the table").Head("points",
		"%d different runs, %d this time, in %.1f s; outcomes: %s",
		survey.Runs(), survey.Ran, wall, strings.Join(ended, ", "))
	x.Number("runs", survey.Runs(), "runs", "different ones")
	x.Number("ran", survey.Ran, "runs", "done by this process")
	x.Say("outcomes", outcomes)
	x.Say("directory", f.dir)
	x.Say("table", f.csv)
	x.Say("sidecar", f.sidecar())
	files := fmt.Sprintf("table %s, sidecar %s", f.csv, f.sidecar())
	if f.picture != "" {
		x.Say("plot", f.picture)
		files += ", plot " + f.picture
	}
	if len(ranks) > 0 {
		columns := rankColumns(plan.Against())
		x.Say("ranking", columns.Objects(ranks))
		x.Lists = append(x.Lists, columns.List(ranks))
	}
	end := answer.List{Notes: []string{files}}
	if f.check != "" {
		x.Say("check", object{"file", f.check, "same", same, "differences", differences})
		if same {
			end.Notes = append(end.Notes, f.check+" matches the results")
		} else {
			end.Notes = append(append(end.Notes, f.check+" does not match the results:"), differences...)
		}
	}
	x.Lists = append(x.Lists, end)
	x.Say("wall_seconds", wall)
	if f.picture == "" {
		x.Next = answer.Next{
			Command: fmt.Sprintf("emsim sweep %s --plot %s.svg", shellWord(plan.File), strings.TrimSuffix(f.csv,
				".csv")),
			Why: "the table as a picture, without another run",
		}
	}
	return a.tell(x)
}

// survey looks for existing results before a sweep runs, and prints what it found.
func (a *app) survey(ctx context.Context, plan *sweep.Plan, store *sweep.Store) (*sweep.Survey, error) {
	survey, err := interrupt.Await(ctx, func() (*sweep.Survey, error) { return store.Survey(plan) })
	if err != nil {
		return nil, err
	}
	for _, reason := range survey.Again {
		fmt.Fprintf(a.err, "%s: they are run again\n", reason)
	}
	if n := len(survey.Results); n > 0 && len(survey.Missing) > 0 {
		fmt.Fprintf(a.err, "%s has %d of %d runs: continuing with the others\n", store.Dir, n, survey.Runs())
	}
	return survey, nil
}

// published returns the table of --check.
func (f *sweepFlags) published() ([]byte, error) {
	if f.check == "" {
		return nil, nil
	}
	want := input.Want{
		What: "a table", Kinds: []input.Kind{input.Text}, Most: 1 << 29, Why: "500 bytes for each of a million rows",
	}
	text, err := want.Read(f.check)
	if err != nil {
		return nil, usagef("the table of --check cannot be read: %w", err)
	}
	return text, nil
}

// runSweep does the missing runs, with a progress line on a terminal.
func (a *app) runSweep(cmd *cobra.Command, store *sweep.Store, survey *sweep.Survey, jobs int) error {
	there := len(survey.Results)
	line := a.newPart("", len(survey.Missing))
	defer line.end()
	return store.Run(cmd.Context(), survey, jobs, func(p sweep.Progress) {
		if !line.due() {
			return
		}
		rate := float64(p.Ran) / time.Since(line.start).Seconds()
		line.step(p.Done-there, "%d of %d runs, %.1f/s: %s", p.Done, p.Total, rate, strings.Join(p.Running, "; "))
	})
}
