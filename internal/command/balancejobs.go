package command

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"emsim/balance"
	"emsim/internal/base/input"
	"emsim/internal/base/plural"
)

// jobsOf reads the jobs in the file of --arrivals.
func (f *balanceFlags) jobsOf(cmd *cobra.Command) ([]balance.Job, error) {
	if !cmd.Flags().Changed("arrivals") {
		if f.parallel != "" {
			return nil, usagef("--parallel has no effect without --arrivals FILE: it chooses what becomes of the " +
				"jobs in that trace")
		}
		return nil, nil
	}
	want := input.Want{
		What: "a list of jobs", Kinds: []input.Kind{input.Text}, Most: 1 << 26, Why: "2^20 jobs are shorter",
	}
	text, err := want.Read(f.trace)
	if err != nil {
		return nil, usagef("--arrivals: %w", err)
	}
	swf := balance.IsSWF(f.trace, text)
	switch parallel := balance.Parallel(f.parallel); {
	case !slices.Contains([]balance.Parallel{balance.Refused, balance.Split, balance.First}, parallel):
		return nil, usagef("--parallel: %q is not one of split, first; jobs whose parts start together (rigid ones) "+
			"would need a policy that starts several workers at once, and there is none", parallel)
	case !swf && parallel != balance.Refused:
		return nil, usagef("--parallel: the jobs of %s have one processor each; "+
			"only a file in the Standard Workload Format (.swf) has others", f.trace)
	case !swf:
		return balance.ParseTrace(f.trace, text)
	}
	list, left, err := balance.ParseSWF(f.trace, text, balance.Parallel(f.parallel))
	if err != nil {
		return nil, err
	}
	note := fmt.Sprintf("%s: %s", f.trace, plural.Of(len(list), "unit"))
	for i, o := range left {
		note += fmt.Sprintf("%s %s: %s", []string{"; left out:", ","}[min(i, 1)], plural.Of(o.Jobs, "line"), o.Why)
	}
	fmt.Fprintln(cmd.ErrOrStderr(), note)
	return list, nil
}

// checkTrace rejects jobs if no workload uses them, and jobs that arrive at a worker that does not exist.
func (f *balanceFlags) checkTrace(p *balance.Plan, jobs []balance.Job) error {
	if jobs == nil {
		return nil
	}
	takes := func(w balance.Workload) bool { return w.Arrivals == balance.ByTrace }
	if !slices.ContainsFunc(p.Workloads,
		func(w balance.Workload) bool { return takes(w) || w.Law == balance.TraceLaw }) {
		return usagef("--arrivals: no chosen workload uses its jobs: leave --workload out, or give a "+
			"--workload-file with arrivals or law = %q", balance.ByTrace)
	}
	if i := slices.IndexFunc(jobs, func(j balance.Job) bool { return j.Worker >= slices.Min(p.Workers) }); i >= 0 &&
		slices.ContainsFunc(p.Workloads, takes) {
		return usagef("--arrivals: %s: job %d arrives at worker %d, but there are %d workers, numbered from 0; "+
			"expected another trace, or --workers %d",
			f.trace, i+1, jobs[i].Worker, slices.Min(p.Workers), jobs[i].Worker+1)
	}
	return nil
}
