package screen

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	tea "charm.land/bubbletea/v2"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/inspect/debug"
)

// The panes.
const (
	machinePane = iota
	workerPane
	textPane
	itemPane
	panes
)

// Debugger is the view's interface to a machine's debugger.
type Debugger interface {
	// Do executes a command; an empty one repeats the last motion.
	Do(ctx context.Context, command string) error
	Complete(line string) []string         // all lines to which it can be completed
	Prompt() string                        // the text before a command
	Quit() bool                            // whether the user has asked to leave
	Output(w io.Writer) (before io.Writer) // redirects its output
	Choose(worker int)                     // sets the worker that View shows
	View() *debug.View                     // the current state
}

// Model is the full-screen view of a debugger.
type Model struct {
	Options
	d   Debugger
	ctx context.Context

	width, height int
	view          *debug.View
	quantity      int  // the index in View.Levels of the machine's pane
	other         bool // the text pane shows its second form
	focus         int  // the pane that scrolls
	scroll        [panes]int
	message       []string          // the answer to the last command
	wrong         bool              // the last command was wrong
	page          *pane             // text over the panes, or nil
	line          *line             // a command being typed, or nil
	typed         []string          // earlier commands
	cancel        func()            // ends the current motion; nil between motions
	progress      string            // how far the motion has come
	ahead         []tea.KeyPressMsg // keys typed during a motion; they take effect after it
	said          *bytes.Buffer
	busy          sync.Mutex // held during a command
}

// Options configure the view.
type Options struct {
	Plain bool // no colours
	// Part begins a command of the view. A SIGINT from outside then ends only that command.
	Part func(context.Context) (context.Context, func())
}

// New returns a view of a debugger; its commands end with ctx.
func New(ctx context.Context, d Debugger, o Options) *Model {
	m := &Model{Options: o, d: d, ctx: ctx, said: new(bytes.Buffer), focus: workerPane}
	d.Output(m.said)
	m.view = d.View()
	m.message = []string{"? shows the keys."}
	return m
}

// Init does nothing: the size of the window arrives as a message.
func (m *Model) Init() tea.Cmd { return nil }

// done is the message at the end of a command.
type done struct {
	view *debug.View
	text string
	err  error
	quit bool
}

// progressed is the message that reports how far a motion has come.
type progressed struct {
	clock uint64
	busy  int
}

// Update handles a message: a key, a new size, progress, or the end of a command.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case progressed:
		m.progress = fmt.Sprintf("%d clocks of the run, %s", msg.clock, plural.Of(msg.busy, "busy "+m.view.Worker))
	case done:
		return m, m.finish(msg)
	case tea.PasteMsg:
		if m.line != nil {
			m.line.insert(strings.Join(strings.Fields(msg.Content), " "))
		}
	case tea.KeyPressMsg:
		return m, m.handleKey(msg)
	}
	return m, nil
}

// handleKey handles a key, for the open page or line if there is one.
func (m *Model) handleKey(msg tea.KeyPressMsg) tea.Cmd {
	name := msg.String()
	switch {
	case name == "ctrl+c" && m.cancel != nil:
		m.ahead = nil
		m.cancel()
		return nil
	case name == "ctrl+c":
		return tea.Quit
	case m.cancel != nil:
		m.ahead = append(m.ahead, msg)
		return nil
	case m.line != nil:
		return m.editCommand(name, msg.Key().Text)
	case m.page != nil:
		m.turnPage(name)
		return nil
	}
	for _, k := range m.keyTable() {
		if slices.Contains(k.names, name) {
			return k.do()
		}
	}
	return nil
}

// runCommand executes a command of the debugger concurrently with the view.
func (m *Model) runCommand(command string) tea.Cmd {
	ctx, stop := m.Part(m.ctx)
	ctx, m.cancel = context.WithCancel(ctx)
	m.progress = ""
	return func() tea.Msg {
		m.busy.Lock()
		defer m.busy.Unlock()
		defer stop()
		defer m.said.Reset()
		err := m.d.Do(ctx, command)
		return done{m.d.View(), m.said.String(), err, m.d.Quit()}
	}
}

// finish shows the state and the answer after a command. A long answer gets a page of its own. After an error, the keys
// typed ahead are dropped, because they were meant for another state.
func (m *Model) finish(x done) tea.Cmd {
	m.cancel()
	m.cancel = nil
	m.view, m.scroll = x.view, [panes]int{}
	text := x.text
	var user *interrupt.Error
	m.wrong = x.err != nil && !errors.As(x.err, &user)
	if x.err != nil {
		text += x.err.Error() + "\n"
	}
	m.message = nil
	if text != "" {
		m.message = strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	}
	if len(m.message) > m.messageHeight() {
		m.page = &pane{title: "output", lines: m.message}
	}
	if x.quit {
		return tea.Quit
	}
	if x.err != nil { // they were typed for another state
		m.ahead = nil
	}
	return m.catchUp()
}

// catchUp handles the keys that were typed during a motion, until a key starts another one.
func (m *Model) catchUp() tea.Cmd {
	var list []tea.Cmd
	for len(m.ahead) > 0 && m.cancel == nil {
		key := m.ahead[0]
		m.ahead = m.ahead[1:]
		list = append(list, m.handleKey(key))
	}
	return tea.Batch(list...)
}

// choose selects the worker whose number is larger by the given amount than the number of the chosen worker.
func (m *Model) choose(by int) {
	if to := m.view.Chosen + by; to >= 0 && to < len(m.view.Levels[0].Cells) {
		m.d.Choose(to)
		m.view, m.scroll = m.d.View(), [panes]int{}
	}
}

// turnPage handles a key while a page is shown.
func (m *Model) turnPage(name string) {
	p, height := m.page, m.pageHeight()
	switch name {
	case "up":
		p.first--
	case "down":
		p.first++
	case "pgup":
		p.first -= height
	case "pgdown", "space":
		p.first += height
	case "home":
		p.first = 0
	case "end":
		p.first = len(p.lines)
	case ":":
		m.page = nil
		m.beginCommand("")
	default:
		m.page = nil
	}
	p.first = max(0, min(p.first, len(p.lines)-height))
}

// editCommand handles a key while a command is typed.
func (m *Model) editCommand(name, text string) tea.Cmd {
	l := m.line
	switch name {
	case "esc":
		m.line = nil
	case "enter":
		m.line = nil
		command := l.String()
		if strings.TrimSpace(command) == "" {
			return nil
		}
		m.typed = append(m.typed, command)
		return m.runCommand(command)
	case "tab":
		m.message = l.complete(m.d.Complete)
	case "up":
		l.recall(m.typed, -1)
	case "down":
		l.recall(m.typed, +1)
	default:
		l.editKey(name, text)
	}
	return nil
}
