package screen

import (
	tea "charm.land/bubbletea/v2"
)

// binding is a key of the view.
type binding struct {
	names []string // as tea.Key.String gives them
	label string   // as the help shows it
	doc   string
	do    func(m *Model) tea.Cmd
}

// keys is the table of keys.
func keys() []binding {
	run := func(command string) func(*Model) tea.Cmd {
		return func(m *Model) tea.Cmd { return m.run(command) }
	}
	return []binding{
		{[]string{"s", "space"}, "s, Space", "step one clock", run("step")},
		{[]string{"S"}, "S", "step 10 clocks", run("step 10")},
		{[]string{"b", "backspace"}, "b, Backspace", "back by one clock", run("back")},
		{[]string{"B"}, "B", "back by 10 clocks", run("back 10")},
		{[]string{"c"}, "c", "continue to the next stop, or to the end of the run", run("continue")},
		{[]string{"f"}, "f", "finish the block of the PE's EXU", run("finish")},
		{[]string{"enter"}, "Enter", "repeat the last motion", run("")},
		{[]string{"u"}, "u", "type a command that begins with 'until'", func(m *Model) tea.Cmd { return m.ask("until ") }},
		{[]string{":"}, ":", "type a command; Tab completes, Up recalls, Esc leaves", func(m *Model) tea.Cmd { return m.ask("") }},
		{[]string{"left"}, "Left, Right", "the PE before or after the chosen one", func(m *Model) tea.Cmd { return m.move(-1) }},
		{[]string{"right"}, "", "", func(m *Model) tea.Cmd { return m.move(+1) }},
		{[]string{"up"}, "Up, Down", "the same member of the group before or after", func(m *Model) tea.Cmd { return m.move(-m.look.Members) }},
		{[]string{"down"}, "", "", func(m *Model) tea.Cmd { return m.move(m.look.Members) }},
		{[]string{"v"}, "v", "machine: activity, load, FIFO, MIB, segments, operands", func(m *Model) tea.Cmd {
			m.quantity = (m.quantity + 1) % (1 + len(m.look.Levels))
			return nil
		}},
		{[]string{"a"}, "a", "source or instructions", func(m *Model) tea.Cmd {
			m.code = !m.code
			m.scroll[programPane] = 0
			return nil
		}},
		{[]string{"tab"}, "Tab", "the pane that PgUp and PgDn scroll, marked »", func(m *Model) tea.Cmd {
			m.focus = (m.focus + 1) % panes
			return nil
		}},
		{[]string{"pgup"}, "PgUp, PgDn", "scroll that pane", func(m *Model) tea.Cmd { return m.roll(-1) }},
		{[]string{"pgdown"}, "", "", func(m *Model) tea.Cmd { return m.roll(+1) }},
		{[]string{"o"}, "o", "all that the last command said", func(m *Model) tea.Cmd {
			m.page = &page{title: "output", lines: m.message}
			return nil
		}},
		{[]string{"?", "h"}, "?, h", "this page", func(m *Model) tea.Cmd {
			m.page = &page{title: "keys", lines: help()}
			return nil
		}},
		{[]string{"ctrl+l"}, "Ctrl-L", "draw the screen anew", func(*Model) tea.Cmd { return tea.ClearScreen }},
		{[]string{"ctrl+z"}, "Ctrl-Z", "suspend emsim", func(*Model) tea.Cmd { return tea.Suspend }},
		{[]string{"q", "ctrl+d"}, "q, Ctrl-D", "leave the view", func(*Model) tea.Cmd { return tea.Quit }},
	}
}

// ask begins a command.
func (m *Model) ask(front string) tea.Cmd {
	m.line = newLine(front)
	return nil
}

// roll scrolls the pane in focus by half of what a window of 24 lines shows.
func (m *Model) roll(by int) tea.Cmd {
	m.scroll[m.focus] += 4 * by
	return nil
}
