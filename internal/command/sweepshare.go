package command

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/draw/figures"
	"emsim/internal/machine/recipe"
	"emsim/internal/study/slurm"
	"emsim/internal/study/sweep"
)

// readMode parses --share. It rejects --share, --status, --collect, --slurm and --dry-run together, and other flags
// that have no effect with them.
func (f *sweepFlags) readMode(cmd *cobra.Command) error {
	var chosen []string
	for _, name := range []string{"share", "status", "collect", "slurm", "dry-run"} {
		if cmd.Flags().Changed(name) {
			chosen = append(chosen, "--"+name)
		}
	}
	if len(chosen) > 1 {
		return usagef("%s cannot be combined", strings.Join(chosen, " and "))
	}
	makesTable := !cmd.Flags().Changed("share") && !f.status && !f.dryRun
	for _, name := range []string{"csv", "check", "plot", "reference"} {
		if cmd.Flags().Changed(name) && !makesTable {
			return usagef("--%s has no effect with %s, which makes no table: --collect does", name, chosen[0])
		}
	}
	if cmd.Flags().Changed("jobs") && (f.status || f.collect) {
		return usagef("--jobs has no effect with %s, which runs nothing", chosen[0])
	}
	if err := f.slurm.check(cmd); err != nil || !cmd.Flags().Changed("share") {
		return err
	}
	var err error
	f.part, err = sweep.ParsePart(f.share)
	return err
}

// sweepShare implements --share: it does the missing runs of one share.
func (a *app) sweepShare(cmd *cobra.Command, f *sweepFlags, plan *sweep.Plan, store *sweep.Store) error {
	begin := time.Now()
	kept, err := store.KeepExecutable(executable())
	if err != nil {
		return err
	}
	survey, err := a.survey(cmd.Context(), plan, store)
	if err != nil {
		return err
	}
	survey.LimitTo(f.part)
	if err := a.runSweep(cmd, store, survey, f.jobs); err != nil {
		return err
	}
	share, wall, done := f.part.String(), time.Since(begin).Seconds(), len(survey.Results)
	x := &answer.Answer{Title: fmt.Sprintf("share %s is complete: %s this time, in %.1f s; %s has %d of %d", share,
		plural.Of(survey.Ran, "run"), wall, f.dir, done, survey.Runs())}
	// runs and done count the whole plan; ran counts what this process did
	return a.tell(x.SayAll("sweep", plan.File, "share", share, "runs", survey.Runs(), "done", done, "ran", survey.Ran,
		"directory", f.dir, "executable", kept, "wall_seconds", wall))
}

// sweepStatus implements --status: it prints the state of a sweep, and changes nothing.
func (a *app) sweepStatus(ctx context.Context, f *sweepFlags, plan *sweep.Plan, store *sweep.Store) error {
	survey, err := interrupt.Await(ctx, func() (*sweep.Survey, error) { return store.Survey(plan) })
	if err != nil {
		return err
	}
	s := store.Status(survey)
	queue, err := slurm.QueryState(ctx, f.dir)
	if err != nil {
		return err
	}
	x := &answer.Answer{Title: cmp.Or(plan.Title, plan.File), Machine: f.dir}
	x.SayAll("sweep", plan.File, "title", plan.Title, "directory", f.dir)
	x.Number("points", plan.Rows(), "", "rows of the table").Head("points", "%d different runs", s.Runs)
	x.Number("runs", s.Runs, "runs", "different ones")
	x.Number("done", s.Done, "runs", "whose results are there").Detail("done", "").Always()
	x.Number("running", s.Running, "runs", "that a process has begun").Detail("running", "").Always()
	x.Number("failed", s.Failed, "runs", "with a result that cannot be trusted").Detail("failed", "").Always()
	x.Number("missing", s.Missing, "runs", "not begun yet").Detail("missing", "").Always()
	x.Say("processes", append([]sweep.Process{}, s.Processes...))
	x.Say("failures", failureColumns.Objects(s.Failures))
	x.Say("discarded", append([]string{}, survey.Again...)) // why existing files do not count
	if queue != nil {
		x.Say("slurm", queue)
		x.Lists = append(x.Lists, slurmList(queue))
	}
	for _, p := range s.Processes {
		share := "all points"
		if p.Part != "" {
			share = "share " + p.Part
		}
		x.Lists = append(x.Lists, answer.List{
			Title: fmt.Sprintf("process %d on %s, %s, has started %s:", p.PID, p.Host, share, plural.Of(len(p.Running),
				"point")), Rows: lists.Of(p.Running, func(c string) []any { return []any{c} }), Unbroken: true,
		})
	}
	if len(s.Failures) > 0 {
		x.Lists = append(x.Lists, failureColumns.List(s.Failures))
	}
	x.Lists = append(x.Lists, answer.List{Notes: survey.Again})
	return a.tell(x)
}

// failureColumns describes the runs in 'emsim sweep --status' whose results cannot be trusted.
var failureColumns = answer.Columns[*sweep.WrongPoint]{
	{Key: "command", Head: "failed", Of: func(p *sweep.WrongPoint) any { return p.Point.Command() }},
	{Key: "message", Head: "why", Of: func(p *sweep.WrongPoint) any { return p.Err.Error() }},
}

// collected returns the survey of --collect. It returns an error if runs are missing.
func (a *app) collected(ctx context.Context, f *sweepFlags, plan *sweep.Plan, store *sweep.Store) (*sweep.Survey,
	error,
) {
	survey, err := interrupt.Await(ctx, func() (*sweep.Survey, error) { return store.Survey(plan) })
	if err != nil || len(survey.Missing) == 0 {
		return survey, err
	}
	for _, reason := range survey.Again {
		fmt.Fprintln(a.err, reason)
	}
	return nil, store.Status(survey).Incomplete(f.dir)
}

// sweepVersion returns the version of this emsim.
func sweepVersion() sweep.Version {
	b := thisBuild()
	return sweep.Version{Revision: b.revision(), Go: b.Go, System: b.OS + "/" + b.Arch, Executable: ownDigest()}
}

// ownDigest returns the SHA-256 of the executable, or "".
var ownDigest = sync.OnceValue(func() string {
	sum, _ := recipe.DigestFile(executable())
	return sum
})

// executable returns the name of the executable of this process. On systems with /proc it is valid even if the file has
// been replaced or removed.
func executable() string {
	const self = "/proc/self/exe"
	if _, err := os.Stat(self); err == nil {
		return self
	}
	name, err := os.Executable()
	if err != nil {
		return ""
	}
	return name
}

// plotTable draws a sweep's table to the file that --plot names, or does nothing without --plot.
func (a *app) plotTable(ctx context.Context, f *sweepFlags, plan *sweep.Plan, table []byte) error {
	if f.picture == "" {
		return nil
	}
	x, err := figures.Sweep(plan, table, f.choice)
	if err != nil {
		return usagef("--plot: %w", err)
	}
	return a.drawTo(ctx, x, "--plot", f.picture)
}

// slurmFlags holds the flags of 'emsim sweep --slurm'.
type slurmFlags struct {
	shares  int
	options slurm.Options
}

func (s *slurmFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&s.shares, "slurm", 0,
		"submit what is missing to Slurm, as an array of up to this many tasks, and a job that makes the table")
	cmd.Flags().StringVar(&s.options.Partition, "partition", "", "with --slurm: partition of the cluster")
	cmd.Flags().StringVar(&s.options.Time, "time", "",
		"with --slurm: time limit of each task, as sbatch takes it (90, 2:00:00, 1-12)")
	cmd.Flags().StringArrayVar(&s.options.Args, "sbatch-arg", nil,
		"with --slurm: an argument of sbatch, as --sbatch-arg=--mem=4G; may be repeated")
}

// check rejects flags that have no effect without --slurm, and values that are out of range.
func (s *slurmFlags) check(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("slurm") {
		return onlyWith(cmd, []string{"partition", "time", "sbatch-arg"},
			"has no effect without --slurm N, which submits to Slurm")
	}
	if s.shares < 1 || s.shares > sweep.MaxParts {
		return usagef("--slurm is %d, it must be 1..%d: the number of tasks that share the points", s.shares,
			sweep.MaxParts)
	}
	return s.options.Check()
}

// sweepSlurm implements --slurm: it queues the missing runs in Slurm, and does not wait for them.
func (a *app) sweepSlurm(cmd *cobra.Command, f *sweepFlags, plan *sweep.Plan, store *sweep.Store) error {
	if err := slurm.Ready(); err != nil {
		return err
	}
	kept, err := store.KeepExecutable(executable())
	if err != nil {
		return err
	}
	if err := claim([]output{{flag: "--csv", name: f.csv}, {flag: "--csv", name: f.sidecar()}}); err != nil {
		return err
	}
	if _, err := f.published(); err != nil {
		return err
	}
	survey, err := a.survey(cmd.Context(), plan, store)
	if err != nil {
		return err
	}
	job, err := f.slurmJob(cmd, plan.File, kept)
	if err != nil {
		return err
	}
	job.Missing = survey.Parts(f.slurm.shares)
	s, err := job.Submit(cmd.Context())
	if err != nil {
		return err
	}
	return a.tell(f.submitted(plan, survey, s))
}

// submitted returns the answer of --slurm: what is missing, and what is in Slurm's queue for it.
func (f *sweepFlags) submitted(plan *sweep.Plan, survey *sweep.Survey, s *slurm.Submission) *answer.Answer {
	missing := len(survey.Missing)
	x := &answer.Answer{Title: fmt.Sprintf("%d of %s in %s are missing", missing, plural.Of(survey.Runs(), "run"),
		f.dir)}
	if missing == 0 {
		x.Says = append(x.Says, "Nothing was queued: --collect makes the table.")
	}
	// array is the new array; "" if nothing new was queued
	x.SayAll("sweep", plan.File, "directory", f.dir, "runs", survey.Runs(), "missing", missing, "shares",
		f.slurm.shares,
		"name", s.Name, "array", s.Array, "queued", append([]int{}, s.Queued...), "already",
		append([]int{}, s.Already...), "collect", s.Collect)
	if s.Array != "" {
		x.Says = append(x.Says, fmt.Sprintf("Array %s runs %s of %d.", s.Array, plural.Of(len(s.Queued), "share"),
			f.slurm.shares))
	}
	if n := len(s.Already); n > 0 {
		x.Says = append(x.Says, fmt.Sprintf("%s %s in the queue already.", plural.Of(n, "share"),
			plural.Verb(n, "is", "are")))
	}
	if s.Collect != "" {
		x.SayAll("table", f.csv)
		x.Says = append(x.Says, fmt.Sprintf("Job %s makes the table %s when they have ended.", s.Collect, f.csv))
	}
	return x
}

// slurmJob returns the sweep's description for Slurm.
func (f *sweepFlags) slurmJob(cmd *cobra.Command, file, kept string) (*slurm.Sweep, error) {
	where, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if kept, err = filepath.Abs(kept); err != nil {
		return nil, err
	}
	x := &slurm.Sweep{
		Executable: kept, Where: where, File: file, Dir: f.dir, Parts: f.slurm.shares, Jobs: 1,
		Options: f.slurm.options,
	}
	if cmd.Flags().Changed("jobs") {
		x.Jobs = f.jobs
	}
	for _, policy := range f.policies {
		x.Plan = append(x.Plan, "--policy="+policy)
	}
	if cmd.Flags().Changed("csv") {
		x.Table = append(x.Table, "--csv="+f.csv)
	}
	if f.check != "" {
		x.Table = append(x.Table, "--check="+f.check)
	}
	if f.picture != "" {
		x.Table = append(x.Table, "--plot="+f.picture)
	}
	if f.reference != "" {
		x.Table = append(x.Table, "--reference="+f.reference)
	}
	return x, nil
}

// slurmList returns the state of a sweep in Slurm, with a line for each of its jobs.
func slurmList(s *slurm.State) answer.List {
	l := answer.List{Title: fmt.Sprintf("Slurm: %s, %s", s.Name, plural.Of(s.Parts, "share"))}
	var jobs []string // in order of first occurrence
	states := map[string][]string{}
	for _, t := range s.Tasks {
		name := "array " + t.Array()
		if t.Collects {
			name = "collect " + t.Array()
		}
		if states[name] == nil {
			jobs = append(jobs, name)
		}
		state := strings.ToLower(t.State)
		if t.Reason != "" {
			state += " (" + t.Reason + ")"
		}
		states[name] = append(states[name], state)
	}
	for _, name := range jobs {
		l.Add(name + ": " + counted(states[name]))
	}
	if s.Message != "" {
		l.Notes = []string{s.Message}
	}
	return l
}

// counted returns the number of occurrences of each string, in the order of first occurrence: "3 completed, 1 running".
func counted(list []string) string {
	n := map[string]int{}
	var order []string
	for _, x := range list {
		if n[x] == 0 {
			order = append(order, x)
		}
		n[x]++
	}
	for i, x := range order {
		order[i] = fmt.Sprintf("%d %s", n[x], x)
	}
	return strings.Join(order, ", ")
}
