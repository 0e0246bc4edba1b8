package command

import (
	"context"
	"io"
	"os"

	"emsim/internal/inspect/debug"
	"emsim/internal/inspect/screen"
	"emsim/internal/machine/run"
)

// newView returns the debugger's full-screen view on the terminal.
func (a *app) newView() *screen.Terminal {
	return &screen.Terminal{In: terminal(a.in), Out: terminal(a.out), Options: screen.Options{Plain: os.Getenv("NO_COLOR") != "", Part: a.signals.Part}}
}

// debugScreen shows the full-screen view until the user leaves it.
func (a *app) debugScreen(ctx context.Context, s *run.Batch) error {
	a.signals.Parts()
	view := a.newView()
	s.Progress = view.Progress
	return view.Run(ctx, debug.New(s, io.Discard))
}
