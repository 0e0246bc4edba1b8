package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"emsim/balance"
	"emsim/docs"
	"emsim/internal/base/answer"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
)

func newBalanceValidateCmd(a *app) *cobra.Command {
	var names []string
	var whole bool
	var file string
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Show how far the policies are from their native machines, and where",
		Long: `validate shows by how much the policies of the papers differ on common ground from the
same policies on the papers' own machines, with the costs of those machines, over the
papers' ranges: the times, and with --map every check, with the 95 % interval of the
deviation. A star marks a check outside its tolerance. Links are busy, as in the EM-4,
or free, as in the comparison. 'go test -tags slow ./balance -run Native' measures again.`,
		Example: "  emsim balance validate\n  emsim balance validate --policy mnc-auto,power --map",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			if _, err := chosen("policy", balance.Policies(), policyName, names); err != nil {
				return err
			}
			checks := slices.DeleteFunc(balance.ParseChecks(docs.Valid), func(c balance.Check) bool {
				return names != nil && !slices.Contains(names, c.Policy) || !whole && !c.IsTime()
			})
			table := a.shown(&answer.Answer{
				Title: fmt.Sprintf("%d checks against native machines; * is outside its tolerance", len(checks)),
				Lists: []answer.List{validity(checks)},
			})
			if file != "" {
				if err := a.writeTable("--csv", file, []byte(balance.CSV(checks))); err != nil {
					return a.unwritten(err, checks, table)
				}
			}
			return a.answer(checks, table)
		},
	}
	cmd.Flags().StringSliceVar(&names, "policy", nil, "policies to show (default all)")
	a.completes(cmd, "policy", completeList(lists.Of(balance.Policies(), policyName)))
	cmd.Flags().BoolVar(&whole, "map", false, "show every check, not only times")
	outFlag(cmd, &file, "csv", "write the checks to this file")
	return cmd
}

// validity returns the table of the checks.
func validity(checks []balance.Check) answer.List {
	l := answer.List{Heads: strings.Fields("policy where quantity native here deviation tolerance")}
	for _, c := range checks {
		by, unit, number := 100.0, " %", fourDigits
		switch {
		case c.Unit == "difference" && c.Tolerance >= 1:
			by, unit = 1, ""
		case c.Unit == "difference":
			number = func(v float64) string { return fmt.Sprintf("%.2f %%", 100*v) }
		}
		where := fmt.Sprintf("%s, %s, %d workers, grain %.1f, %s links", c.Machine, c.Load, c.N, c.Grain, c.Network)
		l.Add(c.Policy, where, c.Quantity, number(c.Native), number(c.Hooks),
			fmt.Sprintf("%+.1f%s%s%s", by*c.Deviation, unit, ends(" (%+.1f to %+.1f)", by, c.Low, c.High),
				map[bool]string{false: " *", true: "  "}[c.OK]),
			fmt.Sprintf("%g%s", by*c.Tolerance, unit))
	}
	return l
}

// fourDigits formats a number with four significant digits and without an exponent.
func fourDigits(v float64) string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 4, 64), 64)
	if rounded >= 10_000 {
		return plural.Commas(uint64(rounded))
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// balanceSensitivity repeats the comparison with each number changed, and prints the cells in which another policy
// wins.
func (a *app) balanceSensitivity(cmd *cobra.Command, f *balanceFlags, p *balance.Plan) error {
	line := a.newPart("", 0)
	list, err := p.Sensitivity(cmd.Context(), f.jobs, line.steps("settings"))
	line.end()
	l := answer.List{Whole: true, Heads: []string{
		"setting", "workload", "workers", "grain", "best before", "best now", "time of the former best",
	}}
	for _, x := range list {
		longer := "n/a"
		if x.Regret != nil {
			longer = fmt.Sprintf("%+.0f %%%s", 100**x.Regret, ends(" (%+.0f to %+.0f)", 100, x.RegLow, x.RegHigh))
		}
		if x.Changes {
			l.Add(x.Key+"="+x.Value, x.Workload, x.N, x.Grain, x.Before, x.Best, longer)
		}
	}
	table := a.shown(&answer.Answer{
		Title:   fmt.Sprintf("Another policy is the best in %d of %s", len(l.Rows), plural.Of(len(list), "line")),
		Machine: balanceCellsText(p), Lists: []answer.List{l},
	})
	if err == nil && f.csv != "" {
		if err := a.writeTable("--csv", f.csv, []byte(balance.CSV(list))); err != nil {
			return a.unwritten(err, list, table)
		}
	}
	return a.emitParts(cmd.Context(), err, steps(0, 0), list, table, "with %d lines", len(list))
}
