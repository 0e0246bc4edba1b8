package command

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"emsim/internal/figures"
	"emsim/internal/interrupt"
	"emsim/internal/plural"
	"emsim/internal/suggest"
	"emsim/internal/wholefile"
)

// plotFlags are the flags of 'emsim plot'.
type plotFlags struct {
	ownFlags
	file string
	size figures.OwnSize
}

func newPlotCmd(a *app) *cobra.Command {
	f := &plotFlags{}
	cmd := &cobra.Command{
		Use:   "plot [NAME | NAME PROGRAM [ARG...]]",
		Short: "Draw a figure as SVG or PNG; without a name, list the figures",
		Long: `plot draws a figure to the file of -o, whose ending decides the format: .svg or
.png. Without a name it lists the figures. Ctrl-C writes nothing.

Most figures are of fixed runs, those of the papers. ` + strings.Join(ownNames(), ", ") + `
are of any run: name the program, with the flags of 'emsim run'. --vs draws
another run beside it, with other parameters or knobs, and may be repeated.
series draws the load of every processor over time from a file that --series of
'mnc run', 'rhinet run', 'spmd run' or 'pdes run' has written.
blocks shows how a program in Go becomes strongly connected blocks, without a run;
--blocks and --guards choose them, and --vs puts others beside them.`,
		Example: `  emsim plot
  emsim plot mnc-efficiency -o efficiency.svg
  emsim plot timeline fib 20 --mlpe -o fib.svg
  emsim plot links queens 6 --vs "policy=line" --vs "policy=random" -o links.png
  emsim plot heatmap prog.s 5 --pes 12 --width 12 --height 18 -o heat.svg
  emsim plot timeline --resume fib.ckp -o rest.svg
  emsim plot series load.csv -o load.svg
  emsim plot blocks fib.go --vs blocks=finest -o blocks.svg`,
		ValidArgsFunction: completeFigures,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listFigures()
			}
			figure, err := a.figure(cmd, f, args)
			if err != nil {
				return err
			}
			return a.plot(cmd, figure, f.file)
		},
	}
	f.add(cmd)
	cmd.Flags().StringVarP(&f.file, "output", "o", "", "file to write, .svg or .png")
	cmd.Flags().Float64Var(&f.size.Width, "width", 0, "width of a figure of any run, 8 to 200 centimetres (0: 16)")
	cmd.Flags().Float64Var(&f.size.Height, "height", 0, "height of it (0: what the figure needs)")
	return cmd
}

// ownNames are the names of the figures of any run.
func ownNames() []string {
	var names []string
	for _, f := range figures.Own() {
		names = append(names, f.Name)
	}
	return names
}

// completeFigures offers the names of the figures, then programs.
func completeFigures(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 1 && args[0] == blocksFigure {
		return []cobra.Completion{"go"}, cobra.ShellCompDirectiveFilterFileExt
	}
	if len(args) > 0 {
		if !slices.Contains(ownNames(), args[0]) {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return completePrograms(cmd, args[1:], word)
	}
	var list []cobra.Completion
	for _, f := range figures.Own() {
		list = append(list, cobra.CompletionWithDesc(f.Name, f.Title))
	}
	list = append(list, cobra.CompletionWithDesc(blocksFigure, blocksTitle))
	for _, f := range figures.All() {
		list = append(list, cobra.CompletionWithDesc(f.Name, f.Title))
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// figure returns the figure that a command line asks for; the runs of one of any
// run have been done.
func (a *app) figure(cmd *cobra.Command, f *plotFlags, args []string) (figures.Figure, error) {
	var none figures.Figure
	if args[0] == seriesName {
		return a.seriesFigure(cmd, f, args[1:])
	}
	all, own := figures.All(), figures.Own()
	if args[0] == blocksFigure {
		return f.blocks(cmd, args[1:])
	}
	i := slices.IndexFunc(all, func(f figures.Figure) bool { return f.Name == args[0] })
	j := slices.Index(ownNames(), args[0])
	if i < 0 && j < 0 {
		names := append(ownNames(), seriesName, blocksFigure)
		for _, f := range all {
			names = append(names, f.Name)
		}
		return none, usagef("no figure is called %q; 'emsim plot' lists them%s", args[0], suggest.DidYouMean(args[0], names))
	}
	if err := f.checkFormat(); err != nil {
		return none, err
	}
	outputs := []output{{flag: "-o", name: f.file}}
	if i >= 0 {
		if len(args) > 1 {
			return none, usagef("the figure %s is of fixed runs, so %s has no meaning here; figures of any run are %s", args[0], strings.Join(args[1:], " "), strings.Join(ownNames(), ", "))
		}
		if err := onlyWith(cmd, append(f.ownKeys(), "width", "height"), fmt.Sprintf("has no effect on %s, a figure of fixed runs", args[0])); err != nil {
			return none, err
		}
		return all[i], claim(outputs)
	}
	if err := sized(own[j].Name+" of "+plural.Of(1+len(f.vs), "run"), f.size, own[j].Least(1+len(f.vs))); err != nil {
		return none, err
	}
	if len(args) == 1 && f.resume == "" {
		return none, usagef("which program? For example: emsim plot %s fib 20 -o %s", args[0], f.file)
	}
	runs, err := a.ownRuns(cmd, &f.ownFlags, args[1:], outputs)
	if err != nil {
		return none, err
	}
	var drawn []figures.OwnRun
	for _, r := range runs {
		drawn = append(drawn, r.own())
	}
	x := own[j].Of(drawn, f.size)
	x.Title += ": " + drawn[0].Program
	return x, nil
}

// checkFormat refuses files that no picture can be in.
func (f *plotFlags) checkFormat() error {
	if !slices.Contains(figures.Formats(), strings.ToLower(filepath.Ext(f.file))) {
		return usagef("-o needs a file that ends in %s, got %q", strings.Join(figures.Formats(), " or "), f.file)
	}
	return nil
}

// sized checks a size that was asked for.
func sized(what string, size, least figures.OwnSize) error {
	const most = 200
	if w := size.Width; w != 0 && !(w >= least.Width && w <= most) {
		return usagef("--width is %g, it must be %g..%d centimetres", w, least.Width, most)
	}
	if h := size.Height; h != 0 && !(h >= least.Height && h <= most) {
		return usagef("--height is %g, for %s it must be %g..%d centimetres, or 0 for what it needs", h, what, least.Height, most)
	}
	return nil
}

// plot draws a figure and writes its file.
func (a *app) plot(cmd *cobra.Command, f figures.Figure, file string) error {
	data, err := figures.Encode(cmd.Context(), f, file)
	if interrupt.Ended(err) {
		return interrupt.Of(cmd.Context(), "before the figure was drawn: %s was not written", file)
	}
	if err != nil {
		return err
	}
	if err := wholefile.WriteFile(file, data, 0o666); err != nil {
		return usagef("-o: %w", err)
	}
	return a.emit(map[string]any{"figure": f.Name, "file": file, "bytes": len(data)}, func(w io.Writer) error {
		_, err := fmt.Fprintf(w, "%s: %s, %d bytes\n", file, f.Title, len(data))
		return err
	})
}

func (a *app) listFigures() error {
	type line struct {
		Name   string `json:"name"`
		Title  string `json:"title"`
		Source string `json:"source"`
	}
	list := []line{}
	for _, f := range figures.Own() {
		list = append(list, line{f.Name, f.Title, "any run"})
	}
	list = append(list, line{seriesName, "the load of every processor over time, on any machine but the EM-4", "a file of --series"})
	list = append(list, line{blocksFigure, blocksTitle, "any program in Go"})
	for _, f := range figures.All() {
		list = append(list, line{f.Name, f.Title, f.Source})
	}
	return a.emit(list, func(w io.Writer) error {
		t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "figure\tsource\tshows")
		for _, l := range list {
			fmt.Fprintf(t, "%s\t%s\t%s\n", l.Name, l.Source, l.Title)
		}
		return t.Flush()
	})
}
