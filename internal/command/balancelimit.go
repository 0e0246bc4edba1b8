package command

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/balance"
)

func newBalanceLimitCmd(a *app) *cobra.Command {
	f := &balanceFlags{}
	cmd := &cobra.Command{
		Use:   "limit",
		Short: "Find the load up to which the queues of schemes stay bounded",
		Long: `limit finds for each scheme the greatest load of an open workload, in per cent of
the workers' capacity, at which queues do not grow for ever. It halves the range of
loads up to 128 % until it knows the limit to one per cent. Queues grow if more than
1 % of the units that come during the second half of the arrivals are added to those
that are there, in the mean of the seeds. Schemes take some of the capacity for
themselves, so their limits are below 100 %, the more the finer the grain.
docs/BALANCE.md explains schemes and workloads.`,
		Example: "  emsim balance limit --scheme none,random,stealing --n 16 --grain 3,30\n  emsim balance limit --policy two.toml --workload-file slow.toml --json",
		Args:    noArgs,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.balanceLimit(cmd, f) },
	}
	f.add(cmd, limitPlan())
	return cmd
}

// limitPlan is the search without flags: arrivals so long that growth can be told.
func limitPlan() balance.Plan {
	p := balance.Default(false)
	p.Workloads, p.Workers, p.Seeds = balance.OpenWorkloads()[:1], []int{16}, 4
	for k := range p.Workloads {
		p.Workloads[k].Units = 2000
	}
	return p
}

func (a *app) balanceLimit(cmd *cobra.Command, f *balanceFlags) error {
	p, err := f.comparison(cmd, limitPlan())
	if err != nil {
		return err
	}
	progress := a.newProgress(-1)
	rows, err := p.Limits(cmd.Context(), f.jobs, func(cells, of int) { progress.showSome(cells, "%d of %d limits", cells, of) })
	progress.erase()
	if err != nil && cmd.Context().Err() == nil {
		return usagef("%w", err)
	}
	return a.emitParts(cmd.Context(), err, rows, func(w io.Writer) {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "scheme\tworkload\tworkers\tgrain\tqueues are bounded up to")
		for _, r := range rows {
			limit := "n/a: "
			if r.NA != nil {
				limit += *r.NA
			} else {
				limit = fmt.Sprintf("%.0f %% load", *r.Load)
			}
			fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%s\n", r.Scheme, r.Workload, r.N, r.Grain, limit)
		}
		t.Flush()
	}, "with %d of %d limits", len(rows), p.Rows())
}
