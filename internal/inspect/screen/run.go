package screen

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"emsim/internal/base/interrupt"
)

// Terminal is the view on a terminal.
type Terminal struct {
	In      io.Reader
	Out     io.Writer
	Options Options

	send func(tea.Msg) // sends a message to the view
	told time.Time     // when the view last received a motion's progress
}

// progressEvery is the interval at which the view shows the progress of a motion.
const progressEvery = 100 * time.Millisecond

// Run shows a debugger until the user leaves the view, which is not an error, or until ctx ends. It restores the
// terminal.
func (t *Terminal) Run(ctx context.Context, d Debugger) error {
	inner, stop := context.WithCancel(ctx)
	out := d.Output(io.Discard)
	m := New(inner, d, t.Options)
	defer func() {
		stop() // ends a motion that is still in progress
		m.busy.Lock()
		d.Output(out)
	}()
	program := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(t.In), tea.WithOutput(t.Out),
		tea.WithoutSignalHandler())
	t.send = program.Send
	_, err := program.Run()
	switch {
	case ctx.Err() != nil:
		return interrupt.Of(ctx, "in the full-screen view")
	case errors.Is(err, tea.ErrProgramPanic):
		return errors.New("the full-screen view failed: the lines above say where")
	}
	return err
}

// Progress reports to the view how far a motion has come.
func (t *Terminal) Progress(clock uint64, busy func() int) {
	if time.Since(t.told) >= progressEvery {
		t.told = time.Now()
		t.send(progressed{clock, busy()})
	}
}
