package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/study/slurm"
	"emsim/internal/study/sweep"
)

// readMode reads --share, --status, --collect and --slurm, of which only one
// can be given.
func (f *sweepFlags) readMode(cmd *cobra.Command) error {
	var chosen []string
	for _, name := range []string{"share", "status", "collect", "slurm", "dry-run"} {
		if cmd.Flags().Changed(name) {
			chosen = append(chosen, "--"+name)
		}
	}
	if len(chosen) > 1 {
		return usagef("%s cannot be together", strings.Join(chosen, " and "))
	}
	makesTable := !cmd.Flags().Changed("share") && !f.status
	for _, name := range []string{"csv", "check", "plot"} {
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
	f.part, err = sweep.ParseShare(f.share)
	return err
}

// shareAnswer is what 'emsim sweep --share' prints with --json.
type shareAnswer struct {
	Sweep       string  `json:"sweep"`
	Share       string  `json:"share"`
	Runs        int     `json:"runs"` // of the whole plan
	Done        int     `json:"done"` // of these
	Ran         int     `json:"ran"`  // by this process
	Directory   string  `json:"directory"`
	Executable  string  `json:"executable"` // its copy in the directory
	WallSeconds float64 `json:"wall_seconds"`
}

// sweepShare is --share: it runs what is missing of one part.
func (a *app) sweepShare(cmd *cobra.Command, f *sweepFlags, plan *sweep.Plan, store *sweep.Store) error {
	begin := time.Now()
	if err := store.Open(); err != nil {
		return err
	}
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
	x := &shareAnswer{plan.File, f.part.String(), survey.Runs(), len(survey.Results), survey.Ran, f.dir, kept, time.Since(begin).Seconds()}
	return a.emitAnswer(x, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "share %s is complete: %s this time, in %.1f s; %s has %d of %d\n",
			x.Share, plural.Of(x.Ran, "run"), x.WallSeconds, x.Directory, x.Done, x.Runs)
		return err
	})
}

// statusAnswer is what 'emsim sweep --status' prints with --json.
type statusAnswer struct {
	Sweep     string          `json:"sweep"`
	Title     string          `json:"title"`
	Directory string          `json:"directory"`
	Points    int             `json:"points"`
	Runs      int             `json:"runs"`
	Done      int             `json:"done"`
	Running   int             `json:"running"`
	Failed    int             `json:"failed"`
	Missing   int             `json:"missing"`
	Processes []sweep.Process `json:"processes"`
	Failures  []failedPoint   `json:"failures"`
	Discarded []string        `json:"discarded"`       // why existing files do not count
	Slurm     *slurm.State    `json:"slurm,omitempty"` // if it was submitted
}

type failedPoint struct {
	Command string `json:"command"`
	Message string `json:"message"`
}

// sweepStatus is --status. It changes nothing.
func (a *app) sweepStatus(ctx context.Context, f *sweepFlags, plan *sweep.Plan, store *sweep.Store) error {
	survey, err := interrupt.Await(ctx, func() (*sweep.Survey, error) { return store.Survey(plan) })
	if err != nil {
		return err
	}
	s := store.Status(survey)
	x := &statusAnswer{
		Sweep: plan.File, Title: plan.Title, Directory: f.dir, Points: plan.Rows(),
		Runs: s.Runs, Done: s.Done, Running: s.Running, Failed: s.Failed, Missing: s.Missing,
		Processes: append([]sweep.Process{}, s.Processes...), Failures: []failedPoint{},
		Discarded: append([]string{}, survey.Again...),
	}
	if x.Slurm, err = slurm.QueryState(ctx, f.dir); err != nil {
		return err
	}
	for _, p := range s.Failures {
		x.Failures = append(x.Failures, failedPoint{p.Point.Command(), p.Err.Error()})
	}
	return a.emitAnswer(x, x.table)
}

// table prints the status for people.
func (x *statusAnswer) table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "%s\t%d points, %d different runs\n", x.Directory, x.Points, x.Runs)
	for _, row := range []struct {
		name string
		n    int
	}{{"done", x.Done}, {"running", x.Running}, {"failed", x.Failed}, {"missing", x.Missing}} {
		fmt.Fprintf(t, "%s\t%d\n", row.name, row.n)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	slurmTable(w, x.Slurm)
	for _, p := range x.Processes {
		share := "all points"
		if p.Share != "" {
			share = "share " + p.Share
		}
		fmt.Fprintf(w, "process %d on %s, %s, has begun %s:\n", p.PID, p.Host, share, plural.Of(len(p.Running), "point"))
		for _, c := range p.Running {
			fmt.Fprintf(w, "    %s\n", c)
		}
	}
	for _, p := range x.Failures {
		fmt.Fprintf(w, "failed: %s\n    %s\n", p.Message, p.Command)
	}
	for _, note := range x.Discarded {
		if _, err := fmt.Fprintln(w, note); err != nil {
			return err
		}
	}
	return nil
}

// collected is the survey of --collect, which runs nothing.
func (a *app) collected(ctx context.Context, f *sweepFlags, plan *sweep.Plan, store *sweep.Store) (*sweep.Survey, error) {
	survey, err := interrupt.Await(ctx, func() (*sweep.Survey, error) { return store.Survey(plan) })
	if err != nil || len(survey.Missing) == 0 {
		return survey, err
	}
	for _, reason := range survey.Again {
		fmt.Fprintln(a.err, reason)
	}
	return nil, &sweep.Incomplete{Status: store.Status(survey), Dir: f.dir}
}
