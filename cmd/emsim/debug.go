package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/peterh/liner"
	"github.com/spf13/cobra"

	"emsim/debug"
	"emsim/internal/input"
	"emsim/session"
)

// debugFlags are the flags of 'emsim debug' beyond those of every target.
type debugFlags struct {
	targetFlags
	commands string
}

func newDebugCmd(a *app) *cobra.Command {
	f := &debugFlags{}
	cmd := &cobra.Command{
		Use:   "debug PROGRAM [ARG...] | debug --resume FILE",
		Short: "Step a program, stop it, look at every unit, and go back",
		Long: `debug loads a program as 'emsim run' does and stops at the beginning of the run,
behind the init blocks, or with --resume where the checkpoint was made. On a
terminal it asks for commands, with completion (Tab) and history; Ctrl-C ends a
long motion, Ctrl-D or 'quit' leaves. From a pipe, or from the file of
--commands, the same commands are read and shown before what they print; a wrong
command ends it with exit status 2, a run that failed with 1.

` + debug.Help() + `
docs/DEBUG.md shows a session.`,
		Example: `  emsim debug fib 10 --pes 12
  echo 'until call2; units; callers' | emsim debug fib 10 --pes 12
  emsim debug fib 20 --commands look.txt
  emsim debug --resume fib.ckp`,
		Args:              func(cmd *cobra.Command, args []string) error { return f.wantsProgram(cmd, args) },
		ValidArgsFunction: completePrograms,
		RunE:              func(cmd *cobra.Command, args []string) error { return a.debug(cmd, f, args) },
	}
	f.add(cmd)
	cmd.Flags().StringVarP(&f.commands, "commands", "x", "", "read commands from this file")
	return cmd
}

// debug is the command.
func (a *app) debug(cmd *cobra.Command, f *debugFlags, args []string) error {
	switch {
	case a.json:
		return usagef("debug speaks text: leave out --json; 'emsim run' and 'emsim trace' answer with JSON")
	case cmd.Flags().Changed("commands") && f.commands == "":
		return usagef("--commands wants a file name")
	}
	if err := f.checkResume(cmd, args); err != nil {
		return err
	}
	in := a.in
	if f.commands != "" {
		want := input.Want{
			What: "a list of commands", Kinds: []input.Kind{input.Assembly, input.TOML, input.Sweep, input.JSON}, // what commands may look like
			Most: 1 << 20, Why: "and more can come from standard input",
		}
		text, err := want.Read(f.commands)
		if err != nil {
			return usagef("cannot read the commands: %w", err)
		}
		in = bytes.NewReader(text)
	}
	s, err := f.begun(cmd, args)
	if err != nil {
		return err
	}
	if isTerminal(in) && isTerminal(a.out) {
		return a.debugPrompt(cmd, s)
	}
	return a.debugScript(cmd, s, in)
}

// begun returns a session with a run in progress: the one in the checkpoint of
// --resume, or a new one behind the init blocks.
func (f *targetFlags) begun(cmd *cobra.Command, args []string) (*session.Session, error) {
	if f.resume != "" {
		return f.resumed(cmd)
	}
	spec, err := f.spec(cmd, args)
	if err != nil {
		return nil, err
	}
	ctx, stop := interruptible(cmd)
	defer stop()
	t, err := spec.Build(ctx)
	if err != nil {
		return nil, err
	}
	s := session.New(t, session.Plan{Runs: 1, Window: 1, MaxClocks: f.maxClocks})
	return s, s.Begin()
}

// debugScript reads commands that nobody types, and shows each.
func (a *app) debugScript(cmd *cobra.Command, s *session.Session, in io.Reader) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	out := bufio.NewWriter(a.out)
	defer out.Flush()
	d := debug.New(s, out)
	d.Welcome()
	lines := bufio.NewScanner(in)
	for number := 1; !d.Quit() && lines.Scan(); number++ {
		line := lines.Text()
		if strings.TrimSpace(line) == "" {
			continue // on a terminal it would repeat
		}
		fmt.Fprintf(out, "%s%s\n", d.Prompt(), line)
		if err := d.Do(ctx, line); err != nil {
			return fmt.Errorf("command line %d: %w", number, err)
		}
	}
	if err := lines.Err(); err != nil {
		return usagef("cannot read the commands: %w", err)
	}
	return d.Failed()
}

// debugPrompt asks for commands on a terminal.
func (a *app) debugPrompt(cmd *cobra.Command, s *session.Session) error {
	line := liner.NewLiner()
	defer line.Close()
	line.SetCtrlCAborts(true)
	line.SetTabCompletionStyle(liner.TabPrints)
	recall(line)
	defer keep(line)
	out := &overBar{Writer: a.out}
	s.Progress = func(clock uint64, busy int) {
		out.bar.update(clock, func() string { return plural(busy, "busy PE") + ", Ctrl-C stops" })
	}
	d := debug.New(s, out)
	line.SetCompleter(d.Complete)
	d.Welcome()
	for !d.Quit() {
		text, err := line.Prompt(d.Prompt())
		switch {
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
		out.bar = a.newProgress(-1)
		if err := a.debugOne(cmd, d, text); err != nil {
			fmt.Fprintln(out, err)
		}
		out.bar.done()
	}
	return nil
}

// overBar wipes the progress line before it writes.
type overBar struct {
	io.Writer
	bar *progress
}

func (w *overBar) Write(p []byte) (int, error) {
	w.bar.done()
	return w.Writer.Write(p)
}

// debugOne does one command, which Ctrl-C ends.
func (a *app) debugOne(cmd *cobra.Command, d *debug.Debugger, text string) error {
	ctx, stop := interruptible(cmd)
	defer stop()
	return d.Do(ctx, text)
}
