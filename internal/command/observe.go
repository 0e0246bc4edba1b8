package command

import (
	"context"

	"github.com/spf13/cobra"

	"emsim/internal/base/plural"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// begun returns a session whose run is in progress: at its start, or where the
// checkpoint of --resume left it.
func (f *targetFlags) begun(a *app, cmd *cobra.Command, args []string) (*run.Batch, error) {
	if f.resume != "" {
		return f.resumed(a, cmd)
	}
	spec, err := f.runSpec(cmd, args)
	if err != nil {
		return nil, err
	}
	return a.beginRun(cmd, spec)
}

// beginRun begins a run.
func (a *app) beginRun(cmd *cobra.Command, spec *run.Spec) (*run.Batch, error) {
	s, err := a.load(cmd, spec, run.Plan{Runs: 1, Window: 1}, true)
	if err != nil {
		return nil, err
	}
	return s, s.Begin()
}

// load puts program and machine together; boot runs the init blocks, too. Outputs must
// not replace a file that the program includes.
func (a *app) load(cmd *cobra.Command, spec *run.Spec, plan run.Plan, boot bool) (*run.Batch, error) {
	t, err := spec.Load(cmd.Context())
	if err == nil {
		err = spare(outputsOf(cmd), t.Sources)
	}
	if err == nil {
		a.made.runs(t, spec.Program, spec.Include)
	}
	if err == nil && boot {
		err = t.Boot(cmd.Context(), spec.MaxClocks)
	}
	if err != nil {
		return nil, err
	}
	plan.MaxClocks = spec.MaxClocks
	return run.New(t, plan), nil
}

// observe does a run with every event for the sink that open returns, and shows
// its progress.
func (a *app) observe(ctx context.Context, s *run.Batch, threads int, open func(from, end uint64) (trace.Sink, error)) (*run.Answer, error) {
	line := a.newProgress(-1)
	defer line.erase()
	s.Progress = func(clock uint64, busy int) {
		line.update(clock, func() string { return plural.Of(busy, "busy PE") })
	}
	return s.Observe(ctx, threads, open)
}
