package screen

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"emsim/internal/base/lists"
)

// line is a command being typed.
type line struct {
	text []rune
	at   int // the position of the cursor
	back int // position of the recalled command from the end of the list, from 1; 0 if no command is recalled
}

func (l *line) String() string { return string(l.text) }

// setText replaces the text, with the cursor at its end.
func (l *line) setText(text string) { l.text, l.at = []rune(text), len([]rune(text)) }

// insert inserts text at the cursor.
func (l *line) insert(text string) {
	add := []rune(text)
	l.text = slices.Insert(l.text, l.at, add...)
	l.at += len(add)
}

// editKey handles a key that edits the line.
func (l *line) editKey(name, text string) {
	switch name {
	case "left", "ctrl+b":
		l.at = max(0, l.at-1)
	case "right", "ctrl+f":
		l.at = min(len(l.text), l.at+1)
	case "home", "ctrl+a":
		l.at = 0
	case "end", "ctrl+e":
		l.at = len(l.text)
	case "backspace":
		if l.at > 0 {
			l.at--
			l.text = slices.Delete(l.text, l.at, l.at+1)
		}
	case "delete":
		if l.at < len(l.text) {
			l.text = slices.Delete(l.text, l.at, l.at+1)
		}
	case "ctrl+u":
		l.text, l.at = l.text[l.at:], 0
	case "ctrl+k":
		l.text = l.text[:l.at]
	default:
		l.insert(text)
	}
}

// recall replaces the line with an earlier or later command. After the latest one the line is empty.
func (l *line) recall(typed []string, by int) {
	back := l.back - by
	if back < 0 || back > len(typed) {
		return
	}
	if l.back = back; back == 0 {
		l.setText("")
		return
	}
	l.setText(typed[len(typed)-back])
}

// complete replaces the text before the cursor with the common prefix of all its completions. It returns what to
// display: the completions if there are several, a message if there is none, or nil.
func (l *line) complete(all func(line string) []string) []string {
	front, rest := string(l.text[:l.at]), string(l.text[l.at:])
	list := all(front)
	if len(list) == 0 {
		return []string{"there is no completion"}
	}
	common := list[0]
	for _, x := range list {
		for !strings.HasPrefix(x, common) {
			common = common[:len(common)-1]
		}
	}
	if len(list) == 1 {
		common += " "
	}
	l.setText(common)
	at := l.at
	l.text, l.at = append(l.text, []rune(rest)...), at
	if len(list) == 1 {
		return nil
	}
	words := lists.Of(list, func(x string) string { return x[strings.LastIndexAny(front, " ;")+1:] })
	slices.Sort(words)
	return []string{strings.Join(slices.Compact(words), " ")}
}

// binding is a key of the view.
type binding struct {
	names []string // as tea.Key.String returns them
	label string   // as the help shows them
	doc   string
	do    func() tea.Cmd
}

// keyTable returns the table of keys, without keys that the machine does not have.
func (m *Model) keyTable() []binding {
	own := m.view.Keys
	run := func(command string) func() tea.Cmd { return func() tea.Cmd { return m.runCommand(command) } }
	now := func(do func()) func() tea.Cmd { return func() tea.Cmd { do(); return nil } }
	list := []binding{
		{[]string{"s", "space"}, "s, Space", own["s"], run("step")},
		{[]string{"S"}, "S", own["S"], run("step 10")},
		{[]string{"b", "backspace"}, "b, Backspace", own["b"], run("back")},
		{[]string{"B"}, "B", own["B"], run("back 10")},
		{[]string{"c"}, "c", "continue to the next stop, or to the end of the run", run("continue")},
		{[]string{"f"}, "f", own["f"], run("finish")},
		{[]string{"enter"}, "Enter", "repeat the last motion", run("")},
		{[]string{"u"}, "u", "type a command that begins with 'until'", now(func() { m.beginCommand("until ") })},
		{[]string{":"}, ":", "type a command; Tab completes, Up recalls, Esc leaves", now(func() {
			m.beginCommand("")
		})},
		{[]string{"left"}, "Left, Right", "the " + m.view.Worker + " before or after the chosen one", now(func() {
			m.choose(-1)
		})},
		{[]string{"right"}, "", "", now(func() { m.choose(+1) })},
		{[]string{"up"}, "Up, Down", own["up"], now(func() { m.choose(-m.view.Members) })},
		{[]string{"down"}, "", "", now(func() { m.choose(m.view.Members) })},
		{[]string{"v"}, "v", own["v"], now(func() { m.quantity = (m.quantity + 1) % len(m.view.Levels) })},
		{[]string{"a"}, "a", own["a"], now(func() {
			m.other = !m.other
			m.scroll[textPane] = 0
		})},
		{[]string{"tab"}, "Tab", "the pane that PgUp and PgDn scroll, marked »", now(func() {
			m.focus = (m.focus + 1) % panes
		})},
		{[]string{"pgup"}, "PgUp, PgDn", "scroll that pane", now(func() { m.scrollBy(-1) })},
		{[]string{"pgdown"}, "", "", now(func() { m.scrollBy(+1) })},
		{[]string{"o"}, "o", "everything that the last command printed", now(func() {
			m.page = &pane{title: "output", lines: m.message}
		})},
		{[]string{"?", "h"}, "?, h", "this page", now(func() { m.page = &pane{title: "keys", lines: m.helpLines()} })},
		{[]string{"ctrl+l"}, "Ctrl-L", "redraw the screen", func() tea.Cmd { return tea.ClearScreen }},
		{[]string{"ctrl+z"}, "Ctrl-Z", "suspend emsim", func() tea.Cmd { return tea.Suspend }},
		{[]string{"q", "ctrl+d"}, "q, Ctrl-D", "leave the view", func() tea.Cmd { return tea.Quit }},
	}
	return slices.DeleteFunc(list, func(k binding) bool { return k.label != "" && k.doc == "" })
}

// beginCommand opens the line for a command that begins with front.
func (m *Model) beginCommand(front string) {
	m.line = &line{}
	m.line.setText(front)
}

// scrollBy scrolls the pane in focus by 4*by lines, up if by is negative. Four lines are half of what a pane shows in a
// window of 24 lines.
func (m *Model) scrollBy(by int) { m.scroll[m.focus] += 4 * by }
