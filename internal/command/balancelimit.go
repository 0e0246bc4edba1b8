package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"emsim/balance"
	"emsim/internal/base/answer"
)

func newBalanceLimitCmd(a *app) *cobra.Command {
	f := &balanceFlags{}
	cmd := &cobra.Command{
		Use:   "limit",
		Short: "Find the load up to which the queues of policies stay bounded",
		Long: `limit finds for each policy the greatest load of an open workload, in per cent of
the workers' capacity, at which queues do not grow for ever, and its 95 % interval. It
starts from an estimate of 100 %: at 1.2 and 1.4 times the estimate it measures with each
seed how much more work arrives than is completed in the second half of the arrivals, and
extrapolates linearly to the load at which the two are equal. The mean over the seeds is
the next estimate, until it no longer changes. Runs at 97 % of the last one then tell
whether queues stay bounded there, where more workers are idle and may take time from
others. Policies use some of the capacity themselves, so their limits are below 100 %, and
lower for finer grains.
'emsim docs BALANCE' explains policies and workloads.`,
		Example: "  emsim balance limit --policy none,random,stealing --workers 16 --grain 3,30\n" +
			"  emsim balance limit --policy two.toml --workload-file slow.toml --json",
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.balanceLimit(cmd, f) },
	}
	f.add(a, cmd, limitPlan())
	return cmd
}

// limitPlan returns the plan of the search before flags change it.
func limitPlan() balance.Plan {
	p := balance.Default(false)
	p.Workloads, p.Workers, p.Seeds = balance.OpenWorkloads()[:1], []int{16}, balance.FewSeeds
	return p
}

// wideLimit is the width of an interval, in percentage points of load, above which only the ends of the interval are
// printed [chosen].
const wideLimit = 5

func (a *app) balanceLimit(cmd *cobra.Command, f *balanceFlags) error {
	p, err := f.comparison(cmd, limitPlan())
	if err != nil {
		return err
	}
	line := a.newPart("", 0)
	rows, err := p.Limits(cmd.Context(), f.jobs, line.steps("limits"))
	line.end()
	if err != nil && cmd.Context().Err() == nil {
		return usagef("%w", err)
	}
	l := answer.List{
		Heads: []string{"policy", "workload", "workers", "grain", "bounded up to", "95 % interval", ""}, Whole: true,
	}
	for _, r := range rows {
		load, interval, note := "n/a", "", ""
		switch {
		case r.NA != nil:
			note = *r.NA
		case r.Low != nil && *r.High-*r.Low > wideLimit:
			load = fmt.Sprintf("%.0f to %.0f %%", *r.Low, *r.High)
		default:
			load, interval = fmt.Sprintf("%.1f %%", *r.Load), ends("%.1f to %.1f", 1, r.Low, r.High)
		}
		if r.Holds != nil && !*r.Holds {
			note = "not confirmed: queues grow at 97 % of it, too"
		}
		l.Add(r.Policy, r.Workload, r.N, r.Grain, load, interval, note)
	}
	x := &answer.Answer{
		Title:   policiesText(&p) + ": load up to which queues are bounded",
		Machine: balanceCellsText(&p), Lists: []answer.List{l},
	}
	return a.emitParts(cmd.Context(), err, steps(len(rows), p.Rows()), rows, a.shown(x), "with %d of %d limits",
		len(rows), p.Rows())
}
