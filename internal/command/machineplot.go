package command

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/draw/figures"
	"emsim/internal/inspect/instrument"
)

// machineFigureNames are the names of the figures of a machine's run.
func machineFigureNames() []string {
	return lists.Of(figures.MachineFigures(), func(f figures.MachineFigure) string { return f.Name })
}

// findMachineFigure finds the figure that a command line asks for.
func findMachineFigure(args []string) (figures.MachineFigure, error) {
	names := machineFigureNames()
	if len(args) != 1 {
		return figures.MachineFigure{}, usagef("which figure, one of %s?", strings.Join(names, ", "))
	}
	f, found := lists.Find(figures.MachineFigures(), func(f figures.MachineFigure) bool { return f.Name == args[0] })
	if !found {
		return f, usagef("there is no figure %q%s: expected %s", args[0], suggest.DidYouMean(args[0], names), strings.Join(names, ", "))
	}
	return f, nil
}

// machineRuns are a run and those beside it.
func machineRuns(run *instrument.Run) (list []*instrument.Run) {
	for ; run != nil; run = run.Beside {
		list = append(list, run)
	}
	return list
}

// fewRuns refuses more runs than can be told apart.
func fewRuns(vs int) error {
	if vs > maxVs {
		return usagef("%d times --vs: at most %d runs fit beside the first", vs, maxVs)
	}
	return nil
}

func newMachinePlotCmd(a *app, name string) *cobra.Command {
	file := ""
	cmd := &cobra.Command{
		Use:   "plot NAME",
		Short: "Draw a figure of a run: load, who gave to whom, idle workers, knowledge ...",
		Long: `plot records a run of the machine and draws it to the file of -o, .svg or .png.
--vs draws another run beside it, with other knobs, and may be repeated:

` + strings.Join(lists.Of(figures.MachineFigures(), func(f figures.MachineFigure) string { return fmt.Sprintf("  %-12s %s", f.Name, f.Title) }), "\n"),
		Example:   "  emsim NAME plot load -o load.svg SMALL\n  emsim NAME plot gave -o gave.png --vs VS SMALL",
		ValidArgs: machineFigureNames(),
	}
	outFlag(cmd, &file, "output,o", "file to write, .svg or .png")
	return a.looksInto(cmd, name, func(args []string, vs int) error {
		_, err := findMachineFigure(args)
		if err == nil {
			err = wantsPicture("-o", file)
		}
		if err == nil {
			err = fewRuns(vs)
		}
		return err
	}, func(cmd *cobra.Command, run *instrument.Run, args []string) error {
		f, err := findMachineFigure(args)
		if err != nil {
			return err
		}
		x := f.FigureOf(machineRuns(run), figures.OwnSize{})
		x.Title += ": " + run.Title
		return a.writeFigure(cmd, x, file, run.Err)
	})
}
