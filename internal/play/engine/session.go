package engine

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
	"emsim/internal/inspect/debug"
	"emsim/internal/machine/run"
)

// Session is a program on a machine under a user's control. The zero value has
// no program yet. It is not safe for concurrent use.
type Session struct {
	setup    Setup
	d        *debug.Debugger // nil before a program is assembled
	start    uint64          // clock of the machine at the beginning of the run
	furthest uint64          // clock that was reached
	marks    marks           // on the time line
	out      bytes.Buffer    // what the debugger says

	// Yield, unless nil, is called now and then during long work, which its context
	// may then end. It may ask for a Frame.
	Yield func()
	// MemoryLimit is how many bytes the session's process may use; 0: a usual number.
	MemoryLimit uint64
}

// history keeps a step back below 50 ms in a browser, on machines up to the size of
// the prototype. On larger ones more snapshots would slow down the run [chosen].
func history(pes int) debug.History {
	return debug.History{Every: uint64(max(160, 20480/pes)), Shots: 1024, Bytes: 192 << 20, Near: uint64(max(32, 5120/pes)), Plain: true}
}

// Open assembles a program and begins its run. What is wrong with the program is in
// the answer; the session then has no machine.
func (s *Session) Open(ctx context.Context, setup Setup) *Opened {
	s.setup, s.d, s.marks = setup, nil, marks{}
	s.out.Reset()
	g := s.guard(ctx)
	b, o, err := s.setup.build(g)
	x := s.setup.answer(o, g.explain(err))
	if err != nil {
		return x
	}
	s.d = debug.NewWith(b, &s.out, history(b.Config().PEs))
	s.start = b.Current.StartClock()
	s.furthest = s.start
	x.Network, x.Frame = s.network(), s.Frame()
	return x
}

// batch is the run in progress.
func (s *Session) batch() *run.Batch { return s.d.Batch() }

// Moved is the answer to commands of the debugger.
type Moved struct {
	Text    string       `json:"text"`              // what they print
	Error   string       `json:"error,omitempty"`   // of a wrong command
	Stopped string       `json:"stopped,omitempty"` // the motion was ended on the way: why
	Hits    []string     `json:"hits"`              // of the stops that ended it
	Stops   []debug.Stop `json:"stops"`
	Marks   []Mark       `json:"marks"` // of the whole run so far
	Frame   *Frame       `json:"frame"`
}

// Do executes commands of the debugger, as at the prompt of 'emsim debug'.
func (s *Session) Do(ctx context.Context, line string) (*Moved, error) {
	if s.d == nil {
		return nil, simerr.Usagef("no program is assembled")
	}
	g := s.guard(ctx)
	before := s.d.Batch().Clock()
	err := s.d.Do(g, line)
	x := &Moved{Text: s.out.String(), Hits: []string{}, Stops: s.d.Stops(), Frame: s.Frame()}
	s.out.Reset()
	var user *interrupt.Error
	switch {
	case errors.As(err, &user):
		x.Stopped = g.explain(err).Error()
	case err != nil:
		x.Error = err.Error()
	case s.d.Quit():
		x.Text = "the console belongs to the page: close its tab to leave\n"
	}
	if s.d.Batch().Clock() != before {
		x.Hits = s.d.Hits()
		s.mark(g, x)
	}
	x.Marks = append([]Mark{}, s.marks.list...)
	return x, nil
}

// Complete lists the completions of a line of the console.
func (s *Session) Complete(line string) []string {
	if s.d == nil {
		return []string{}
	}
	return append([]string{}, s.d.Complete(strings.TrimLeft(line, " "))...)
}

// Hash returns the hash of the machine's state.
func (s *Session) Hash() (uint64, error) {
	if s.d == nil {
		return 0, simerr.Usagef("no program is assembled")
	}
	h, _ := s.batch().Hash(nil)
	return h, nil
}
