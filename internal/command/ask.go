package command

import (
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/lists"
	"emsim/internal/inspect/instrument"
	"emsim/internal/machine/machinefile"
	"emsim/internal/machine/machines"
)

// machineCmds are the commands that run a machine and look into the run.
func machineCmds(a *app, name string) []*cobra.Command {
	return []*cobra.Command{machineRunCmd(a, name), newAskCmd(a, name)}
}

// newRecordFlags adds the flags that choose the run to be recorded: those of the machine's
// 'run', without those of its outputs.
func newRecordFlags(cmd *cobra.Command, name string) *machineRun {
	m := *machines.ModelOf(name)
	m.Rows, m.Switches, m.Threads = nil, nil, false
	f := &machineRun{knobFlags: newKnobFlags(name), model: &m, files: map[string]*string{}, seeds: 1, recorded: true}
	f.register(cmd)
	cmd.Flags().VisitAll(func(flag *pflag.Flag) { flag.Hidden = flag.Name != "vs" }) // 'run --help' has them
	return f
}

// record records the run of the flags, and the one of --vs if there is one.
func (f *machineRun) record(a *app, cmd *cobra.Command) (run, other *instrument.Run, err error) {
	m, err := f.build(a, cmd)
	if err != nil {
		return nil, nil, err
	}
	var beside *machinefile.Machine
	switch len(f.beside) {
	case 0:
	case 1:
		if beside, err = f.change(a, cmd, f.beside[0]); err != nil {
			return nil, nil, err
		}
	default:
		return nil, nil, usagef("%d times --vs: a record is compared with one other", len(f.beside))
	}
	if run, err = a.recordMachine(cmd.Context(), m); err != nil || beside == nil {
		return run, nil, err
	}
	other, err = a.recordMachine(cmd.Context(), beside)
	return run, other, err
}

// recordMachine records a run of a machine.
func (a *app) recordMachine(ctx context.Context, m *machinefile.Machine) (*instrument.Run, error) {
	line := a.newProgress(-1)
	defer line.erase()
	return instrument.Record(ctx, m)
}

func newAskCmd(a *app, name string) *cobra.Command {
	words := machines.ModelOf(name).Words
	most := 0
	cmd := &cobra.Command{
		Use:   "ask [QUESTION [ARG...]]",
		Short: "Ask about a run: why did this " + words.Item + " move, who was idle meanwhile ...",
		Long: fmt.Sprintf(`ask runs the machine, records who gave what to whom and why, and answers a
question about it. ITEM is the number of a %s, WORKER of a %s, TIME is in %s.
All flags of 'emsim %s run' choose the run, but for those of its outputs.
docs/TRACING.md says more about the questions:

%s`, words.Item, words.Worker, words.Unit, name, questionList()),
		Example: fmt.Sprintf("  emsim %s ask\n  emsim %[1]s ask why 7\n  emsim %[1]s ask held --json", name),
		Args:    cobra.MaximumNArgs(3),
	}
	f := newRecordFlags(cmd, name)
	cmd.Flags().IntVar(&most, "top", 20, "rows of the table (0: all)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return a.answer(lists.Of(instrument.Questions(), func(q instrument.Question) object {
				return object{"question", q.Name, "args", q.Args, "what", q.Doc}
			}), printed("%s", questionList()))
		}
		q, err := instrument.FindQuestion(args[0], len(args)-1)
		switch isPart := args[0] == instrument.Part; {
		case err != nil:
			return err
		case most < 0:
			return usagef("--top %d: expected 0 or more", most)
		case isPart && len(f.beside) == 0:
			return usagef("the question part compares two runs: give the other one as --vs KEY=VALUE")
		case !isPart && len(f.beside) > 0:
			return usagef("--vs is for the question part, not for %s", q.Name)
		}
		run, other, err := f.record(a, cmd)
		if err != nil {
			return err
		}
		var x *instrument.Answer
		if other != nil {
			x = run.PartFrom(other)
		} else if x, err = run.Ask(q.Name, args[1:]...); err != nil {
			return err
		}
		return a.emitRun(x, func(w io.Writer) { writeInstrument(w, x, most) }, run.Err, nil)
	}
	return cmd
}

// questionList lists the questions for people.
func questionList() string {
	var b strings.Builder
	for _, q := range instrument.Questions() {
		fmt.Fprintf(&b, "  %-21s %s\n", strings.TrimSpace(q.Name+" "+q.Args), q.Doc)
	}
	return b.String()
}

// writeInstrument prints an answer about a run.
func writeInstrument(w io.Writer, x *instrument.Answer, most int) {
	for _, line := range x.Says {
		fmt.Fprintln(w, line)
	}
	if len(x.Rows) == 0 {
		return
	}
	fmt.Fprintln(w)
	g := newGrid(x.Heads...)
	g.most = most
	wide := make([]int, len(x.Heads)) // of texts, which stand on the left
	for _, row := range x.Rows {
		for i, cell := range row {
			if text, ok := cell.(string); ok {
				wide[i] = max(wide[i], utf8.RuneCountInString(text))
			}
		}
	}
	for _, row := range x.Rows {
		cells := lists.Of(row, cellText)
		for i, cell := range row {
			if text, ok := cell.(string); ok {
				cells[i] += strings.Repeat(" ", wide[i]-utf8.RuneCountInString(text))
			}
		}
		g.addRow(cells...)
	}
	g.write(w)
}
