package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
	"emsim/internal/inspect/debug"
	"emsim/internal/machine/run"
)

// Session is a program on a machine under a user's control. The zero value has no program. It is not safe for
// concurrent use.
type Session struct {
	setup    Setup
	d        *debug.Debugger // nil before a program is assembled
	start    uint64          // clock of the machine at which the run began
	furthest uint64          // the furthest clock of the run that was reached
	length   uint64          // clocks of the run up to its result; 0 until its end is found
	marks    marks           // on the timeline
	ahead    *ahead          // the whole run in advance; nil until it is requested
	pair     *pair           // the pair to which the session belongs, or nil
	out      bytes.Buffer    // the debugger's output
	usual    usual           // the parameters of the program

	// Yield, unless nil, is called regularly during long work. It may end the work's context, and it may call Frame.
	Yield func()
	// MemoryLimit is the number of bytes that the session's process may use; 0 means the default.
	MemoryLimit uint64
}

// history returns limits with which a step back takes less than 50 ms in a browser, up to the size of the prototype. On
// larger machines more snapshots would slow down the run [chosen].
func history(pes int) debug.History {
	return debug.History{
		Every: uint64(max(160, 20480/pes)), Shots: 1024, Bytes: 192 << 20,
		Near: uint64(max(32, 5120/pes)), Plain: true,
	}
}

// Open assembles a program and begins its run. The answer lists the errors of the program; with errors, the session has
// no machine.
func (s *Session) Open(ctx context.Context, setup Setup) *Opened {
	s.setup, s.d, s.marks, s.ahead = setup, nil, marks{}, nil
	if s.pair != nil {
		s.pair.from, s.pair.parting = [2]*run.Batch{}, Parting{PE: -1}
	}
	s.out.Reset()
	g := s.guard(ctx)
	b, o, err := s.setup.build(g)
	x := s.setup.answer(o, g.explain(err))
	x.Form = s.form(x.Params)
	if err != nil {
		return x
	}
	s.d = debug.NewWith(b, &s.out, history(b.Config().PEs))
	s.d.Text = s.setup.fileText
	s.start = b.Current.StartClock()
	s.furthest, s.length = 0, 0
	x.Network, x.Frame = s.network(), s.Frame()
	return x
}

// batch returns the run in progress.
func (s *Session) batch() *run.Batch { return s.d.Batch() }

// Moved is the answer to commands for the debugger.
type Moved struct {
	Text    string       `json:"text"`              // the commands' output
	Error   string       `json:"error,omitempty"`   // of a wrong command
	Stopped string       `json:"stopped,omitempty"` // why the motion ended early
	Hits    []string     `json:"hits"`              // the hits of the stops that ended the motion
	Stops   []debug.Stop `json:"stops"`
	Marks   []Mark       `json:"marks"` // of the whole run so far
	Frame   *Frame       `json:"frame"`
}

// Do executes commands for the debugger, as at the prompt of 'emsim debug', but with clocks of the run.
func (s *Session) Do(ctx context.Context, line string) (*Moved, error) {
	if s.d == nil {
		return nil, simerr.Usagef("no program is assembled")
	}
	g := s.guard(ctx)
	before := s.d.Batch().Clock()
	err := s.d.Do(g, ofRun(line))
	x := &Moved{Text: s.inRun(s.out.String()), Hits: []string{}, Stops: s.d.Stops(), Frame: s.Frame()}
	s.out.Reset()
	var user *interrupt.Error
	switch {
	case errors.As(err, &user):
		x.Stopped = s.inRun(g.explain(err).Error())
	case err != nil:
		x.Error = s.inRun(err.Error())
	case s.d.Quit():
		x.Text = "the console belongs to the page: close its tab to leave\n"
	}
	if s.d.Batch().Clock() != before {
		x.Hits = lists.Of(s.d.Hits(), s.inRun)
		for _, hit := range x.Hits { // the clock at which it becomes visible, as on the page
			x.Text = strings.Replace(x.Text, fmt.Sprintf("clock %d: %s\n", s.clock()-1, hit),
				fmt.Sprintf("clock %d: %s\n", s.clock(), hit), 1)
		}
		s.markMotion(g, x)
	}
	x.Marks = append([]Mark{}, s.marks.list...)
	return x, nil
}

// Completion completes a line of the console.
type Completion struct {
	Line  string `json:"line"`            // as far as it is certain
	Words string `json:"words,omitempty"` // the words that can follow, if the line cannot be extended
}

// mostWordsToCome is the largest number of words in a Completion [chosen].
const mostWordsToCome = 60

// Complete completes a line of the console.
func (s *Session) Complete(line string) *Completion {
	x := &Completion{Line: line}
	if s.d == nil {
		return x
	}
	list := s.d.Complete(strings.TrimLeft(line, " "))
	if len(list) == 0 {
		return x
	}
	common := list[0]
	for _, one := range list {
		for !strings.HasPrefix(one, common) {
			common = common[:len(common)-1]
		}
	}
	switch {
	case len(list) == 1:
		x.Line = common + " "
	case len(common) > len(line):
		x.Line = common
	default:
		some := list[:min(len(list), mostWordsToCome)]
		x.Words = strings.Join(lists.Of(some, func(w string) string { return w[strings.LastIndex(w, " ")+1:] }), "  ")
		if len(some) < len(list) {
			x.Words += "  …"
		}
	}
	return x
}

// Hash returns the hash of the machine's state.
func (s *Session) Hash() (uint64, error) {
	if s.d == nil {
		return 0, simerr.Usagef("no program is assembled")
	}
	h, _ := s.batch().Hash(nil)
	return h, nil
}

// Mark is a clock of the run that is worth visiting.
type Mark struct {
	Clock uint64 `json:"clock"` // the clock at which the event becomes visible
	Kind  string `json:"kind"`  // spill, fault, stop, or own for a mark of the user
	Text  string `json:"text,omitempty"`
}

// mostStops is the largest number of marks at stops; the latest are kept.
const mostStops = 40

// marks holds the marks that a session makes itself.
type marks struct {
	first, last bool // the first and the last spill of the run are known
	stops       int  // stops found so far
	list        []Mark
}

func (m *marks) addMark(clock uint64, kind, text string) {
	text, _, _ = strings.Cut(text, "\n")
	x := Mark{clock, kind, text}
	if slices.Contains(m.list, x) {
		return
	}
	if kind == "stop" {
		if m.stops++; m.stops > mostStops {
			i := slices.IndexFunc(m.list, func(x Mark) bool { return x.Kind == kind })
			m.list = slices.Delete(m.list, i, i+1)
		}
	}
	m.list = append(m.list, x)
}

// markMotion adds marks for the result of a motion: a stop, the first spill and, at the end of the run, the last spill
// and the fault. If ctx ends a search, it is repeated after the next motion.
func (s *Session) markMotion(ctx context.Context, x *Moved) {
	f, m := x.Frame, &s.marks
	for _, text := range x.Hits {
		m.addMark(f.Clock, "stop", text)
	}
	if f.Failure != "" {
		m.addMark(f.Clock, "fault", f.Failure)
	}
	all := uint64(0)
	for _, n := range f.Spilled {
		all += n
	}
	spill := func(known *bool, n uint64, name string) {
		if *known || n == 0 {
			return
		}
		if clock, err := s.d.SpillClock(ctx, n); err == nil {
			*known = true
			m.addMark(clock+1-s.start, "spill", name+" spill")
		}
	}
	spill(&m.first, min(all, 1), "first")
	if f.Ended {
		spill(&m.last, all, "last")
	}
}
