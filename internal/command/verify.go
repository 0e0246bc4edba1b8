package command

import (
	"io"

	"github.com/spf13/cobra"

	"emsim/internal/base/plural"
	"emsim/verify"
)

func newVerifyCmd(a *app) *cobra.Command {
	explained, score := "", false
	cmd := &cobra.Command{
		Use:   "verify [ID-PREFIX...] [--score] | verify --explain ID",
		Short: "Compare the models with the papers' numbers and claims",
		Long: `verify measures every row of the papers' tables, or those whose ids start with
one of the prefixes, and prints paper, model and deviation with its tolerance.
Regressions, our own numbers that no paper prints, are in separate tables: they
show that the models have not changed.

Rows of paper 003 are means over eight consecutive runs on one machine, those
of random policies on eight machines with a seed each; the table also has the
least and the greatest value, and --json the fastest and the first run. They
run side by side on all cores. The work per call, which follows from the paper's
times and shares, has a table of its own.

The verdict is ok if the row is within its rule. A published gap
(docs/DEVIATIONS.md) is shown as a gap as long as its value stays in its
recorded band; once it leaves the band or the gap closes, the row is NOT OK. The
exit status is 1 if any row is not ok.

The class says how a row's number was used: fitted, it set a knob of the model;
guided, it helped to choose one, or the margins are ours; predicted, neither.
"always" marks what no setting of 'emsim calibrate' moves out of its rule. Ctrl-C
prints the rows measured so far.

--score prints one figure of merit instead: the mean of |model - paper| over the
papers' numbers of each class, each in relation to the mean of its table's
numbers of that unit, with a bootstrap interval.

--explain ID tells everything about one row: what the paper says, how the model
gets its value, the command that gives this value alone, what its class means,
how uncertain knobs change it, and what was tried if it is a gap.`,
		Example: "  emsim verify\n  emsim verify --score\n  emsim verify 003.t1 --json\n  emsim verify --explain 003.t1.2.time",
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("explain") {
				return a.explain(cmd.Context(), explained, args)
			}
			return a.verify(cmd, args, score)
		},
	}
	cmd.Flags().BoolVar(&score, "score", false, "print the mean error of each class of rows instead of the rows")
	cmd.Flags().StringVar(&explained, "explain", "", "tell everything about the row with this id")
	cmd.MarkFlagsMutuallyExclusive("score", "explain")
	return cmd
}

// verify measures rows and prints them, or their scores.
func (a *app) verify(cmd *cobra.Command, args []string, score bool) error {
	suites := verify.Suites()
	chosen, err := verify.Select(suites, args)
	if err != nil {
		return usagef("%w; 'emsim verify' prints every id", err)
	}
	line := a.newProgress(int64(claims(chosen)))
	rows, err := verify.Run(cmd.Context(), suites, chosen, func(done int) { line.showStep(done, "%d of %s", done, plural.Of(claims(chosen), "row")) })
	line.erase()
	if rows == nil {
		rows = []verify.Row{}
	}
	answer, table := any(rows), func(w io.Writer) error { return verifyTable(w, rows) }
	if score && err == nil { // of parts the rows say more
		list := append([]verify.Score{}, verify.Scores(rows)...)
		answer, table = list, func(w io.Writer) error { return scoreTable(w, list) }
	}
	if err := a.emitParts(cmd.Context(), err, answer, table, "after %d of %s", len(rows), plural.Of(claims(chosen), "row")); err != nil {
		return err
	}
	for _, r := range rows {
		if !r.OK {
			return errCheckFailed
		}
	}
	return nil
}

// claims counts the rows to measure.
func claims(chosen map[string][]verify.Claim) int {
	n := 0
	for _, list := range chosen {
		n += len(list)
	}
	return n
}
