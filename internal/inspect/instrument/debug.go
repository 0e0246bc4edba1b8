package instrument

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"sort"
	"strconv"
	"strings"

	"emsim/internal/base/lists"
	"emsim/internal/base/moves"
	"emsim/internal/base/simerr"
)

// DebugHelp lists the debugger's commands, which can be shortened to any unambiguous prefix.
const DebugHelp = `  step [N], back [N]   N events forward or back
  clock [TIME]         TIME (without it 1) forward, or with - back
  goto TIME            to the state after all events up to TIME, forward or back
  until TIME | STOP    forward to TIME, or to the next event at which STOP applies
  break STOP           from now on also stop there, in all of these except goto and back
  stops, delete [N]    list these stops; delete one, or all
  continue             forward to the next stop, or to the end
  where [WORKER]       what all workers hold and do; with WORKER, what it believes about others,
                       and the screen shows that worker
  follow ITEM          an item's path so far
  ask QUESTION [ARG]   answer a question, like 'ask' on the command line
  screen               fill the terminal, as --tui does; a stop shows its worker there
  help, quit
STOP is 'move', 'move ITEM', 'worker N [TEXT]', 'load N' (it changes), 'load N >= X' (that
becomes true; also > <= < == !=), or a TEXT that the event contains.
`

// A Debugger moves through a recorded run in both directions, with the commands of the EM-4's debugger.
type Debugger struct {
	*Run
	all      []Event
	at       int   // number of events that have happened
	time     int64 // of the last of these events, or later
	one      int   // the worker that the screen shows
	greatest int   // the largest load in the run
	stops    []stop
	last     string // the command that an empty line repeats
	quit     bool
	out      io.Writer
	show     func(w io.Writer, x *Answer)

	// Screen runs the command screen; it is nil without a terminal.
	Screen func(ctx context.Context) error
}

// A stop ends a motion after certain events. hits reports whether event i is one of them.
type stop struct {
	text string
	hits func(i int) bool
}

// NewDebugger returns a debugger at the beginning of a run; show writes an answer to a question.
func NewDebugger(r *Run, out io.Writer, show func(w io.Writer, x *Answer)) *Debugger {
	d := &Debugger{Run: r, all: r.Events(), out: out, show: show}
	for _, s := range r.most {
		d.greatest = max(d.greatest, int(s.v))
	}
	return d
}

// Welcome prints the run's title, its number of events and its end.
func (d *Debugger) Welcome() {
	fmt.Fprintf(d.out, "%s\n%d events until %s. 'help' lists the commands.\n", d.Title, len(d.all), d.Length(d.End))
}

// Prompt returns the time.
func (d *Debugger) Prompt() string { return fmt.Sprintf("(%v) ", d.Time(d.time)) }

// Quit reports whether the user has asked to leave.
func (d *Debugger) Quit() bool { return d.quit }

// Failed returns the error that ended the run, or nil.
func (d *Debugger) Failed() error { return d.Err }

// Complete returns the commands that begin with a line.
func (d *Debugger) Complete(line string) []string {
	return lists.Where(strings.Fields("step back clock goto until break stops delete continue where follow ask "+
		"screen help quit"), func(c string) bool {
		return c == line || strings.HasPrefix(c, line) &&
			!slices.Contains(strings.Fields("b:back c:clock s:stops s:screen"), line+":"+c) // as in the EM-4's
	})
}

// Do executes commands separated by semicolons, up to the first that fails. An empty line repeats the last command if
// it was a motion; # begins a comment.
func (d *Debugger) Do(ctx context.Context, line string) error {
	if line = strings.TrimSpace(line); line == "" {
		line = d.last
	}
	line, _, _ = strings.Cut(line, "#")
	d.last = ""
	for part := range strings.SplitSeq(line, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		names := d.Complete(words[0])
		if len(names) != 1 {
			return simerr.Usagef("there is no command %q; 'help' lists them", words[0])
		}
		if err := d.do(ctx, names[0], strings.Join(words[1:], " ")); err != nil {
			return err
		}
	}
	return nil
}

func (d *Debugger) do(ctx context.Context, name, what string) error {
	d.last = ""
	switch name {
	case "break", "stops", "delete":
		return d.change(name, what)
	case "where", "follow", "ask", "help":
		return d.query(name, what)
	case "screen":
		if d.Screen == nil {
			return simerr.Usagef("screen needs the prompt on a terminal")
		}
		return d.Screen(ctx)
	case "quit":
		d.quit = true
		return nil
	}
	d.last = name + " " + what
	return d.move(name, what)
}

// move executes a motion: step, back, clock, goto, until or continue.
func (d *Debugger) move(name, what string) error {
	switch name {
	case "step", "back":
		n, err := strconv.Atoi(cmp.Or(what, "1"))
		if err != nil || n < 1 {
			return simerr.Usagef("%q is not a number of events: expected 1 or more", what)
		}
		if name == "back" {
			d.arrive(max(0, d.at-n))
			return nil
		}
		d.forward(min(d.at+n, len(d.all)))
	case "clock":
		length, back := strings.CutPrefix(cmp.Or(what, "1"), "-")
		t, err := d.ParseTime(length)
		if err != nil {
			return err
		}
		if back {
			d.goTo(max(0, d.time-t))
		} else {
			d.forwardTo(d.time + t)
		}
	case "goto":
		t, err := d.ParseTime(what)
		if err != nil {
			return err
		}
		d.goTo(t)
	case "until":
		if t, err := d.ParseTime(what); err == nil {
			if t <= d.time {
				return simerr.Usagef("%s is over: 'goto' goes back", d.Length(t))
			}
			d.forwardTo(t)
			return nil
		}
		s, err := d.parseStop(what)
		if err != nil {
			return err
		}
		d.onward(s)
	default:
		d.onward()
	}
	return nil
}

// change executes a command that sets, removes or lists stops.
func (d *Debugger) change(name, what string) error {
	switch name {
	case "break":
		s, err := d.parseStop(what)
		if err != nil {
			return err
		}
		d.stops = append(d.stops, s)
		fmt.Fprintf(d.out, "stop %d: %s\n", len(d.stops), s.text)
	case "stops":
		for i, s := range d.stops {
			fmt.Fprintf(d.out, "%3d  %s\n", i+1, s.text)
		}
	default:
		n, err := strconv.Atoi(cmp.Or(what, "0"))
		switch {
		case what == "":
			d.stops = nil
		case err != nil || n < 1 || n > len(d.stops):
			return simerr.Usagef("there is no stop %q: 'stops' lists them", what)
		default:
			d.stops = slices.Delete(d.stops, n-1, n)
		}
	}
	return nil
}

// query executes a command that only shows something.
func (d *Debugger) query(name, what string) error {
	switch name {
	case "follow":
		item, list, err := d.historyOf(what)
		if err != nil {
			return err
		}
		begun := func(t int64) bool { return t != moves.OnTheWay && t <= d.time }
		d.show(d.out, d.wayOf(item, lists.Where(list,
			func(m *moves.Move) bool { return begun(m.Left) || begun(m.Came) })))
	case "where":
		x := newAnswer(d.Worker, d.Items, "does")
		for w := range d.Workers {
			doing, _ := d.doing(w)
			x.Add(w, int(valueAt(d.load[w], d.time)), doing)
		}
		x.say("%s, %d of %d events", d.Length(d.time), d.at, len(d.all))
		if d.show(d.out, x); what != "" {
			w, err := parseNumber(what, d.Worker, d.Workers)
			if err == nil {
				d.one = w
				err = d.ask("truth", what, fmt.Sprint(d.Time(d.time)))
			}
			return err
		}
	case "ask":
		return d.ask(strings.Fields(what)...)
	default:
		fmt.Fprint(d.out, DebugHelp)
	}
	return nil
}

// doing returns what a worker does, and the use of that time; a waiting worker has the use "".
func (d *Debugger) doing(w int) (text string, use moves.Use) {
	text = "wait"
	for _, s := range d.spans[w] {
		if s.From <= d.time && d.time < s.To {
			text, use = fmt.Sprintf("%s until %v", s.Doing, d.Time(s.To)), s.Use
		}
	}
	return text, use
}

func (d *Debugger) ask(words ...string) error {
	x, err := d.AskToRead(words...)
	if err == nil {
		d.show(d.out, x)
	}
	return err
}

// arrive moves to the state after an event, and prints the event.
func (d *Debugger) arrive(at int) {
	if d.at, d.time = at, 0; at > 0 {
		e := d.all[at-1]
		d.time = e.At
		fmt.Fprintf(d.out, "%s: %s %s\n", d.Length(e.At), d.Name(e.Worker), e.Text)
	}
}

// until returns the number of events up to a time.
func (d *Debugger) until(t int64) int {
	return sort.Search(len(d.all), func(i int) bool { return d.all[i].At > t })
}

func (d *Debugger) goTo(t int64) {
	d.arrive(d.until(t))
	d.time = min(t, d.End)
}

// forward moves to the next event at which a stop applies, but not beyond the event with the number to. If a stop
// applies, it prints the event, shows that worker on the screen, and returns true.
func (d *Debugger) forward(to int, more ...stop) bool {
	for i := d.at; i < to; i++ {
		if slices.ContainsFunc(append(more, d.stops...), func(s stop) bool { return s.hits(i) }) {
			d.arrive(i + 1)
			d.one = d.all[i].Worker
			return true
		}
	}
	d.arrive(to)
	return false
}

// forwardTo moves to a time, or to an earlier stop.
func (d *Debugger) forwardTo(t int64) {
	if !d.forward(d.until(t)) {
		d.time = min(t, d.End)
	}
}

// onward moves to the next stop, or to the end of the run.
func (d *Debugger) onward(more ...stop) {
	if !d.forward(len(d.all), more...) {
		fmt.Fprintln(d.out, "the run is over")
		d.time = d.End
	}
}

// comparisons maps the operators of a stop's condition to functions.
var comparisons = map[string]func(a, b float64) bool{
	">=": func(a, b float64) bool { return a >= b }, ">": func(a, b float64) bool { return a > b },
	"<=": func(a, b float64) bool { return a <= b }, "<": func(a, b float64) bool { return a < b },
	"==": func(a, b float64) bool { return a == b }, "!=": func(a, b float64) bool { return a != b },
}

// parseStop parses the stop of a 'break' or 'until' command.
func (d *Debugger) parseStop(text string) (stop, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return stop{}, simerr.Usagef("which stop? 'help' lists what a stop can be")
	}
	what := append(words[1:], "")
	switch words[0] {
	case "move":
		item, _, err := d.historyOf(cmp.Or(what[0], "0"))
		return stop{text, func(i int) bool {
			m := d.all[i].Move
			return m != nil && m.Moved() && (len(words) == 1 || m.Has(m.Kind, item))
		}}, err
	case "worker":
		w, err := parseNumber(what[0], d.Worker, d.Workers)
		return stop{text, func(i int) bool {
			return d.all[i].Worker == w &&
				strings.Contains(d.all[i].Text, strings.TrimSpace(strings.Join(what[1:], " ")))
		}}, err
	case "load":
		w, err := parseNumber(what[0], d.Worker, d.Workers)
		if err != nil {
			return stop{}, err
		}
		loads := func(i int) (was, is float64) { // before and after all events of that time
			if i > 0 {
				was = valueAt(d.load[w], d.all[i-1].At)
			}
			return was, valueAt(d.load[w], d.all[i].At)
		}
		if len(words) == 2 {
			return stop{text, func(i int) bool { was, is := loads(i); return was != is }}, nil
		}
		x, err := strconv.ParseFloat(append(what, "", "")[2], 64)
		holds := comparisons[what[1]]
		if holds == nil || err != nil || len(words) > 4 {
			return stop{}, simerr.Usagef("%q is not a condition: expected one such as load %d >= 10", text, w)
		}
		return stop{text, func(i int) bool { was, is := loads(i); return holds(is, x) && !(i > 0 && holds(was, x)) }},
			nil
	}
	return stop{text, func(i int) bool { return strings.Contains(d.all[i].Text, text) }}, nil
}
