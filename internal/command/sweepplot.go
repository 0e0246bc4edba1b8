package command

import (
	"context"

	"github.com/spf13/cobra"

	"emsim/internal/draw/figures"
	"emsim/internal/study/sweep"
)

// addPlot adds --plot and what it draws.
func (f *sweepFlags) addPlot(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.picture, "plot", "", "draw the table to this file, .svg or .png, with intervals if the sweep has seeds")
	cmd.Flags().StringVar(&f.choice.X, "x", "", "column of the horizontal axis of --plot (default: the last one with three numbers or more; without one a mark for each row)")
	cmd.Flags().StringVar(&f.choice.Y, "y", "", "column that --plot draws (default: the time, or its ratio to the variant base)")
}

// plotTable is --plot.
func (a *app) plotTable(ctx context.Context, f *sweepFlags, plan *sweep.Plan, table []byte) error {
	if f.picture == "" {
		return nil
	}
	x, err := figures.Sweep(plan, table, f.choice)
	if err != nil {
		return usagef("--plot: %w", err)
	}
	return a.drawTo(ctx, x, "--plot", f.picture)
}
