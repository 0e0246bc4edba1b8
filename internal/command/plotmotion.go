package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"emsim/internal/base/plural"
	"emsim/internal/draw/figures"
	"emsim/internal/machine/run"
)

// mostMotion is the greatest number of clocks in a moving picture, which then takes 75 seconds.
const mostMotion = 600

// motionFlags choose the stretch of plot motion.
type motionFlags struct{ from, clocks uint64 }

func (f *motionFlags) addFlags(cmd *cobra.Command) {
	cmd.Flags().Uint64Var(&f.from, "from", 0,
		"clock of the run with which motion begins (default: where the PEs work most)")
	cmd.Flags().Uint64Var(&f.clocks, "clocks", 120,
		fmt.Sprintf("clocks that motion shows, 8 a second, 1..%d", mostMotion))
}

// motionFigure draws a stretch of a run as a moving picture.
func motionFigure(a *app, cmd *cobra.Command, f *plotFlags, args []string) (x figures.Figure, err error) {
	if err := onlyWith(cmd, []string{"resume", "vs", "sample", "width", "height"}, "has no effect on motion, which "+
		"shows a stretch of one run, clock by clock"); err != nil {
		return x, err
	}
	if len(args) == 0 {
		return x, usagef("which program? For example: emsim plot motion fib 16 -o %s", f.file)
	}
	if f.clocks < 1 || f.clocks > mostMotion {
		return x, usagef("--clocks is %d, it must be 1..%d", f.clocks, mostMotion)
	}
	spec, err := f.runSpec(cmd, args)
	if err != nil {
		return x, err
	}
	from, length := f.from, uint64(0)
	if !cmd.Flags().Changed("from") {
		if from, length, err = a.busiest(cmd, spec, f.clocks); err != nil {
			return x, err
		}
	}
	s, err := a.beginRun(cmd, spec)
	if err != nil {
		return x, err
	}
	line := a.newPart("watching "+s.Call(), int(from+f.clocks))
	defer line.end()
	s.Progress = func(clock uint64, busy func() int) {
		line.clocks(clock, func() string { return plural.Of(busy(), "busy PE") })
	}
	m, err := figures.RecordMotion(cmd.Context(), s, from, f.clocks)
	if err != nil {
		return x, err
	}
	m.Length = length
	return figures.MotionFigure(m)
}

// busiest does a run. It returns the clock at which the stretch with the most work begins, and the run's length.
func (a *app) busiest(cmd *cobra.Command, spec *run.Spec, clocks uint64) (from, length uint64, err error) {
	s, err := a.load(cmd, spec, run.Plan{Runs: 1, Window: clocks, KeepSeries: true}, true)
	if err == nil {
		err = s.Begin()
	}
	if err != nil {
		return 0, 0, err
	}
	one, err := a.wholeRun(cmd.Context(), s)
	return uint64(figures.BusyWindow(one.Series)) * clocks, one.Clocks, err
}
