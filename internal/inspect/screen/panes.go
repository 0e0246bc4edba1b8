package screen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"emsim/internal/base/escape"
	"emsim/internal/inspect/debug"
)

// pane is the contents of a part of the screen.
type pane struct {
	title string
	lines []string
	first int // line at the top
}

// colours of the activities, as numbers of ANSI's SGR.
var colours = map[debug.Activity]string{
	debug.Failed: "1;31;7", debug.Blocked: "33", debug.Runs: "32", debug.Matches: "36", debug.Operands: "35", debug.Quiet: "2",
}

// loadColours are those of a quantity: nothing, little, much.
var loadColours = []string{"2", "32", "33", "31"}

// style gives a text colours, if they are wanted.
func (m *Model) style(code, text string) string {
	if m.plain || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// machine is the pane of all PEs: a letter or digit for each, groups after
// each other.
func (m *Model) machine(width, height int) pane {
	l := m.look
	title, legend := "machine: activity", ""
	if m.quantity > 0 {
		q := l.Levels[m.quantity-1]
		title, legend = "machine: "+q.Name, q.Doc
	} else {
		var list []string
		for _, a := range debug.Activities {
			list = append(list, fmt.Sprintf("%c %s", a.Activity, a.Doc))
		}
		legend = strings.Join(list, "  ")
	}
	groups := len(l.Net) / l.Members
	label := len(strconv.Itoa(groups - 1))
	block := label + 1 + 2*l.Members + 1 // 12 R.o...
	across := max(1, (width+1)/block)
	p := pane{title: title}
	for g := 0; g < groups; g += across {
		var b strings.Builder
		for i := g; i < min(g+across, groups); i++ {
			fmt.Fprintf(&b, "%*d:", label, i)
			for pe := i * l.Members; pe < (i+1)*l.Members; pe++ {
				b.WriteString(m.peCell(pe))
			}
			b.WriteString(" ")
		}
		p.lines = append(p.lines, b.String())
	}
	chosen := l.Chosen / l.Members / across
	legendLines := wrapped(legend, width)
	room := max(1, height-len(legendLines))
	first := max(0, min(chosen-room/2+m.scroll[machinePane], len(p.lines)-room))
	last := min(len(p.lines), first+room)
	if len(p.lines) > room {
		p.title = strings.TrimPrefix(title, "machine: ") + fmt.Sprintf(", groups %d-%d of %d", first*across, min(groups, last*across)-1, groups)
	}
	p.lines = p.lines[first:last]
	for len(p.lines) < room {
		p.lines = append(p.lines, "")
	}
	for _, t := range legendLines {
		p.lines = append(p.lines, m.style("2", t))
	}
	return p
}

// peCell is a PE in the machine's pane; > marks the chosen one.
func (m *Model) peCell(pe int) string {
	mark := " "
	if pe == m.look.Chosen {
		mark = m.style("1", ">")
	}
	if m.quantity == 0 {
		a := m.look.Activity[pe]
		return mark + m.style(colours[a], string(a))
	}
	q := m.look.Levels[m.quantity-1]
	v := q.Values[pe]
	text, colour := "+", 3
	switch {
	case v == 0:
		text, colour = ".", 0
	case v < 10 || q.Name == "load":
		text, colour = strconv.FormatInt(int64(v), 16), 1+min(2, v/5)
	}
	return mark + m.style(loadColours[colour], text)
}

// pePane is the pane of the chosen PE.
func (m *Model) pePane(width int) pane {
	l := m.look
	p := pane{title: fmt.Sprintf("PE %v", l.Net[l.Chosen])}
	for _, t := range l.Units {
		p.lines = append(p.lines, hanging(strings.TrimPrefix(t, "  "), width, 5)...)
	}
	for _, t := range l.Registers {
		p.lines = append(p.lines, hanging(t, width, 5)...)
	}
	p.first = m.scroll[pePane]
	return p
}

// program is the pane of the source or of the instructions.
func (m *Model) program(width, height int) pane {
	list := m.look.Source
	if m.code || len(list.Lines) == 0 {
		list = m.look.Code
	}
	p := pane{title: list.Title, first: list.Current - height/3 + m.scroll[programPane]}
	for i, t := range list.Lines {
		t = escape.Text(strings.ReplaceAll(t, "\t", "    "))
		if i == list.Current {
			t = ansi.Truncate("=> "+t, width, "…")
			t = m.style("1;7", t+strings.Repeat(" ", max(0, width-ansi.StringWidth(t))))
		} else {
			t = "   " + t
		}
		p.lines = append(p.lines, t)
	}
	return p
}

// packets is the pane of the packets in the PE and its switch.
func (m *Model) packets(width int) pane {
	p := pane{title: "packets", first: m.scroll[packetPane]}
	for _, t := range m.look.Packets {
		p.lines = append(p.lines, hanging(t, width, 4)...)
	}
	return p
}

// hanging wraps a line; further lines are indented.
func hanging(text string, width, indent int) []string {
	text = escape.Text(text)
	front := len(text) - len(strings.TrimLeft(text, " "))
	list := wrapped(text, width-indent)
	for i := range list[1:] {
		list[i+1] = strings.Repeat(" ", max(indent, front)) + list[i+1]
	}
	return list
}

// wrapped cuts a text into lines.
func wrapped(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(10, width), " "), "\n")
}
