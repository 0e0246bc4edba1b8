package instrument

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"emsim/internal/base/moves"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/debug"
)

// cells maps the uses of a worker's time to letters; "" is waiting.
var cells = map[moves.Use]debug.Cell{
	moves.Work: {Letter: 'W', Colour: "32"}, moves.Exchange: {Letter: 'E', Colour: "36"},
	moves.Balance: {Letter: 'B', Colour: "33"}, "": {Letter: '.', Colour: "2"},
}

// Output redirects the debugger's output to w, and returns the previous writer.
func (d *Debugger) Output(w io.Writer) (before io.Writer) {
	before, d.out = d.out, w
	return before
}

// Choose sets the worker that the screen shows.
func (d *Debugger) Choose(worker int) { d.one = worker }

// View returns the contents of the full-screen view.
func (d *Debugger) View() *debug.View {
	l := &debug.View{
		Words: &debug.Words{
			Worker: "worker", Groups: "tens",
			Keys: map[string]string{
				"s": "step one event", "S": "step 10 events", "b": "go back one event", "B": "go back 10 events",
				"up": "the worker ten before or after", "v": "machine: activity, load",
				"a": "events of all, or of the chosen worker",
			},
			Help: []string{"The machine's pane has a letter for each worker, tens by units; > marks the chosen one."},
		},
		Program: d.Title, Clock: d.Length(d.time), Ended: d.at == len(d.all) && d.time == d.End, Chosen: d.one,
		Members: min(10, d.Workers),
	}
	most := max(9, d.greatest)
	l.Levels = []debug.Level{
		{Name: "activity", Doc: "W work  E exchange  B balance  . wait"},
		{Name: "load", Doc: fmt.Sprintf("ninths of %d %s; . none", most, d.Items)},
	}
	for w := range d.Workers {
		_, use := d.doing(w)
		l.Levels[0].Cells = append(l.Levels[0].Cells, cells[use])
		l.Levels[1].Cells = append(l.Levels[1].Cells, debug.Amount((9*int(valueAt(d.load[w], d.time))+most-1)/most, 10))
	}
	count := fmt.Sprintf(", %d of %d", d.at, len(d.all))
	l.Texts[0] = d.around("events"+count, func(Event) bool { return true })
	l.Texts[1] = d.around("events of "+d.Name(d.one)+count, func(e Event) bool { return e.Worker == d.one })
	l.Unit, l.Items = d.unit(l.Texts[1]), d.held()
	return l
}

// unit describes the chosen worker: what it does, its last event in full, and its beliefs about others.
func (d *Debugger) unit(events debug.Listing) debug.Listing {
	doing, _ := d.doing(d.one)
	for _, g := range d.waits(d.one) {
		if g.next != nil && g.from <= d.time && d.time < g.to {
			if doing = fmt.Sprintf("wait until %v", d.Time(g.to)); g.next.Peer != moves.Outside {
				doing += ", for the message from " + d.Name(g.next.Peer)
			}
		}
	}
	width := len(d.Name(d.Workers - 1))
	lines := []string{
		fmt.Sprintf("%-*s  %s", width, "does", doing),
		fmt.Sprintf("%-*s  %s", width, "has", d.Count(int(valueAt(d.load[d.one], d.time)))),
	}
	if events.Current >= 0 {
		lines = append(lines, fmt.Sprintf("%-*s  %s", width, "last", events.Lines[events.Current]))
	}
	for _, x := range d.beliefs(d.one, d.time) {
		lines = append(lines, fmt.Sprintf("%-*s  believed: %.6g %s (at %v), true: %.6g", width, d.Name(x.Worker),
			x.Load, d.Measure, d.Time(x.At), valueAt(d.truth[x.Worker], d.time)))
	}
	return debug.Listing{Title: d.Name(d.one), Lines: lines}
}

// held lists the items of the chosen worker, and the items on the way from and to it.
func (d *Debugger) held() debug.Listing {
	has, way := map[int]int{}, []string(nil)
	add := func(m *moves.Move, worker int, at int64, by int) {
		if worker == d.one && m.Kind == d.Kind && at != moves.OnTheWay && at <= d.time {
			for i := range m.Count {
				has[m.Item+i] += by
			}
		}
	}
	for _, m := range d.Moves {
		add(m, m.From, m.Left, -1)
		add(m, m.To, m.Came, +1)
		if onTheWay(m, d.time) && (m.From == d.one || m.To == d.one) {
			way = append(way, fmt.Sprintf("on the way: %s from %s to %s, arrives at %v", m.Items(), d.Name(m.From),
				d.Name(m.To), d.Time(m.Came)))
		}
	}
	maps.DeleteFunc(has, func(_, n int) bool { return n <= 0 })
	list := strings.Join(plural.Ranges(slices.Sorted(maps.Keys(has))), ", ")
	return debug.Listing{Title: d.Items, Lines: append([]string{cmp.Or(list, "none")}, way...)}
}

// around lists the nearest events before and after the current position for which of returns true.
func (d *Debugger) around(title string, of func(e Event) bool) debug.Listing {
	const shown = 100 // in each direction [chosen]
	var lines []string
	add := func(i int) {
		if e := d.all[i]; of(e) {
			lines = append(lines, fmt.Sprintf("%v  %s %s", d.Time(e.At), d.Name(e.Worker), e.Text))
		}
	}
	for i := d.at - 1; i >= 0 && len(lines) < shown; i-- {
		add(i)
	}
	slices.Reverse(lines)
	last := len(lines) - 1
	for i := d.at; i < len(d.all) && len(lines) < last+shown; i++ {
		add(i)
	}
	return debug.Listing{Title: title, Lines: lines, Current: last}
}
