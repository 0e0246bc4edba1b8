package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/internal/interrupt"
	"emsim/verify"
)

func newVerifyCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "verify [ID-PREFIX...]",
		Short: "Compare the models with the papers' numbers and claims",
		Long: `verify measures every row of the papers' tables, or those whose ids start with
one of the prefixes, and prints paper, model and deviation. A row that is a
published gap (docs/DEVIATIONS.md) is ok while it persists and not ok once it
has closed. The exit status is 1 when a row is not ok. Ctrl-C prints the rows that
are measured.`,
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
				err = interrupt.Of(cmd.Context(), "after %d of %s", len(rows), plural(claims(chosen), "row"))
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

// claims counts the rows that are to be measured.
func claims(chosen map[string][]verify.Claim) int {
	n := 0
	for _, list := range chosen {
		n += len(list)
	}
	return n
}

func verifyTable(w io.Writer, rows []verify.Row) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "id\tquantity\tunit\tpaper\tmodel\tdeviation\trule\tok\tbasis")
	bad, gaps := 0, 0
	for _, r := range rows {
		ok := "ok"
		if !r.OK {
			ok = "NOT OK"
			bad++
		}
		rule := r.Rule
		if r.Gap != nil {
			rule = fmt.Sprintf("gap %d", *r.Gap)
			gaps++
		} else if r.Tolerance > 0 {
			rule += fmt.Sprintf(" %s", deviation(r.Unit, r.Tolerance, false))
		}
		dev := ""
		if r.Deviation != nil {
			dev = deviation(r.Unit, *r.Deviation, true)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%v\t%v\t%s\t%s\t%s\t%s\n", r.ID, r.Quantity, r.Unit, r.Paper, modelText(r.Model), dev, rule, ok, basis(r.Note))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "%d rows, %d not ok, %d known gaps\n", len(rows), bad, gaps)
	return err
}

// basis is what the row's note begins with when that tells whether a
// parameter was fitted to the row, its shape guided a choice, or the value is a
// prediction.
func basis(note string) string {
	first, _, _ := strings.Cut(note, ";")
	if slices.Contains([]string{"fitted", "guided", "predicted"}, first) {
		return first
	}
	return ""
}

func modelText(v any) string {
	if f, ok := v.(float64); ok {
		return fmt.Sprintf("%.6g", f)
	}
	return fmt.Sprint(v)
}

// deviation prints points for shares and per cent for everything else.
func deviation(unit string, d float64, sign bool) string {
	format := "%.1f"
	if sign {
		format = "%+.1f"
	}
	if unit == "%" {
		return fmt.Sprintf(format+" pt", d)
	}
	return fmt.Sprintf(format+" %%", 100*d)
}
