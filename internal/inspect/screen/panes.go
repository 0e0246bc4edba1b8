package screen

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"emsim/internal/base/escape"
	"emsim/internal/inspect/debug"
)

// pane holds the contents of one part of the screen, or of a page that covers all panes.
type pane struct {
	title string
	lines []string
	first int // line at the top
}

// style colours text, unless colours are off.
func (m *Model) style(code, text string) string {
	if m.Plain || code == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// machine returns the pane of all workers: a letter or digit for each, by groups.
func (m *Model) machine(width, height int) pane {
	l := m.view
	q := l.Levels[m.quantity]
	groups := (len(q.Cells) + l.Members - 1) / l.Members
	label := len(strconv.Itoa(groups - 1))
	block := label + 1 + 2*l.Members + 1 // 12 R.o...
	across := max(1, (width+1)/block)
	p := pane{title: "machine: " + q.Name}
	for g := 0; g < groups; g += across {
		var b strings.Builder
		for i := g; i < min(g+across, groups); i++ {
			fmt.Fprintf(&b, "%*d:", label, i)
			for w := i * l.Members; w < min((i+1)*l.Members, len(q.Cells)); w++ {
				mark := " "
				if w == l.Chosen {
					mark = m.style("1", ">")
				}
				b.WriteString(mark + m.style(q.Cells[w].Colour, string(rune(q.Cells[w].Letter))))
			}
			b.WriteString(" ")
		}
		p.lines = append(p.lines, b.String())
	}
	chosen := l.Chosen / l.Members / across
	legendLines := wrapped(q.Doc, width)
	room := max(1, height-len(legendLines))
	first := max(0, min(chosen-room/2+m.scroll[machinePane], len(p.lines)-room))
	last := min(len(p.lines), first+room)
	if len(p.lines) > room {
		p.title = fmt.Sprintf("%s, %s %d-%d of %d", q.Name, l.Groups, first*across, min(groups, last*across)-1, groups)
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

// text returns the text pane, in one of its two forms.
func (m *Model) text(width, height int) pane {
	list := m.view.Texts[0]
	if m.other || len(list.Lines) == 0 {
		list = m.view.Texts[1]
	}
	p := pane{title: list.Title, first: list.Current - height/3 + m.scroll[textPane]}
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

// wrapping returns a pane whose long lines are wrapped and indented.
func (m *Model) wrapping(l debug.Listing, number, width, indent int) pane {
	p := pane{title: l.Title, first: m.scroll[number]}
	for _, t := range l.Lines {
		p.lines = append(p.lines, hanging(t, width, indent)...)
	}
	return p
}

// hanging wraps a line, and indents the further lines.
func hanging(text string, width, indent int) []string {
	text = escape.Text(text)
	front := len(text) - len(strings.TrimLeft(text, " "))
	list := wrapped(text, width-indent)
	for i := range list[1:] {
		list[i+1] = strings.Repeat(" ", max(indent, front)) + list[i+1]
	}
	return list
}

// wrapped wraps text into lines of at most width columns, or of at most 10 if width is less.
func wrapped(text string, width int) []string {
	return strings.Split(ansi.Wrap(text, max(10, width), " "), "\n")
}
