package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"emsim/em4"
	"emsim/internal/base/plural"
	"emsim/internal/draw/figures"
	"emsim/internal/machine/run"
	"emsim/omega"
)

// The sizes of plot speedup. The smallest is the machine of figure 1 of paper 003. Without --pes, the largest is the
// machine that the prototype was a step towards [003 §5].
const (
	speedupFrom = 12
	speedupTo   = 1024
)

// speedupFigure draws a program's time over the sizes of the machine.
func speedupFigure(a *app, cmd *cobra.Command, f *plotFlags, args []string) (x figures.Figure, err error) {
	if err := sized("speedup", f.size, figures.SpeedupLeast); err != nil {
		return x, err
	}
	if err := onlyWith(cmd, []string{"resume", "sample"}, "has no effect on speedup, which runs a program from its "+
		"beginning on machines of every size"); err != nil {
		return x, err
	}
	if len(args) == 0 {
		return x, usagef("which program? For example: emsim plot speedup fib 20 -o %s", f.file)
	}
	if len(f.vs) > maxVs {
		return x, usagef("%d times --vs: at most %d settings fit next to the first", len(f.vs), maxVs)
	}
	sizes, err := f.speedupSizes(cmd)
	if err != nil {
		return x, err
	}
	base, err := f.runSpec(cmd, args)
	if err != nil {
		return x, err
	}
	base.PEs = &sizes[0]
	first, err := base.Load(cmd.Context())
	if err != nil {
		return x, err
	}
	specs, names := []run.Spec{*base}, []string(nil)
	for _, text := range f.vs {
		v, err := vsSpec(base, first, text, &names)
		if err == nil && v.PEs != base.PEs {
			err = usagef("--vs %q: the sizes are what speedup draws: leave pes out", text)
		}
		if err != nil {
			return x, err
		}
		specs = append(specs, v)
	}
	settings := make([]figures.Speedup, len(specs))
	for i := range specs {
		if settings[i], err = a.speedup(cmd, specs[i], sizes, names); err != nil {
			if i > 0 {
				err = ofSeveral(err, "--vs %q", f.vs[i-1])
			}
			return x, err
		}
	}
	return figures.SpeedupFigure(first.Call(), settings, f.size), nil
}

// speedupSizes returns the sizes of the machines, up to --pes.
func (f *plotFlags) speedupSizes(cmd *cobra.Command) (sizes []int, err error) {
	most := speedupTo
	if cmd.Flags().Changed("pes") {
		most = f.pes
		if _, err := omega.ForPEs(most); err != nil {
			return nil, usagef("--pes: %w", err)
		}
	}
	for k := omega.MinK; k <= omega.MaxK; k++ {
		if n := (k + 1) << k; n >= speedupFrom && n <= most {
			sizes = append(sizes, n)
		}
	}
	if len(sizes) < 2 {
		return nil, usagef("--pes is %d: it is the largest machine that speedup draws, and %d PEs the smallest, so it "+
			"must be 32 or more", most, speedupFrom)
	}
	return sizes, nil
}

// speedup runs a program on machines of several sizes.
func (a *app) speedup(cmd *cobra.Command, spec run.Spec, sizes []int, names []string) (x figures.Speedup, err error) {
	x.PEs = sizes
	for i := range sizes {
		spec.PEs = &sizes[i]
		s, err := a.beginRun(cmd, &spec)
		if err != nil {
			return x, err
		}
		one, err := a.wholeRun(cmd.Context(), s)
		if err != nil {
			return x, ofSeveral(err, "on %d PEs", sizes[i])
		}
		x.Name, x.Clocks = namedRun(s.Target, names), append(x.Clocks, max(1, int64(one.Clocks)))
	}
	if len(names) == 0 {
		x.Name = ""
	}
	return x, nil
}

// wholeRun does the rest of a run that has begun.
func (a *app) wholeRun(ctx context.Context, s *run.Batch) (run.OneRun, error) {
	line := a.newPart(fmt.Sprintf("%s on %s", s.Call(), plural.Of(s.Config().PEs, "PE")), 0)
	defer line.end()
	s.Progress = func(clock uint64, busy func() int) {
		line.clocks(clock, func() string { return plural.Of(busy(), "busy PE") })
	}
	err := s.Advance(ctx, em4.ToEnd)
	one, _ := s.EndRun(err)
	return one, err
}
