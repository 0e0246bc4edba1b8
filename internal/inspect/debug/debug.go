package debug

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"emsim/internal/base/simerr"
	"emsim/internal/inspect/portrait"
	"emsim/internal/machine/run"
	"emsim/trace"
)

// Debugger is a run in progress under a user's control.
type Debugger struct {
	s   *run.Batch
	out io.Writer
	pe  int // number of the PE for commands that name none

	hist   history
	series series
	stops  []*stop
	count  int             // number of the last stop that was added
	rec    *trace.Recorder // records events while a stop needs them
	armed  []*stop         // the stops of the current motion
	hits   []hit           // in the last clock that was stepped
	fail   error           // why the run failed, or nil
	tree   *family
	names  trace.Info
	last   string // the command that an empty line repeats, or ""
	quit   bool
	texts  map[string][]string // lines of the source files read so far, by file
	sites  map[uint32]*site    // by code address, as far as they have been looked up
	chosen portrait.Segment    // the instance that the last step by line chose

	// Text returns the text of a source file. If Text is nil, the file is read from the path in the program.
	Text func(file string) (string, bool)

	// Screen shows the full-screen view until the user leaves it. It is nil without a terminal.
	Screen func(ctx context.Context) error
}

// New returns a debugger for a session with a run in progress. The debugger writes its answers to out.
func New(s *run.Batch, out io.Writer) *Debugger {
	return NewWith(s, out, History{Every: firstEvery, Shots: mostShots, Bytes: mostBytes, Near: nearClocks})
}

// NewWith works like New, with other limits for the history.
func NewWith(s *run.Batch, out io.Writer, h History) *Debugger {
	d := &Debugger{
		s: s, out: out, names: s.TraceInfo("", nil, 0), texts: map[string][]string{}, sites: map[uint32]*site{},
	}
	d.hist.begin(s, h)
	d.series.begin(d)
	return d
}

// Batch returns the current session. A motion that goes back replaces it.
func (d *Debugger) Batch() *run.Batch { return d.s }

// errorf returns a usage error: what is wrong with a command, and what was expected.
func errorf(format string, args ...any) error { return simerr.Usagef(format, args...) }

// Do executes a command, or several separated by semicolons up to the first that fails. An empty line repeats the last
// command that moved the machine; # begins a comment. A *simerr.Usage reports a wrong command; an *interrupt.Error says
// that ctx ended a motion, which can continue.
func (d *Debugger) Do(ctx context.Context, line string) error {
	if strings.TrimSpace(line) == "" {
		line = d.last
	}
	line, _, _ = strings.Cut(line, "#")
	d.last, d.quit = "", false
	for part := range strings.SplitSeq(line, ";") {
		if err := d.execute(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// execute executes one command; an empty one does nothing.
func (d *Debugger) execute(ctx context.Context, line string) error {
	words := split(line)
	if len(words) == 0 {
		return nil
	}
	c, err := findCommand(words[0])
	if err != nil {
		return err
	}
	err = c.perform(ctx, d, words[1:])
	var wrong *simerr.Usage
	if c.repeats && !errors.As(err, &wrong) {
		d.last = line
	}
	return err
}

// Instruction returns the instruction at a code address, or "".
func (d *Debugger) Instruction(addr uint32) string { return d.names.Instr(addr) }

// Chosen returns the PE that commands without a PE act on.
func (d *Debugger) Chosen() int { return d.pe }

// Choose sets the PE that commands without a PE act on.
func (d *Debugger) Choose(pe int) { d.pe = pe }

// Quit reports whether the last line asked to leave.
func (d *Debugger) Quit() bool { return d.quit }

// Failed returns the error that ended the run, or nil while it runs or if it
// succeeded.
func (d *Debugger) Failed() error { return d.fail }

// Prompt returns the prompt: the clock and the PE.
func (d *Debugger) Prompt() string { return fmt.Sprintf("(%d %v) ", d.clock(), d.address(d.pe)) }

// Welcome prints the program, the machine and how to begin.
func (d *Debugger) Welcome() {
	d.program(call{})
	d.printf("The run began at clock %d. 'help' lists the commands, 'help COMMAND' explains one.\n",
		d.s.Current.StartClock())
}

func (d *Debugger) printf(format string, args ...any) { fmt.Fprintf(d.out, format, args...) }

// clock returns the number of clocks that the machine has completed.
func (d *Debugger) clock() uint64 { return d.s.Clock() }
