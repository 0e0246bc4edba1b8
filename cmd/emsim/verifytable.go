package main

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"emsim/verify"
)

// verifyTable prints the papers' rows, then those that follow from them, then
// those that hold numbers of our own, and what they came to.
func verifyTable(w io.Writer, rows []verify.Row) error {
	var papers, derived, ours []verify.Row
	for _, r := range rows {
		switch {
		case r.Class == verify.Regression:
			ours = append(ours, r)
		case r.Derived:
			derived = append(derived, r)
		default:
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
	if len(derived) > 0 {
		fmt.Fprintln(&table, "Work per call: PE-clocks of each call, derived from the paper's times and shares")
		rowTable(&table, "derived", derived)
		fmt.Fprintln(&table)
		fmt.Fprintf(&sums, "%s: %v\n", counted(len(derived), "derived row"), counts.Derived())
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
	bands := slices.ContainsFunc(rows, func(r verify.Row) bool { return r.Runs > 0 })
	model := "model"
	if bands {
		model = "best\tmodel (mean)\tmin\tmax\tfirst\truns"
	}
	fmt.Fprintf(t, "id\tquantity\tunit\t%s\t%s\tdeviation\trule\tclass\tverdict\n", expected, model)
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
		model := modelText(r.Model)
		if bands {
			model = fmt.Sprintf("%s\t%s\t%s\t%s\t%s\t%s", spreadText(r.Best), model, spreadText(r.Min), spreadText(r.Max), spreadText(r.First), runsText(r))
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%v\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Quantity, r.Unit, r.Paper, model, dev, rule, r.Class, verdict(r))
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

// spreadText is one number of a band.
func spreadText(f *float64) string {
	if f == nil {
		return ""
	}
	return fmt.Sprintf("%.4g", *f)
}

// runsText says in how many runs a row was measured, and of words in how many
// of them they were true.
func runsText(r verify.Row) string {
	switch {
	case r.Runs == 0:
		return ""
	case r.Held != nil:
		return fmt.Sprintf("true in %d of %d", *r.Held, r.Runs)
	case r.Seeds > 1:
		return fmt.Sprintf("%d × %d seeds", r.Runs/r.Seeds, r.Seeds)
	}
	return fmt.Sprint(r.Runs)
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
