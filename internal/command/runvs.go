package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"emsim/internal/base/answer"
	"emsim/internal/machine/run"
)

// runVs does the runs of a command line and of every --vs, and prints them side by side. It checks all of them before
// the first one begins.
func (a *app) runVs(cmd *cobra.Command, f *runFlags, args []string) error {
	if err := fewRuns(len(f.beside)); err != nil {
		return err
	}
	first, err := a.newRuns(cmd, f, args)
	if err != nil {
		return err
	}
	specs := []*run.Spec{first.spec}
	for _, text := range f.beside {
		spec, err := vsSpec(first.spec, first.Target, text, new([]string))
		if err != nil {
			return err
		}
		if _, err := spec.Load(cmd.Context()); err != nil {
			return fmt.Errorf("--vs %q: %w", text, err)
		}
		specs = append(specs, &spec)
	}
	ctx := cmd.Context()
	var said []*answer.Answer
	for i, spec := range specs {
		r := first
		if first = nil; i > 0 { // release each machine after its runs
			r, err = a.runsOf(cmd, f, spec)
		}
		if err == nil {
			err = r.all(ctx)
		}
		if err != nil && i > 0 {
			err = fmt.Errorf("--vs %q: %w", f.beside[i-1], err)
		}
		if err != nil || ctx.Err() != nil {
			break
		}
		said = append(said, r.described(r.Best).Said())
	}
	return a.emitNext(ctx, err, said, f.beside)
}
