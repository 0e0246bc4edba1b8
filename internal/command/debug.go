package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/peterh/liner"
	"github.com/spf13/cobra"

	"emsim/internal/base/input"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/base/wholefile"
	"emsim/internal/inspect/debug"
	"emsim/internal/inspect/screen"
)

// debugFlags holds the flags for the source of a debugger's commands.
type debugFlags struct {
	commands string
	tui      bool
}

// register adds the flags; panes describes the full screen in the help of --tui.
func (f *debugFlags) register(cmd *cobra.Command, panes string) {
	cmd.Flags().StringVarP(&f.commands, "commands", "x", "", "read commands from this file")
	cmd.Flags().BoolVar(&f.tui, "tui", false, "fill the screen: "+panes)
}

func newDebugCmd(a *app) *cobra.Command {
	target, f := &targetFlags{}, &debugFlags{}
	cmd := &cobra.Command{
		Use:   "debug",
		Short: "Step a program, stop, inspect every unit, and go back",
		Long: `debug loads a program as 'emsim run' does and stops at the beginning of the
run, after the init blocks, or with --resume at the checkpoint. On a terminal
it asks for commands, with completion (Tab) and history. Ctrl-C ends a long
motion; Ctrl-D, 'quit', SIGTERM and SIGHUP end the debugger. From a pipe, or
from the file of --commands, it reads the same commands and shows each before
its output. A wrong command ends it with exit status 2, a failed run with 1.

With --tui, or the command 'screen', machine, PE, program and packets fill the
screen: s steps, b goes back, c continues, arrows choose a PE, ? shows the other
keys, q leaves. It needs 60x16 characters and no colours; NO_COLOR switches them
off.

` + debug.Help() + `
'emsim docs DEBUG' shows a session.`,
		Example: `  emsim debug fib 10 --pes 12
  echo 'until got2; units; callers' | emsim debug fib 10 --pes 12
  emsim debug fib 20 --commands look.txt
  emsim debug --tui fib 10 --pes 12
  emsim debug --resume fib.ckp`,
	}
	target.runsProgram(a, cmd, func(cmd *cobra.Command, args []string) error {
		in, err := f.input(a, cmd)
		if err != nil {
			return err
		}
		s, err := target.begun(a, cmd, args)
		if err != nil {
			return err
		}
		if err := s.CheckMemory("the history of a machine", 4); err != nil { // [measured: 3.4 times the machine]
			return err
		}
		return a.debug(cmd.Context(), in, f.tui,
			func(out io.Writer, progress func(clock uint64, busy func() int), show func(ctx context.Context) error) debugger {
				s.Progress = progress
				d := debug.New(s, out)
				d.Screen = show
				return d
			})
	})
	f.register(cmd, "machine, PE, program, packets")
	return cmd
}

// input returns the source of the commands: the file of --commands, or standard input.
func (f *debugFlags) input(a *app, cmd *cobra.Command) (io.Reader, error) {
	commands := f.commands
	switch {
	case f.tui && commands != "":
		return nil, usagef("--tui takes its commands from the keys: leave out --commands")
	case f.tui && !(isTerminal(a.in) && isTerminal(a.out)):
		return nil, usagef("--tui needs a terminal: without it, commands can come from a pipe")
	case a.json:
		return nil, usagef("debug has no JSON output: leave out --json; 'emsim run' and 'emsim trace' answer with JSON")
	case cmd.Flags().Changed("commands") && commands == "":
		return nil, usagef("--commands needs a file name")
	case commands == "":
		return a.in, nil
	}
	want := input.Want{
		What: "a list of commands", Kinds: []input.Kind{
			input.Assembly, input.TOML, input.Sweep,
			input.JSON,
		}, // accepted besides text, because commands may look like these
		Most: 1 << 20, Why: "give more through standard input",
	}
	text, err := want.Read(commands)
	if err != nil {
		return nil, usagef("cannot read the commands: %w", err)
	}
	return bytes.NewReader(text), nil
}

// debugger is a debugger with a prompt.
type debugger interface {
	screen.Debugger
	Welcome()
	Failed() error
}

// opener creates a debugger. Long motions of the debugger call progress, and its command screen calls show; both may be
// nil.
type opener func(out io.Writer, progress func(clock uint64, busy func() int), show func(ctx context.Context) error) debugger

// debug reads commands for a debugger from keys, a prompt, a pipe or a file, and executes them.
func (a *app) debug(ctx context.Context, in io.Reader, tui bool, open opener) error {
	if tui || isTerminal(in) && isTerminal(a.out) {
		a.signals.Parts()
		return a.debugTerminal(ctx, tui, open)
	}
	return a.debugScript(ctx, in, open)
}

// debugScript executes commands from a pipe or file, and prints each one. At the end it also reports a motion that
// Ctrl-C has ended.
func (a *app) debugScript(ctx context.Context, in io.Reader, open opener) error {
	a.signals.Parts()
	var ended error
	out := bufio.NewWriter(a.out)
	defer out.Flush()
	d := open(out, nil, nil)
	d.Welcome()
	lines := bufio.NewScanner(in)
	for number := 1; !d.Quit(); number++ {
		out.Flush() // the program that writes the commands may read the answers
		more, err := interrupt.Await(ctx, func() (bool, error) { return lines.Scan(), nil })
		if err != nil {
			return interrupt.Of(ctx, "before command line %d", number)
		}
		if !more {
			break
		}
		line := lines.Text()
		if strings.TrimSpace(line) == "" {
			continue // an empty line repeats only on a terminal
		}
		fmt.Fprintf(out, "%s%s\n", d.Prompt(), line)
		out.Flush()
		if err := a.debugOne(ctx, d, line); err != nil {
			var user *interrupt.Error
			if motion := errors.As(err, &user) && ctx.Err() == nil; motion {
				fmt.Fprintln(out, err)
				ended = fmt.Errorf("command line %d: %w", number, err)
				continue
			}
			return fmt.Errorf("command line %d: %w", number, err)
		}
	}
	switch err := lines.Err(); {
	case err != nil:
		return usagef("cannot read the commands: %w", err)
	case d.Failed() != nil:
		return d.Failed()
	}
	return ended
}

// debugTerminal shows the full-screen view, or prompts for commands.
func (a *app) debugTerminal(ctx context.Context, tui bool, open opener) error {
	a.line.rest("")
	view := &screen.Terminal{
		In: terminalOf(a.in), Out: terminalOf(a.out),
		Options: screen.Options{Plain: os.Getenv("NO_COLOR") != "", Part: a.signals.Part},
	}
	if tui {
		return view.Run(ctx, open(io.Discard, view.Progress, nil))
	}
	shown := false
	var motion *part
	var d debugger
	d = open(a.out, func(clock uint64, busy func() int) {
		if shown {
			view.Progress(clock, busy)
			return
		}
		motion.clocks(clock, func() string { return plural.Of(busy(), "busy PE") + ", Ctrl-C stops" })
	}, func(ctx context.Context) error {
		if shown {
			return usagef("the screen is already shown")
		}
		shown = true
		motion.end()
		defer func() { shown = false }()
		return view.Run(ctx, d)
	})
	return a.promptFor(ctx, d, func(text string) error {
		motion = a.newPart(text, 0)
		defer motion.end()
		return a.debugOne(ctx, d, text)
	})
}

// promptFor prompts for commands and calls do with each of them, until the user leaves.
func (a *app) promptFor(ctx context.Context, d debugger, do func(text string) error) error {
	line := liner.NewLiner()
	defer line.Close()
	line.SetCtrlCAborts(true)
	line.SetTabCompletionStyle(liner.TabPrints)
	recall(line)
	defer saveHistory(line)
	line.SetCompleter(d.Complete)
	d.Welcome()
	for !d.Quit() {
		text, err := interrupt.Await(ctx, func() (string, error) { return line.Prompt(d.Prompt()) })
		switch {
		case interrupt.Ended(err):
			fmt.Fprintln(a.out)
			return interrupt.Of(ctx, "at the prompt")
		case errors.Is(err, liner.ErrPromptAborted):
			continue
		case errors.Is(err, io.EOF):
			fmt.Fprintln(a.out)
			return nil
		case err != nil:
			return err
		}
		if text != "" {
			line.AppendHistory(text)
		}
		err = do(text)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return err
		default:
			fmt.Fprintln(a.out, err)
		}
	}
	return nil
}

// debugOne executes one command; Ctrl-C ends it.
func (a *app) debugOne(ctx context.Context, d debugger, text string) error {
	ctx, stop := a.signals.Part(ctx)
	defer stop()
	return d.Do(ctx, text)
}

// history is the history of a prompt; *liner.State is one.
type history interface {
	ReadHistory(r io.Reader) (int, error)
	WriteHistory(w io.Writer) (int, error)
}

// historyFile returns the name of the file that keeps the prompt's history between sessions, or "" if the user has no
// cache folder.
func historyFile() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "emsim", "debug_history")
}

// recall loads the history of earlier sessions into a prompt. It ignores errors, because the history is only a
// convenience.
func recall(h history) {
	want := input.Want{What: "a history", Most: 1 << 20}
	if text, err := want.Read(historyFile()); err == nil {
		_, _ = h.ReadHistory(bytes.NewReader(text))
	}
}

// saveHistory saves the history for the next session. Only this user can read the file, and it is written completely or
// not at all.
func saveHistory(h history) {
	name := historyFile()
	if name == "" || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	var text bytes.Buffer
	if _, err := h.WriteHistory(&text); err == nil {
		_ = wholefile.WriteFile(name, text.Bytes(), 0o600)
	}
}
