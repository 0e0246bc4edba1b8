package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"emsim/internal/base/answer"
	"emsim/internal/base/answer/terminal"
	"emsim/internal/base/plural"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/lists"
	"emsim/internal/inspect/instrument"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/recipe"
)

// machineCmds returns the commands that run a machine and inspect the run.
func machineCmds(a *app, name string) []*cobra.Command {
	return []*cobra.Command{
		machineRunCmd(a, name), newAskCmd(a, name), newMachineDebugCmd(a, name), newMachineTraceCmd(a, name),
		newMachineProfileCmd(a, name),
		newMachinePlotCmd(a, name), newMachineReportCmd(a, name),
	}
}

// moreCmds lists the commands that only one machine has.
var moreCmds = map[string][]func(a *app) *cobra.Command{
	"balance": {newBalanceCompareCmd, newBalanceLimitCmd, newBalanceValidateCmd},
	"mnc":     {newMNCTopologyCmd},
	"pdes":    {newPDESCostCmd, newPDESPatternsCmd, newPDESCalibrateCmd, newPDESScatterCmd},
}

// newMachineCmds returns a group of commands for each machine, except the EM-4 and the network.
func newMachineCmds(a *app) (all []*cobra.Command) {
	for _, name := range machines.Models() {
		if m := machines.ModelOf(name); m.Summary != "" {
			group := newGroup(name, m.Summary, m.About, machineCmds(a, name)...)
			for _, more := range moreCmds[name] {
				group.AddCommand(more(a))
			}
			all = append(all, group)
		}
	}
	return all
}

// looksInto completes a command that checks its arguments, records a run and the runs of --vs, and calls look with the
// first run, to which the others are linked. The command gets the flags of the machine's 'run', except for outputs.
func (a *app) looksInto(cmd *cobra.Command, name string, check func(args []string, vs int) error,
	look func(cmd *cobra.Command, run *instrument.Run, args []string) error,
) *cobra.Command {
	m := *machines.ModelOf(name)
	m.Rows, m.Switches, m.Threads = nil, nil, false
	f := &machineRun{
		knobFlags: newKnobFlags(name), driverFlags: newDriverFlags(name), files: map[string]*string{}, recorded: true,
	}
	f.model = &m
	f.register(a, cmd)
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { // 'run --help' shows the other flags
		flag.Hidden = !slices.Contains([]string{
			"ask vs", "debug commands", "debug tui", "trace output", "profile top",
			"plot output", "plot vs", "report output", "report vs",
		}, cmd.Name()+" "+flag.Name)
	})
	cmd.Long += "\n\nAll flags of 'emsim " + name + " run' select the run, except the flags for its outputs."
	cmd.Example = strings.NewReplacer("NAME", name, " SMALL", m.Recorded, "=CHANGE", " "+m.Beside).Replace(cmd.Example)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		err := check(args, len(f.beside))
		if err != nil {
			return err
		}
		m, err := f.build(a, cmd)
		all := []*machinefile.Machine{m}
		for i := 0; err == nil && i < len(f.beside); i++ {
			m, err = f.change(a, cmd, f.beside[i])
			all = append([]*machinefile.Machine{m}, all...)
		}
		var run *instrument.Run
		for i := 0; err == nil && i < len(all); i++ {
			beside, line := run, a.newPart("recording a run of "+name, 0)
			if run, err = instrument.Record(cmd.Context(), all[i]); err == nil {
				if run.Answer != nil {
					run.Answer.Machine += seedOf(all[i], 1)
				}
				run.Beside = beside
				run.Label = append([]string{"this run"}, f.beside...)[len(all)-1-i]
			}
			line.end()
		}
		if err != nil {
			return err
		}
		return look(cmd, run, args)
	}
	return cmd
}

// unpaired rejects --vs.
func unpaired(_ []string, vs int) error {
	if vs > 0 {
		return usagef("--vs is for the question part of 'ask'")
	}
	return nil
}

// askCmd returns a command that asks about a run, without its flags.
func askCmd(name, use, more string) *cobra.Command {
	terms := machines.ModelOf(name).Terms
	return &cobra.Command{
		Use:   use,
		Short: "Ask about a run: why did this " + terms.Item + " move, who was idle meanwhile ...",
		Long: fmt.Sprintf(`ask runs the machine, records who gave what to whom and why, and answers a
question about it. ITEM is the number of a %s, WORKER of a %s, TIME is in %s.
%s'emsim docs TRACING' says more about the questions:

%s`, terms.Item, terms.Worker, terms.Unit, more, questionLines(terms)),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion,
			cobra.ShellCompDirective,
		) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return described(questions(terms), func(q instrument.Question) (string, string) { return q.Name, q.Doc }),
				cobra.ShellCompDirectiveNoFileComp
		},
		Example: "  emsim NAME ask why 7 SMALL\n  emsim NAME ask held --json SMALL",
	}
}

// questions returns the questions that make sense for a machine.
func questions(terms machines.Terms) []instrument.Question {
	return lists.Where(instrument.Questions(), func(q instrument.Question) bool { return q.Suits(terms) })
}

// questionLines returns the list of questions about a machine for a help text.
func questionLines(terms machines.Terms) string {
	return strings.Join(lists.Of(questions(terms), func(q instrument.Question) string {
		return fmt.Sprintf("  %-21s %s", strings.TrimSpace(q.Name+" "+q.Args), q.Doc)
	}), "\n")
}

// checkQuestion rejects words that are not a question about a machine, and a number of --vs that does not suit the
// question.
func checkQuestion(terms machines.Terms, words []string, vs int) error {
	q, err := instrument.FindQuestion(terms, words...)
	if err == nil && (vs > 1 || (q.Name == "part") != (vs == 1)) {
		err = usagef("only the question part compares two runs, always with one other: give one --vs KEY=VALUE[,...] " +
			"with it, and no --vs with other questions")
	}
	return err
}

// answerQuestion prints the answer of a recorded run to a question. The command next is the profile of the same run.
func (a *app) answerQuestion(run *instrument.Run, words []string, next string) error {
	x, err := run.Ask(words...)
	if err != nil {
		return err
	}
	said := run.Said(x)
	said.Next = answer.Next{Command: next, Why: "where the time of the " + run.Worker + "s went"}
	return a.emitRun(said, a.shown(said), run.Err, nil)
}

func newAskCmd(a *app, name string) *cobra.Command {
	return a.looksInto(askCmd(name, "ask QUESTION [ARG...]", ""), name,
		func(words []string, vs int) error { return checkQuestion(machines.ModelOf(name).Terms, words, vs) },
		func(_ *cobra.Command, run *instrument.Run, words []string) error {
			return a.answerQuestion(run, words, a.made.next(name+" profile", nil))
		})
}

// writeInstrument prints an answer about a run.
func (a *app) writeInstrument(w io.Writer, x *instrument.Answer) {
	for _, line := range x.Says {
		fmt.Fprintln(w, line)
	}
	if len(x.Rows) > 0 {
		terminal.WriteLists(w, []answer.List{x.List}, a.layout())
	}
}

func newMachineDebugCmd(a *app, name string) *cobra.Command {
	f, in := &debugFlags{}, io.Reader(nil)
	cmd := &cobra.Command{
		Use:   "debug",
		Short: "Go through a run event by event, in both directions, and stop where something moves",
		Long: `debug records a run of the machine and goes through it, with commands like the
EM-4 debugger's, from the terminal, a pipe or a file. With --tui, or the command
'screen', it fills the screen with the workers, one worker in detail, the events and
the worker's items, with the EM-4 debugger's keys: s steps, b goes back, ? shows the others.

` + strings.TrimSpace("-" + instrument.DebugHelp)[1:],
		Example: "  echo 'until move; where; back 3' | emsim NAME debug SMALL",
		Args:    noArgs,
	}
	f.register(cmd, "workers, one worker, events, items")
	return a.looksInto(cmd, name, func(args []string, vs int) error {
		err := unpaired(args, vs)
		if err == nil {
			in, err = f.input(a, cmd)
		}
		return err
	}, func(cmd *cobra.Command, run *instrument.Run, _ []string) error {
		return a.debug(cmd.Context(), in, f.tui,
			func(out io.Writer, _ func(clock uint64, busy func() int), show func(ctx context.Context) error) debugger {
				d := instrument.NewDebugger(run, out, a.writeInstrument)
				d.Screen = show
				return d
			})
	})
}

func newMachineTraceCmd(a *app, name string) *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:   "trace",
		Short: "Write what moved and what every worker did",
		Long: `trace records a run and writes its events. A file that ends in .json is for
ui.perfetto.dev: a track for each worker, and a flow for each move. A file that ends
in .vcd is for wave viewers, and only mnc writes it: what each board and each PE holds,
and what the PEs do. Any other file has a line for each event; so has standard output,
without -o.`,
		Example: "  emsim NAME trace -o run.json SMALL" +
			map[bool]string{true: "\n  emsim NAME trace -o run.vcd SMALL"}[name == "mnc"],
		Args: noArgs,
	}
	outFlag(cmd, &file, "output,o", "file to write (default: standard output, text only)")
	return a.looksInto(cmd, name, func(args []string, vs int) error {
		if filepath.Ext(file) == ".vcd" && name != "mnc" {
			return usagef("-o %s: a .vcd file shows boards, and %s has no boards: expected a name that ends in "+
				".json, for ui.perfetto.dev, or another name, for text", file, name)
		}
		return unpaired(args, vs)
	}, func(_ *cobra.Command, run *instrument.Run, _ []string) error {
		var b bytes.Buffer
		made := a.recipe(map[bool]string{false: "-o"}[file == ""])
		switch filepath.Ext(file) {
		case ".json":
			text, err := run.Timeline()
			if err != nil {
				return err
			}
			b.Write(recipe.InJSON(text, made))
		case ".vcd":
			_ = run.WriteBoards(&b, run.Title, recipe.Line(made)) // a buffer returns no errors
		default:
			run.WriteText(&b, recipe.Line(made))
		}
		if file == "" {
			_, _ = a.out.Write(b.Bytes()) // the stream keeps its error
			return run.Err
		}
		if err := writeOutput("-o", file, b.Bytes()); err != nil {
			return err
		}
		x := wrote(file, b.Len(), "%s, %s", run.Title, plural.Of(len(run.Events()), "event"))
		return a.emitRun(x, a.shown(x), run.Err, nil)
	})
}
