package main

import (
	"bytes"
	"fmt"
	"io"
	"text/tabwriter"

	"emsim/verify"
)

// verifyTable prints the papers' rows, then our own regressions, and a
// summary of the verdicts.
func verifyTable(w io.Writer, rows []verify.Row) error {
	var papers, ours []verify.Row
	for _, r := range rows {
		if r.Class == verify.Regression {
			ours = append(ours, r)
		} else {
			papers = append(papers, r)
		}
	}
	counts := verify.CountRows(rows)
	var table, sums bytes.Buffer
	if len(papers) > 0 {
		rowTable(&table, "paper", papers)
		fmt.Fprintln(&table)
		fmt.Fprintf(&sums, "%s of the papers: %v; %d fitted, %d guided, %d predicted\n", counted(len(papers), "row"), counts.Papers(),
			counts[verify.Fitted].Rows, counts[verify.Guided].Rows, counts[verify.Predicted].Rows)
	}
	if len(ours) > 0 {
		fmt.Fprintln(&table, "Regressions: our own numbers, which no paper prints")
		rowTable(&table, "expected", ours)
		fmt.Fprintln(&table)
		fmt.Fprintf(&sums, "%s: %v\n", counted(len(ours), "regression"), counts.Regressions())
	}
	_, err := w.Write(append(table.Bytes(), sums.Bytes()...))
	return err
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// rowTable prints rows whose expected values come from one kind of source.
func rowTable(w *bytes.Buffer, expected string, rows []verify.Row) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "id\tquantity\tunit\t%s\tmodel\tdeviation\trule\tclass\tverdict\n", expected)
	for _, r := range rows {
		rule := r.Rule
		switch {
		case r.Band != nil:
			rule = fmt.Sprintf("recorded %v", r.Recorded)
		case r.Gap != nil:
			rule = "recorded"
		case r.Tolerance > 0:
			rule += " " + deviation(r.Unit, r.Tolerance, false)
		}
		dev := ""
		if r.Deviation != nil {
			dev = deviation(r.Unit, *r.Deviation, true)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%v\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Quantity, r.Unit, r.Paper, modelText(r.Model), dev, rule, r.Class, verdict(r))
	}
	_ = t.Flush() // into memory
}

// verdict is the last column: a gap is named, never called ok.
func verdict(r verify.Row) string {
	switch {
	case !r.OK:
		return "NOT OK: " + r.Why()
	case r.Gap != nil:
		return fmt.Sprintf("gap %d", *r.Gap)
	}
	return "ok"
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
