package command

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"emsim/internal/base/lists"
	"emsim/internal/base/suggest"
	"emsim/internal/draw/figures"
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
