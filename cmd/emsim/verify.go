package main

import (
	"io"

	"github.com/spf13/cobra"

	"emsim/internal/interrupt"
	"emsim/internal/plural"
	"emsim/verify"
)

func newVerifyCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify [ID-PREFIX...]",
		Short: "Compare the models with the papers' numbers and claims",
		Long: `verify measures every row of the papers' tables, or those whose ids start with
one of the prefixes, and prints paper, model and deviation. Regressions, our own
numbers that no paper prints, are in a separate table: they show that the models
have not changed.

Rows of paper 003 are means over eight consecutive runs on one machine, those
of random policies on eight machines with a seed each; the table also has the
best run, the least and the greatest value, and the first run after boot. They
run side by side on all cores. The work per call, which follows from the paper's
times and shares, has a table of its own.

A row that is a published gap (docs/DEVIATIONS.md) is ok while its value stays
in its recorded band, and not ok once it leaves the band or the gap closes. The exit status is 1 if any row is not ok.

The class says how a row's number was used: fitted, it set a knob of the model;
guided, it helped to choose one; predicted, neither. Ctrl-C prints the rows
measured so far.`,
		Example: "  emsim verify\n  emsim verify 003.t1 --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			suites := verify.Suites()
			chosen, err := verify.Select(suites, args)
			if err != nil {
				return usagef("%w; 'emsim verify' prints every id", err)
			}
			rows, err := verify.Run(cmd.Context(), suites, chosen)
			if rows == nil {
				rows = []verify.Row{}
			}
			if interrupt.Ended(err) {
				err = interrupt.Of(cmd.Context(), "after %d of %s", len(rows), plural.Of(claims(chosen), "row"))
				return a.partial(err, rows, func(w io.Writer) error { return verifyTable(w, rows) })
			}
			if err != nil {
				return err
			}
			if err := a.emit(rows, func(w io.Writer) error { return verifyTable(w, rows) }); err != nil {
				return err
			}
			for _, r := range rows {
				if !r.OK {
					return errCheckFailed
				}
			}
			return nil
		},
	}
}

// claims counts the rows to measure.
func claims(chosen map[string][]verify.Claim) int {
	n := 0
	for _, list := range chosen {
		n += len(list)
	}
	return n
}
