package screen

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/internal/inspect/debug"
	"emsim/internal/inspect/instrument"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
)

// begun returns a debugger at the beginning of a run.
func begun(t *testing.T, pes int, program string, args ...string) *debug.Debugger {
	s := &run.Spec{Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: program, Args: args, Seed: 1, Threads: 1}
	target, err := s.Build(context.Background())
	require.NoError(t, err)
	b := run.New(target, run.Plan{Runs: 1, Window: 1})
	require.NoError(t, b.Begin())
	return debug.New(b, io.Discard)
}

// bench drives a view without a terminal.
type bench struct {
	*Model
	t    *testing.T
	quit bool
}

var plain = Options{Plain: true, Part: func(ctx context.Context) (context.Context, func()) { return ctx, func() {} }}

func newBench(t *testing.T, d Debugger, width, height int) *bench {
	b := &bench{New(context.Background(), d, plain), t, false}
	b.send(tea.WindowSizeMsg{Width: width, Height: height})
	return b
}

// send passes a message to the view, and then the messages that result from it.
func (b *bench) send(msg tea.Msg) {
	_, cmd := b.Update(msg)
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case tea.QuitMsg:
		b.quit = true
	default:
		b.send(msg)
	}
}

// named maps names to keys that are not letters.
var named = map[string]rune{
	"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
	"left": tea.KeyLeft, "right": tea.KeyRight,
	"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace,
	"delete": tea.KeyDelete,
}

// press presses keys: letters, or names in < >.
func (b *bench) press(text string) {
	for text != "" {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(text, "<"), ">"); ok && text[0] == '<' {
			key := tea.Key{Code: named[name]}
			if letter, ctrl := strings.CutPrefix(name, "ctrl+"); ctrl {
				key = tea.Key{Code: rune(letter[0]), Mod: tea.ModCtrl}
			}
			require.NotZero(b.t, key.Code, name)
			b.send(tea.KeyPressMsg(key))
			text = rest
			continue
		}
		r := []rune(text)[0]
		b.send(tea.KeyPressMsg{Code: r, Text: string(r)})
		text = strings.TrimPrefix(text, string(r))
	}
}

// screen returns the contents of the screen, and checks that every row fits the window.
func (b *bench) screen() string {
	text := b.View().Content
	rows := strings.Split(text, "\n")
	require.LessOrEqual(b.t, len(rows), b.height)
	for _, r := range rows {
		require.LessOrEqual(b.t, ansi.StringWidth(r), b.width, r)
	}
	return text
}

// The screens of a session are recorded, at the smallest usual size and at a larger one.
func TestScreens(t *testing.T) {
	manual, err := os.ReadFile("../../../docs/DEBUG.md")
	require.NoError(t, err)
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		b := newBench(t, begun(t, 12, "fib", "6"), size[0], size[1])
		var out strings.Builder
		for _, keys := range []string{
			"", ":until start+6<enter>", "s", "vv<right><down>", "a<tab>",
			":break join if r1 + r2 == 3 on [2,*]<enter>c", "S<pgdown>", ":unt", "<esc>?", "<pgdown>",
			"<esc>:tree all<enter>", "<esc>:lod<enter>", ":delete<enter>c", "B",
		} {
			b.press(keys)
			fmt.Fprintf(&out, "keys: %s\n%s\n\n", keys, b.screen())
			if keys == ":until start+6<enter>" && size[0] == 80 {
				require.Contains(t, string(manual), "```text\n"+b.screen()+"\n```\n", "docs/DEBUG.md shows this screen")
			}
		}
		golden.Check(t, fmt.Sprintf("screens-%dx%d.txt", size[0], size[1]), []byte(out.String()))
	}
}

// A machine of any size fits: if the groups need too many rows, these scroll with the chosen PE.
func TestSizes(t *testing.T) {
	for _, pes := range []int{12, 80, 1024} {
		d := begun(t, pes, "fib", "3")
		for _, size := range [][2]int{{60, 16}, {80, 24}, {200, 60}, {61, 100}} {
			b := newBench(t, d, size[0], size[1])
			for range 2 {
				require.Equal(t, size[1], strings.Count(b.screen(), "\n")+1)
				require.Equal(t, 1, strings.Count(strings.Split(b.screen(), "─ ")[1], ">"), "the chosen PE is shown")
				b.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				b.press(fmt.Sprintf(":pe %d<enter>", pes-1))
			}
			require.NotContains(t, b.screen(), "there is no PE")
			b.press("vvvvv:pe 0<enter>")
			require.Contains(t, b.screen(), "operands that wait")
			b.press("v")
			require.Contains(t, b.screen(), ". idle")
		}
	}
	b := newBench(t, begun(t, 12, "fib", "3"), 59, 24)
	require.Contains(t, b.screen(), "The window has 59x24 characters, the view needs 60x16")
	b.send(tea.WindowSizeMsg{Width: 60, Height: 15})
	require.Contains(t, b.screen(), "The window has 60x15")
	b.send(tea.WindowSizeMsg{Width: 60, Height: 16})
	require.Contains(t, b.screen(), "machine: activity")
}

// Colours do not change the text.
func TestColours(t *testing.T) {
	plain, colours := newBench(t, begun(t, 12, "fib", "9"), 80, 24), newBench(t, begun(t, 12, "fib", "9"), 80, 24)
	colours.Plain = false
	for _, keys := range []string{"", ":goto 300<enter>", "v", "vv", "c", ":nonsense<enter>", "?"} {
		plain.press(keys)
		colours.press(keys)
		require.Contains(t, colours.screen(), "\x1b[")
		require.NotContains(t, plain.screen(), "\x1b[")
		require.Equal(t, plain.screen(), ansi.Strip(colours.screen()))
	}
}

// Ctrl-C ends a motion, and otherwise leaves the view. During a motion no other key reaches the debugger.
func TestEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.s")
	require.NoError(t, os.WriteFile(file, []byte("        .start main\nmain:   jmp main\n"), 0o600))
	b := newBench(t, begun(t, 12, file), 80, 24)
	_, motion := b.Update(tea.KeyPressMsg{Code: 'c', Text: "c"})
	require.NotNil(t, motion)
	require.Contains(t, b.screen(), "running: ")
	b.send(progressed{clock: 4096, busy: 3})
	require.Contains(t, b.screen(), "running: 4096 clocks of the run, 3 busy PEs")
	b.press("qsb?<esc>")
	require.False(t, b.quit)
	b.press("<ctrl+c>")
	require.False(t, b.quit)
	b.send(motion())
	require.Contains(t, b.screen(), "interrupted after")
	require.False(t, b.wrong, "an interruption is no mistake")
	b.press("<ctrl+c>")
	require.True(t, b.quit)
	for _, keys := range []string{"q", "<ctrl+d>", ":quit<enter>"} {
		b = newBench(t, begun(t, 12, "fib", "3"), 80, 24)
		b.press(keys)
		require.True(t, b.quit, keys)
	}
}

// After a fault the view shows the PE that failed.
func TestFailedPE(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p.s")
	const text = "        .start main\naway:   relseg! r2\nmain:   rds r3, gapos\n        mov r1, 1\n" +
		"        shl r1, r1, r3\n        send.d! r0, r1, away\n"
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	b := newBench(t, begun(t, 12, file), 80, 24)
	b.press("c")
	require.Contains(t, b.screen(), "PE [1,0] ")
	require.Contains(t, b.screen(), "1:>!")
	require.Contains(t, b.screen(), "=>    2  away:   relseg! r2")
	require.Contains(t, b.screen(), "the prompt is at [1,0], the PE that failed")
}

// A command is edited as usual: the cursor moves, Up recalls a command, Tab completes a word.
func TestLine(t *testing.T) {
	b := newBench(t, begun(t, 12, "fib", "9"), 80, 24)
	at := func(text string) {
		t.Helper()
		front, _, _ := strings.Cut(text, "|")
		require.Equal(t, strings.Replace(text, "|", "", 1), b.line.String())
		require.Equal(t, len("(69 [0,0]) ")+len(front), b.View().Cursor.X)
		require.Equal(t, 23, b.View().Cursor.Y)
	}
	b.press("u")
	at("until |")
	b.press("go<tab>")
	at("until got|")
	require.Contains(t, b.screen(), "got1 got2")
	b.press("1<home><delete><right>XY<left><left><backspace>")
	at("|XYtil got1")
	b.press("<right><ctrl+k><ctrl+a><ctrl+e>é<left><ctrl+u>")
	at("|é")
	b.press("<esc>")
	require.Nil(t, b.line)
	require.Nil(t, b.View().Cursor)
	b.press(":   <enter>:step 2<enter>:where<enter>")
	require.Equal(t, []string{"step 2", "where"}, b.typed)
	b.press(":<up><up><up>")
	require.Equal(t, "step 2", b.line.String())
	b.press("<down>")
	require.Equal(t, "where", b.line.String())
	b.press("<down>x<tab>")
	require.Equal(t, "x ", b.line.String())
	b.press("nosuch<tab>")
	require.Contains(t, b.screen(), "there is no completion")
	b.send(tea.PasteMsg{Content: " a\nb\x1b"})
	require.Equal(t, "x nosucha b\x1b", b.line.String())
	require.NotContains(t, b.screen(), "\x1b")
	b.press(strings.Repeat("long", 40))
	require.Equal(t, 79, b.View().Cursor.X)
	b.press("<enter>")
	require.True(t, b.wrong)
}

// Scrolling keys affect only the pane in focus, and stay within its lines.
func TestScrolling(t *testing.T) {
	b := newBench(t, begun(t, 12, "fib", "9"), 80, 16)
	first := b.screen()
	b.press("<pgdown>")
	require.NotEqual(t, first, b.screen())
	b.press("<pgup>")
	require.Equal(t, first, b.screen())
	b.press("<tab>")
	require.Contains(t, b.screen(), "─»last, lib/place.s:")
	b.press("<pgdown><pgdown>")
	require.NotContains(t, b.screen(), "=> ")
	b.press("s")
	require.Contains(t, b.screen(), "=> ", "a motion shows the current line again")
	b.press("<tab><tab><tab><tab>?<pgdown><pgdown><pgdown><end><up><home><down>x")
	require.Nil(t, b.page)
	b.press("<up>")
	require.Contains(t, b.screen(), "PE [0,0]")
	b.press("<right><down><left>")
	require.Contains(t, b.screen(), "PE [1,0]")
}

// The machine's pane reacts to scrolling keys. A page begins with its first line, however far it is scrolled up.
func TestScrollingToTheEdge(t *testing.T) {
	b := newBench(t, begun(t, 1024, "fib", "9"), 80, 24)
	b.press("<tab><tab><tab>")
	first := b.screen()
	require.Contains(t, first, "groups 0-")
	b.press("<pgdown>")
	require.NotContains(t, b.screen(), "groups 0-")
	b.press("<pgup>")
	require.Equal(t, first, b.screen())
	b.press("?")
	top := b.screen()
	b.press("<down>")
	require.NotEqual(t, top, b.screen())
	b.press("<home><up>")
	require.Equal(t, top, b.screen())
}

// A key without a use does nothing. The answer to the last command can be read again on a page.
func TestKeysWithNothingToDo(t *testing.T) {
	b := newBench(t, begun(t, 12, "fib", "3"), 80, 24)
	b.press(":pe 3<delete><right><end><delete><enter>")
	require.Contains(t, b.screen(), "PE [1,0]")
	b.press(":pe 99<enter>")
	require.True(t, b.wrong)
	b.press("o")
	require.NotNil(t, b.page)
	require.Equal(t, "output", b.page.title)
	require.Contains(t, strings.Join(b.page.lines, " "), "is not a PE")
}

// Scrolling ends with the last line at the bottom.
func TestScrollingToTheEnd(t *testing.T) {
	b := newBench(t, begun(t, 1024, "fib", "9"), 80, 16)
	lines := b.wrapping(b.view.Unit, workerPane, 40, 5).lines
	require.NotContains(t, b.screen(), strings.TrimSpace(lines[len(lines)-1]))
	b.press(strings.Repeat("<pgdown>", 50))
	require.Contains(t, b.screen(), strings.TrimSpace(lines[len(lines)-1]))
	b.press("<tab><tab><tab>" + strings.Repeat("<pgdown>", 50))
	require.Contains(t, b.screen(), "groups 125-127")
}

// Up and down go through the commands typed before, one at a time.
func TestCommandsTypedBefore(t *testing.T) {
	b := newBench(t, begun(t, 12, "fib", "3"), 80, 24)
	b.press(":pe 1<enter>:pe 2<enter>:pe 3<enter>:<up><up>")
	require.Equal(t, "pe 2", b.line.String())
	b.press("<up>")
	require.Equal(t, "pe 1", b.line.String())
	b.press("<down>")
	require.Equal(t, "pe 2", b.line.String())
}

// The view gets a motion's progress at most ten times a second.
func TestProgressIsNotToldTooOften(t *testing.T) {
	var told []tea.Msg
	terminal := &Terminal{send: func(m tea.Msg) { told = append(told, m) }}
	busy := func(n int) func() int { return func() int { return n } }
	terminal.Progress(10, busy(1))
	terminal.Progress(20, busy(2))
	require.Equal(t, []tea.Msg{progressed{10, 1}}, told)
	terminal.told = terminal.told.Add(-progressEvery)
	terminal.Progress(30, busy(3))
	require.Equal(t, []tea.Msg{progressed{10, 1}, progressed{30, 3}}, told)
}

// After the view ends, the debugger writes to its previous output.
func TestTheViewGivesBackTheOutput(t *testing.T) {
	d := begun(t, 12, "fib", "3")
	var said strings.Builder
	d.Output(&said)
	terminal := &Terminal{In: strings.NewReader("q"), Out: io.Discard, Options: plain}
	require.NoError(t, terminal.Run(t.Context(), d))
	require.NoError(t, d.Do(t.Context(), "where"))
	require.NotEmpty(t, said.String())
}

// recorded returns a debugger at the beginning of a run of another machine.
func recorded(t *testing.T, kind string, sets ...string) *instrument.Debugger {
	k, ok := machines.KindOf(kind)
	require.True(t, ok)
	m := k.NewMachine()
	require.NoError(t, m.Set(sets))
	r, err := instrument.Record(t.Context(), m)
	require.NoError(t, err)
	return instrument.NewDebugger(r, io.Discard,
		func(w io.Writer, x *instrument.Answer) { fmt.Fprintln(w, strings.Join(x.Says, "\n")) })
}

// The screens of a session with the MNC computer are recorded: the same keys, with its own words.
func TestMachineScreens(t *testing.T) {
	manual, err := os.ReadFile("../../../docs/DEBUG.md")
	require.NoError(t, err)
	b := newBench(t, recorded(t, "mnc", "pes=8", "items=60", "loops=50"), 80, 24)
	var out strings.Builder
	for _, keys := range []string{
		"", ":until move 7<enter>", "s", "<right><right>v", "a<tab>", "S<pgdown>", "<enter>", "b",
		":break load 2 >= 4<enter>c", "B", "?", "<pgdown>", "<esc>:where 1<enter>", "fo", "<esc>:back x<enter>",
		":goto 1e6<enter>",
	} {
		b.press(keys)
		fmt.Fprintf(&out, "keys: %s\n%s\n\n", keys, b.screen())
		if keys == ":until move 7<enter>" {
			require.Contains(t, string(manual), "```text\n"+b.screen()+"\n```\n", "docs/DEBUG.md shows this screen")
		}
	}
	golden.Check(t, "mnc-80x24.txt", []byte(out.String()))
	for _, keys := range []string{"q", ":quit<enter>"} {
		b.quit = false
		b.press(keys)
		require.True(t, b.quit, keys)
	}
}

// Every machine fits, at any size and time, with its own names.
func TestMachineSizes(t *testing.T) {
	for kind, sets := range map[string][]string{
		"mnc": {"pes=128", "items=200", "loops=10"}, "rhinet": {"nodes=8", "rows=64", "interval=10", "steps=20"},
		"spmd": {"tasks=20"},
		"pdes": {"network=torus", "shape=4x4", "stages=3", "slots=50", "migrate_at=5000"},
	} {
		d := recorded(t, kind, sets...)
		for _, size := range [][2]int{{60, 16}, {80, 24}, {200, 60}} {
			b := newBench(t, d, size[0], size[1])
			for _, keys := range []string{"<down>", "v", "c", "B", ":until move<enter>", "<down>a"} {
				b.press(keys)
				require.Equal(t, size[1], strings.Count(b.screen(), "\n")+1)
				require.Equal(t, 1, strings.Count(strings.Split(b.screen(), "─ ")[1], ">"),
					"the chosen %s is shown", d.Worker)
				require.Contains(t, b.screen(), "─»"+d.Name(d.View().Chosen)+" ")
				require.Contains(t, b.screen(), "─ "+d.Items+" ")
			}
			b.press(":goto 0<enter>:back 9999<enter>")
		}
	}
}
