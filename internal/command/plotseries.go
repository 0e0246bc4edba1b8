package command

import (
	"cmp"

	"github.com/spf13/cobra"

	"emsim/internal/base/input"
	"emsim/internal/draw/figures"
)

// seriesFigure is the figure of a file of --series.
func seriesFigure(_ *app, cmd *cobra.Command, f *plotFlags, args []string) (figures.Figure, error) {
	var none figures.Figure
	if len(args) != 1 {
		return none, usagef("which file of --series? For example: emsim plot series load.csv -o %s", cmp.Or(f.file, "load.svg"))
	}
	if err := onlyWith(cmd, f.ownKeys(), "has no effect on series, a figure of a file"); err != nil {
		return none, err
	}
	if err := sized("series", f.size, figures.SeriesLeast); err != nil {
		return none, err
	}
	want := input.Want{What: "a file of --series", Kinds: []input.Kind{input.Text}, Most: 1 << 30, Why: "16 million lines"}
	text, err := want.Read(args[0])
	if err != nil {
		return none, usagef("%w", err)
	}
	return figures.Series(args[0], text, f.size)
}
