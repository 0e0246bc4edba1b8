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
	count  int             // stops made so far
	rec    *trace.Recorder // watches the machine while a stop needs events
	armed  []*stop         // that see the current events
	hits   []hit           // in the clock that was stepped last
	fail   error           // why the run failed, or nil
	tree   *family
	names  trace.Info
	last   string // the last command that an empty line repeats
	quit   bool
	texts  map[string][]string // lines of the source files read so far
	sites  map[uint32]*site    // of code addresses asked for so far
	chosen portrait.Segment    // the instance that was stepped last

	// Text returns the text of a source file; nil: it is read where the program says.
	Text func(file string) (string, bool)

	// Screen shows the full-screen view until the user leaves it; nil if there is
	// no terminal for it.
	Screen func(ctx context.Context) error
}

// New returns a debugger for a session with a run in progress; what it shows
// goes to out.
func New(s *run.Batch, out io.Writer) *Debugger {
	return NewWith(s, out, History{Every: firstEvery, Shots: mostShots, Bytes: mostBytes, Near: nearClocks})
}

// NewWith works as New with other bounds of the history.
func NewWith(s *run.Batch, out io.Writer, h History) *Debugger {
	d := &Debugger{s: s, out: out, names: s.TraceInfo("", nil, 0)}
	d.hist.begin(s, h)
	d.series.begin(d)
	return d
}

// Batch returns the current session. A motion that goes back replaces
// it.
func (d *Debugger) Batch() *run.Batch { return d.s }

// errorf reports a command that cannot be executed: what is wrong, and what was
// expected.
func errorf(format string, args ...any) error { return simerr.Usagef(format, args...) }

// Do executes one command, or several separated by ; up to the first that
// fails. An empty line repeats the last command that moved the machine; #
// begins a comment. A *simerr.Usage is a wrong command; an *interrupt.Error says
// that ctx ended a motion, which can continue.
func (d *Debugger) Do(ctx context.Context, line string) error {
	if strings.TrimSpace(line) == "" {
		line = d.last
	}
	line, _, _ = strings.Cut(line, "#")
	d.last = ""
	for part := range strings.SplitSeq(line, ";") {
		if err := d.execute(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

// execute executes one command.
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

// Quit reports whether the user wants to leave.
func (d *Debugger) Quit() bool { return d.quit }

// Failed returns the error that ended the run, or nil while it runs or if it
// succeeded.
func (d *Debugger) Failed() error { return d.fail }

// Prompt returns the prompt: the clock and the PE.
func (d *Debugger) Prompt() string { return fmt.Sprintf("(%d %v) ", d.clock(), d.address(d.pe)) }

// Welcome says what runs, and how to begin.
func (d *Debugger) Welcome() {
	d.program(call{})
	d.printf("The run began at clock %d. 'help' lists the commands, 'help COMMAND' explains one.\n",
		d.s.Current.StartClock())
}

func (d *Debugger) printf(format string, args ...any) { fmt.Fprintf(d.out, format, args...) }

// clock returns the number of clocks that the machine has done.
func (d *Debugger) clock() uint64 { return d.s.Clock() }
