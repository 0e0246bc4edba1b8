package instrument

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/simerr"
)

// DebugHelp lists the debugger's commands, whose first letters are enough.
const DebugHelp = `  step [N], back [N]   N events on or back
  goto TIME            to after all that happened until then, forward or back
  until STOP           on to the next event that STOP says
  break [STOP]         stop there, too, from now on; alone: stop nowhere any more
  continue             on to the next event at which to stop, or to the end
  where [WORKER]       what all workers hold and do; with one, what it believes of others
  ask QUESTION [ARG]   a question, as 'ask' of the command line answers it
  help, quit
STOP is 'move', 'move ITEM', 'worker N [TEXT]' or a TEXT that stands in the event.
`

// A Debugger moves through a recorded run in both directions, by the words of the EM-4's.
type Debugger struct {
	*Run
	all   []Event
	at    int // events that have happened
	stops []string
	last  string // what an empty line repeats
	quit  bool
	out   io.Writer
	show  func(w io.Writer, x *Answer)
}

// NewDebugger is a debugger at the beginning of a run; show writes answers.
func NewDebugger(r *Run, out io.Writer, show func(w io.Writer, x *Answer)) *Debugger {
	return &Debugger{Run: r, all: r.Events(), out: out, show: show}
}

// Welcome says what is looked at.
func (d *Debugger) Welcome() {
	fmt.Fprintf(d.out, "%s\n%d events until %s. 'help' lists the commands.\n", d.Title, len(d.all), d.Length(d.End))
}

// Prompt is the time.
func (d *Debugger) Prompt() string { return fmt.Sprintf("(%v) ", d.Time(d.now())) }

// Quit reports whether the user wants to leave.
func (d *Debugger) Quit() bool { return d.quit }

// Failed is why the run failed.
func (d *Debugger) Failed() error { return d.Err }

// Complete lists the commands that a line begins.
func (d *Debugger) Complete(line string) []string {
	return lists.Where(strings.Fields("step back goto until break continue where ask help quit"), func(c string) bool {
		return strings.HasPrefix(c, line) && (c != "back" || line != "b") // b is break, as in other debuggers
	})
}

func (d *Debugger) now() int64 {
	if d.at == 0 {
		return 0
	}
	return d.all[d.at-1].At
}

// Do executes commands separated by ; up to the first that fails. An empty line repeats
// the last one; # begins a comment.
func (d *Debugger) Do(_ context.Context, line string) error {
	if line = strings.TrimSpace(line); line == "" {
		line = d.last
	}
	d.last, _, _ = strings.Cut(line, "#")
	for part := range strings.SplitSeq(d.last, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		names := d.Complete(words[0])
		if len(names) != 1 {
			return simerr.Usagef("there is no command %q; 'help' lists them", words[0])
		}
		if err := d.do(names[0], strings.Join(words[1:], " ")); err != nil {
			return err
		}
	}
	return nil
}

func (d *Debugger) do(name, what string) error {
	switch name {
	case "step", "back":
		n, err := strconv.Atoi(cmp.Or(what, "1"))
		if err != nil || n < 1 {
			return simerr.Usagef("%q is no number of events: expected 1 or more", what)
		}
		if name == "back" {
			n = -n
		}
		d.arrive(max(0, min(d.at+n, len(d.all))))
	case "goto":
		t, err := d.ParseTime(what)
		if err != nil {
			return err
		}
		d.arrive(len(lists.Where(d.all, func(e Event) bool { return e.At <= t })))
	case "until":
		d.next(what)
	case "continue":
		d.next(d.stops...)
	case "break":
		if d.stops = append(d.stops, what); what == "" {
			d.stops = nil
		}
	case "where":
		x := answer(d.Worker, d.Items, "does")
		for w := range d.Workers {
			doing := "wait"
			for _, s := range d.spans[w] {
				if s.From <= d.now() && d.now() < s.To {
					doing = fmt.Sprintf("%s until %v", s.Doing, d.Time(s.To))
				}
			}
			x.row(w, int(valueAt(d.load[w], d.now())), doing)
		}
		x.say("%s, %d of %d events", d.Length(d.now()), d.at, len(d.all))
		if d.show(d.out, x); what != "" {
			return d.ask("truth", what, fmt.Sprint(d.Time(d.now())))
		}
	case "ask":
		return d.ask(strings.Fields(what)...)
	case "help":
		fmt.Fprint(d.out, DebugHelp)
	default:
		d.quit = true
	}
	return nil
}

func (d *Debugger) ask(words ...string) error {
	x, err := d.Ask(words...)
	if err == nil {
		d.show(d.out, x)
	}
	return err
}

// arrive goes to after an event, and shows it.
func (d *Debugger) arrive(at int) {
	if d.at = at; at > 0 {
		e := d.all[at-1]
		fmt.Fprintf(d.out, "%s: %s %s\n", d.Length(e.At), d.Name(e.Worker), e.Text)
	}
}

// next goes on to the next event of a stop, or to the end.
func (d *Debugger) next(stops ...string) {
	for i := d.at; i < len(d.all); i++ {
		e := &d.all[i]
		if slices.ContainsFunc(stops, func(stop string) bool {
			kind, what, _ := strings.Cut(stop, " ")
			n, text, _ := strings.Cut(what, " ")
			item, err := strconv.Atoi(n)
			switch kind {
			case "move":
				return e.Move != nil && e.Move.Moved() && (n == "" || err == nil && e.Move.Has(e.Move.Kind, item))
			case "worker":
				return err == nil && item == e.Worker && strings.Contains(e.Text, text)
			}
			return strings.Contains(e.Text, stop)
		}) {
			d.arrive(i + 1)
			return
		}
	}
	fmt.Fprintln(d.out, "the run is over")
	d.arrive(len(d.all))
}
