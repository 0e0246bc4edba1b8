package command

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/plural"
	"emsim/internal/study/slurm"
	"emsim/internal/study/sweep"
)

// slurmFlags are the flags of 'emsim sweep --slurm'.
type slurmFlags struct {
	shares  int
	options slurm.Options
}

// mostShares is more than any plan has runs.
const mostShares = 1_000_000

func (s *slurmFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().IntVar(&s.shares, "slurm", 0, "submit what is missing to Slurm, as an array of up to this many tasks, and a job that makes the table")
	cmd.Flags().StringVar(&s.options.Partition, "partition", "", "with --slurm: partition of the cluster")
	cmd.Flags().StringVar(&s.options.Time, "time", "", "with --slurm: time limit of each task, as sbatch takes it (90, 2:00:00, 1-12)")
	cmd.Flags().StringArrayVar(&s.options.Args, "sbatch-arg", nil, "with --slurm: an argument of sbatch, as --sbatch-arg=--mem=4G; may be repeated")
}

// check refuses flags that do not fit together.
func (s *slurmFlags) check(cmd *cobra.Command) error {
	if !cmd.Flags().Changed("slurm") {
		for _, name := range []string{"partition", "time", "sbatch-arg"} {
			if cmd.Flags().Changed(name) {
				return usagef("--%s has no effect without --slurm N, which submits to Slurm", name)
			}
		}
		return nil
	}
	if s.shares < 1 || s.shares > mostShares {
		return usagef("--slurm is %d, it must be 1..%d: the number of tasks that share the points", s.shares, mostShares)
	}
	return s.options.Check()
}

// sweepSlurm is --slurm: it queues what is missing and ends.
func (a *app) sweepSlurm(cmd *cobra.Command, f *sweepFlags, plan *sweep.Plan, store *sweep.Store) error {
	if err := slurm.Ready(); err != nil {
		return err
	}
	if err := store.Open(); err != nil {
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
	job.Missing = survey.Shares(f.slurm.shares)
	s, err := job.Submit(cmd.Context())
	if err != nil {
		return err
	}
	x := object{
		"sweep", plan.File, "directory", f.dir, "runs", survey.Runs(), "missing", len(survey.Missing), "shares", f.slurm.shares,
		"name", s.Name, "array", s.Array, // the new array; "" if nothing new was queued
		"queued", append([]int{}, s.Queued...), "already", append([]int{}, s.Already...), "collect", s.Collect,
	}
	if s.Collect != "" {
		x = append(x, "table", f.csv)
	}
	return a.emitAnswer(x, func(w io.Writer) error {
		if len(survey.Missing) == 0 {
			_, err := fmt.Fprintf(w, "nothing is missing in %s, so nothing was queued: --collect makes the table\n", f.dir)
			return err
		}
		fmt.Fprintf(w, "%d of %s in %s are missing\n", len(survey.Missing), plural.Of(survey.Runs(), "run"), f.dir)
		if s.Array != "" {
			fmt.Fprintf(w, "array %s runs %s of %d\n", s.Array, plural.Of(len(s.Queued), "share"), f.slurm.shares)
		}
		if n := len(s.Already); n > 0 {
			fmt.Fprintf(w, "%s %s in the queue already\n", plural.Of(n, "share"), plural.Verb(n, "is", "are"))
		}
		_, err := fmt.Fprintf(w, "job %s makes the table %s when they have ended\n", s.Collect, f.csv)
		return err
	})
}

// slurmJob describes the sweep for Slurm.
func (f *sweepFlags) slurmJob(cmd *cobra.Command, file, kept string) (*slurm.Sweep, error) {
	where, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if kept, err = filepath.Abs(kept); err != nil {
		return nil, err
	}
	x := &slurm.Sweep{Executable: kept, Where: where, File: file, Dir: f.dir, Shares: f.slurm.shares, Jobs: 1, Options: f.slurm.options}
	if cmd.Flags().Changed("jobs") {
		x.Jobs = f.jobs
	}
	if cmd.Flags().Changed("csv") {
		x.Table = append(x.Table, "--csv="+f.csv)
	}
	if f.check != "" {
		x.Table = append(x.Table, "--check="+f.check)
	}
	return x, nil
}

// slurmTable prints what Slurm knows of a sweep: a line for each of its jobs.
func slurmTable(w io.Writer, s *slurm.State) {
	if s == nil {
		return
	}
	fmt.Fprintf(w, "Slurm: %s, %s\n", s.Name, plural.Of(s.Shares, "share"))
	var jobs []string // in order
	states := map[string][]string{}
	for _, t := range s.Tasks {
		name := "  array " + t.Array()
		if t.Collects {
			name = "  collect " + t.Array()
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
		fmt.Fprintf(w, "%s: %s\n", name, counted(states[name]))
	}
	if s.Message != "" {
		fmt.Fprintf(w, "  %s\n", s.Message)
	}
}

// counted writes how many there are of each, in the order in which they first
// come: "3 completed, 1 running".
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
