package experiments

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// Table writes observations as one table: total seconds, followed by ± and
// the standard deviation if there are several seeds.
func (e Experiment) Table(w io.Writer, list []Observation) error {
	var columns, lines []string
	cell := map[[2]string]string{}
	for _, o := range list {
		column, line := e.across(o), e.tableLine(o)
		if !slices.Contains(columns, column) {
			columns = append(columns, column)
		}
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
		text := fmt.Sprintf("%.2f", o.TotalS)
		if o.SpreadS > 0 {
			text += fmt.Sprintf("±%.2f", o.SpreadS)
		}
		cell[[2]string{line, column}] = text
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, e.tableHead())
	for _, c := range columns {
		fmt.Fprintf(t, "\t%s", c)
	}
	fmt.Fprintln(t)
	for _, l := range lines {
		fmt.Fprint(t, l)
		for _, c := range columns {
			text := cell[[2]string{l, c}]
			if text == "" {
				text = "-"
			}
			fmt.Fprintf(t, "\t%s", text)
		}
		fmt.Fprintln(t)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\ntotal run time in seconds\n%s\n", e.Note)
	return err
}

// acrossSetting reports whether the columns are settings; algorithms then
// name the rows.
func (e Experiment) acrossSetting() bool {
	return e.across(Observation{Setting: "s", Algorithm: "a"}) == "s"
}

func (e Experiment) tableHead() string {
	if e.acrossSetting() {
		return "load\tnodes\talgorithm"
	}
	return "load\tnodes\tsetting"
}

func (e Experiment) tableLine(o Observation) string {
	if e.acrossSetting() {
		return fmt.Sprintf("%s\t%d\t%s", o.Load, o.Nodes, o.Algorithm)
	}
	return fmt.Sprintf("%s\t%d\t%s", o.Load, o.Nodes, o.Setting)
}
