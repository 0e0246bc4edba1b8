package command

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/answer/terminal"

	"github.com/spf13/cobra"

	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/suggest"
	"emsim/internal/draw/figures"
	"emsim/internal/draw/report"
	"emsim/internal/inspect/instrument"
)

// machineFigureNames returns the names of the figures for a machine's run.
func machineFigureNames() []string {
	return lists.Of(figures.MachineFigures(), func(f figures.MachineFigure) string { return f.Name })
}

// findMachineFigure returns the figure that the arguments name.
func findMachineFigure(args []string) (figures.MachineFigure, error) {
	names := machineFigureNames()
	if len(args) != 1 {
		return figures.MachineFigure{}, usagef("which figure? Expected one of %s", strings.Join(names, ", "))
	}
	f, found := lists.Find(figures.MachineFigures(), func(f figures.MachineFigure) bool { return f.Name == args[0] })
	if !found {
		return f, usagef("there is no figure %q%s: expected %s", args[0], suggest.DidYouMean(args[0], names),
			strings.Join(names, ", "))
	}
	return f, nil
}

// machineRuns returns a run and the runs to compare it with.
func machineRuns(run *instrument.Run) (list []*instrument.Run) {
	for ; run != nil; run = run.Beside {
		list = append(list, run)
	}
	return list
}

// machineNumbers returns the numbers of several runs, side by side. It returns nil if a run has no answer.
func machineNumbers(runs []*instrument.Run) (list []report.OwnNumber) {
	if slices.ContainsFunc(runs, func(r *instrument.Run) bool { return r.Answer == nil }) {
		return nil
	}
	for _, f := range runs[0].Answer.Weighty() {
		if _, ok := runs[0].Answer.Float(f.Key); ok {
			list = append(list, report.OwnNumber{
				Name: f.Name(), Doc: f.Doc,
				Values: lists.Of(runs, func(r *instrument.Run) string {
					v, _ := r.Answer.Float(f.Key)
					return f.Cell(v)
				}),
			})
		}
	}
	return list
}

func newMachineReportCmd(a *app, name string) *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:   "report",
		Short: "Write everything about a run as an HTML page: result, figures, answers to questions",
		Long: `report records a run of the machine and writes a self-contained HTML
page: the result, all figures of 'emsim ` + name + ` plot', and the answers to the
questions idle, held, cost and back. --vs puts another run next to it, with
other knobs, says where they part, and may be repeated.`,
		Example: "  emsim NAME report -o run.html SMALL",
		Args:    noArgs,
	}
	outFlag(cmd, &file, "output,o", "file to write, .html")
	return a.looksInto(cmd, name, func(_ []string, vs int) error {
		return cmp.Or(wantsPage(file), fewRuns(vs))
	}, func(cmd *cobra.Command, run *instrument.Run, _ []string) error {
		runs := machineRuns(run)
		page, err := report.NewMachinePage(cmd.Context(), a.pageVersion(), runs, machineNumbers(runs), terminal.Cell)
		if err != nil {
			return ended(cmd.Context(), err, "before the page was written: there is no %s", file)
		}
		size, err := a.writePage(file, page.Write)
		if err != nil {
			return err
		}
		return a.emitRun(object{"file", file, "bytes", size}, printed("%s: %s, %s\n", file, run.Title,
			plural.Of(size, "byte")), run.Err, nil)
	})
}

// fewRuns rejects more runs than a reader can tell apart.
func fewRuns(vs int) error {
	if vs > maxVs {
		return usagef("%d times --vs: at most %d runs fit next to the first", vs, maxVs)
	}
	return nil
}

func newMachinePlotCmd(a *app, name string) *cobra.Command {
	file, f := "", figures.MachineFigure{}
	cmd := &cobra.Command{
		Use:   "plot NAME",
		Short: "Draw a figure of a run: load, who gave to whom, idle workers, knowledge ...",
		Long: `plot records a run of the machine and draws it to the file of -o, .svg or .png.
--vs draws another run next to it, with other knobs, and may be repeated:

` + strings.Join(lists.Of(figures.MachineFigures(),
			func(f figures.MachineFigure) string { return fmt.Sprintf("  %-12s %s", f.Name, f.Title) }), "\n"),
		Example:   "  emsim NAME plot load -o load.svg SMALL\n  emsim NAME plot gave -o gave.png --vs=CHANGE SMALL",
		ValidArgs: machineFigureNames(),
	}
	outFlag(cmd, &file, "output,o", "file to write, .svg or .png")
	return a.looksInto(cmd, name, func(args []string, vs int) (err error) {
		if f, err = findMachineFigure(args); err != nil {
			return err
		}
		return cmp.Or(wantsPicture("-o", file), fewRuns(vs))
	}, func(cmd *cobra.Command, run *instrument.Run, _ []string) error {
		x := f.FigureOf(machineRuns(run), figures.OwnSize{})
		x.Title += ": " + run.Title
		return a.writeFigure(cmd, x, file, run.Err)
	})
}
