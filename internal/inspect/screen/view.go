package screen

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"emsim/internal/base/escape"
	"emsim/internal/base/lists"
)

// The smallest window for the panes.
const (
	leastWidth  = 60
	leastHeight = 16
)

// View draws the screen.
func (m *Model) View() tea.View {
	v := tea.View{AltScreen: true, WindowTitle: "emsim debug"}
	if m.width == 0 {
		return v
	}
	if m.width < leastWidth || m.height < leastHeight {
		v.Content = fitWidth(fmt.Sprintf("The window has %dx%d characters, the view needs %dx%d. q leaves it.", m.width,
			m.height, leastWidth, leastHeight), m.width)
		return v
	}
	rows := []string{m.title()}
	if m.page != nil {
		rows = append(rows, m.pageRows()...)
	} else {
		rows = append(rows, m.paneRows()...)
	}
	rows = append(rows, m.messageRows()...)
	bottom, cursor := m.bottom()
	rows = append(rows, bottom)
	if cursor >= 0 {
		v.Cursor = tea.NewCursor(cursor, m.height-1)
	}
	v.Content = strings.Join(rows, "\n")
	return v
}

// fitWidth truncates a line, or pads it with blanks.
func fitWidth(text string, width int) string {
	text = ansi.Truncate(text, width, "…")
	return text + strings.Repeat(" ", max(0, width-ansi.StringWidth(text)))
}

// title returns the first row: the program and the clock.
func (m *Model) title() string {
	right := "  " + m.view.Clock + " "
	if m.view.Ended {
		right = "  the run is over," + right
	}
	return m.style("7", fitWidth(" "+escape.Line(m.view.Program), m.width-ansi.StringWidth(right))+right)
}

// messageHeight returns the number of rows for the last command's answer.
func (m *Model) messageHeight() int { return max(3, m.height/8) }

// pageHeight returns the number of lines of a page that fit.
func (m *Model) pageHeight() int { return m.height - 3 - m.messageHeight() }

// paneRows returns the rows of the panes: machine and worker above, text and items below.
func (m *Model) paneRows() []string {
	rows := m.height - 2 - m.messageHeight()
	above := (rows + 1) / 2
	block := 2*m.view.Members + 8
	left := min(max(m.width*3/8, block), m.width-leastWidth/2)
	right := m.width - left - 1
	list := m.beside(m.machine(left, above-1), m.wrapping(m.view.Unit, workerPane, right, 5), left, above, machinePane)
	half := m.width / 2
	below := rows - above
	return append(list, m.beside(m.text(half, below-1), m.wrapping(m.view.Items, itemPane, m.width-half-1, 4), half,
		below, textPane)...)
}

// beside returns the rows of two panes next to each other; number is the index of the left one.
func (m *Model) beside(a, b pane, left, height, number int) []string {
	right := m.width - left - 1
	x, y := m.drawPane(a, left, height, number), m.drawPane(b, right, height, number+1)
	for i := range x {
		joint := map[bool]string{true: "┬", false: "│"}[i == 0]
		x[i] += joint + y[i]
	}
	return x
}

// drawPane returns the rows of a pane, with its title.
func (m *Model) drawPane(p pane, width, height, number int) []string {
	mark := map[bool]string{true: "»", false: " "}[number == m.focus]
	title := ansi.Truncate("─"+mark+escape.Line(p.title)+" ", width, "…")
	rows := []string{m.style("1", title) + strings.Repeat("─", width-ansi.StringWidth(title))}
	first := max(0, min(p.first, len(p.lines)-(height-1)))
	for i := range height - 1 {
		text := ""
		if first+i < len(p.lines) {
			text = p.lines[first+i]
		}
		if i == height-2 && first+i+1 < len(p.lines) {
			text = fitWidth(text, width-2) + " ↓"
		}
		rows = append(rows, fitWidth(text, width))
	}
	return rows
}

// pageRows returns the screen's rows for the open page: its title, and the lines that fit from p.first on.
func (m *Model) pageRows() []string {
	p, height := m.page, m.pageHeight()
	first := max(0, min(p.first, len(p.lines)-height))
	last := min(len(p.lines), first+height)
	title := "─ " + p.title + " "
	if len(p.lines) > height {
		title += fmt.Sprintf("(lines %d to %d of %d, Up and Down scroll) ", first+1, last, len(p.lines))
	}
	title += "─ any other key returns "
	rows := []string{m.style("1", title) + strings.Repeat("─", max(0, m.width-ansi.StringWidth(title)))}
	for i := range height {
		text := ""
		if first+i < last {
			text = escape.Text(p.lines[first+i])
		}
		rows = append(rows, fitWidth(text, m.width))
	}
	return rows
}

// messageRows returns the last command's answer. If it is too long, it returns the last lines.
func (m *Model) messageRows() []string {
	height := m.messageHeight()
	lines := m.message
	switch {
	case m.cancel != nil:
		lines = []string{"running: " + m.progress}
	case m.page != nil:
		lines = nil
	}
	lines = lines[max(0, len(lines)-height):]
	var rows []string
	for i := range height {
		text := ""
		if i < len(lines) {
			text = fitWidth(escape.Text(lines[i]), m.width)
			if m.wrong {
				text = m.style("31", text)
			}
		}
		rows = append(rows, text)
	}
	return rows
}

// bottom returns the last row, and the column of the cursor or -1.
func (m *Model) bottom() (row string, cursor int) {
	switch {
	case m.cancel != nil:
		return m.style("7", fitWidth(" Ctrl-C ends the motion", m.width)), -1
	case m.line == nil:
		return m.style("7", fitWidth(" s step  b back  c continue  u until  arrows "+m.view.Worker+
			"  : command  ? keys  q quit", m.width)), -1
	}
	prompt := m.d.Prompt()
	text := escape.Text(m.line.String())
	cursor = ansi.StringWidth(prompt + escape.Text(string(m.line.text[:m.line.at])))
	if over := cursor - (m.width - 1); over > 0 { // the cursor stays in view
		return fitWidth(ansi.TruncateLeft(prompt+text, over, ""), m.width), m.width - 1
	}
	return fitWidth(prompt+text, m.width), cursor
}

// helpLines returns the list of keys.
func (m *Model) helpLines() []string {
	var list []string
	for _, k := range m.keyTable() {
		if k.label != "" {
			list = append(list, fmt.Sprintf("  %-14s %s", k.label, k.doc))
		}
	}
	list = append(list, "", "  Ctrl-C ends a motion; between motions it leaves the view.")
	return append(list, lists.Of(m.view.Help, func(t string) string { return "  " + t })...)
}
