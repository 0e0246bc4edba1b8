package command

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/base/answer"
	"emsim/internal/base/input"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/base/suggest"
	"emsim/internal/compile/cut"
	"emsim/internal/draw/figures"
	"emsim/internal/inspect/blockgraph"
	"emsim/internal/machine/recipe"
	"emsim/internal/machine/run"
)

// plotFlags holds the flags of 'emsim plot'.
type plotFlags struct {
	ownFlags
	motionFlags
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

Most figures show fixed runs from the papers. ` + strings.Join(ownNames(), ", ") + `
show any run: name the program, with the flags of 'emsim run'. --vs draws
another run next to it, with other parameters or knobs, and may be repeated.
knowledge shows what a program with --mlpe compares of other PEs, how old and how wrong.
speedup runs a program on machines of 12 PEs and more, up to --pes or 1024, and draws
its time next to what it would be if twice as many PEs took half of it.
motion shows a stretch of a run as a moving picture of the machine: --from and --clocks
choose it; without --from, it is the stretch in which the PEs work most. The picture
does not move for readers who prefer reduced motion.
series draws a file that --series of a run has written: for the EM-4 what the PEs do
over time, for the other machines the load of every processor.
blocks shows how a program in Go becomes strongly connected blocks, without a run;
--blocks and --guards choose them, and --vs draws other choices next to them.`,
		Example: `  emsim plot
  emsim plot mnc-efficiency -o efficiency.svg
  emsim plot timeline fib 20 --mlpe -o fib.svg
  emsim plot links queens 6 --vs "policy=line" --vs "policy=random" -o links.png
  emsim plot heatmap prog.s 5 --pes 12 --width 12 --height 18 -o heat.svg
  emsim plot speedup fib 16 --vs policy=line -o speedup.svg
  emsim plot motion fib 16 --from 1400 -o motion.svg
  emsim plot timeline --resume fib.ckp -o rest.svg
  emsim plot series load.csv -o load.svg
  emsim plot blocks fib.go --vs blocks=finest -o blocks.svg`,
		ValidArgsFunction: completeFigures,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				var own []string
				cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { own = append(own, f.Name) })
				if err := onlyWith(cmd, own,
					"has no effect without the name of a figure, and 'emsim plot' lists them"); err != nil {
					return err
				}
				return a.listFigures()
			}
			figure, err := a.figure(cmd, f, args)
			if err != nil {
				return err
			}
			return a.writeFigure(cmd, figure, f.file, nil)
		},
	}
	f.ownFlags.addFlags(a, cmd)
	f.motionFlags.addFlags(cmd)
	outFlag(cmd, &f.file, "output,o", "file to write, .svg or .png")
	cmd.Flags().Float64Var(&f.size.Width, "width", 0, "width of a figure of any run, 8 to 200 centimetres (0: 16)")
	cmd.Flags().Float64Var(&f.size.Height, "height", 0, "height of a figure of any run, in centimetres (0: what "+
		"the figure needs)")
	return cmd
}

// plotted is a figure that 'emsim plot' draws. Both functions take the arguments after the figure's name.
type plotted struct {
	name, title, source string
	figure              figureOf
	complete            cobra.CompletionFunc
}

type figureOf func(a *app, cmd *cobra.Command, f *plotFlags, args []string) (figures.Figure, error)

// plots returns all figures, in the order in which they are listed.
func plots() []plotted {
	var list []plotted
	for _, own := range figures.OwnFigures() {
		list = append(list, plotted{own.Name, own.Title, "any run", ofRuns(own), completePrograms})
	}
	known, _ := findMachineFigure([]string{"knowledge"}) // the states of PEs and the calls have figures of their own
	list = append(list, plotted{known.Name, known.Title, "any run", ofMoves(known), completePrograms}, plotted{
		"speedup", "Time and speed-up over the sizes of the machine", "any program", speedupFigure, completePrograms,
	}, plotted{
		"motion", "A stretch of a run as a moving picture: packets on their links, PEs and their queues", "any run",
		motionFigure, completePrograms,
	}, plotted{
		"series", "The load of every processor over time, on any machine except the EM-4",
		"a file of --series", seriesFigure, completeEnding("csv"),
	},
		plotted{
			"blocks", "The strongly connected blocks of a program in Go", "any program in Go", blocksFigure,
			completeEnding("go"),
		})
	for _, fixed := range figures.All() {
		list = append(list, plotted{fixed.Name, fixed.Title, fixed.Source, asItIs(fixed), cobra.NoFileCompletions})
	}
	return list
}

// completeEnding completes files with the given ending.
func completeEnding(ending string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return []cobra.Completion{ending}, cobra.ShellCompDirectiveFilterFileExt
	}
}

// ownNames returns the names of the figures that any run can have.
func ownNames() []string {
	return lists.Of(figures.OwnFigures(), func(f figures.OwnFigure) string { return f.Name })
}

// completeFigures completes the names of figures, then the arguments of a figure.
func completeFigures(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var list []cobra.Completion
	for _, p := range plots() {
		if len(args) > 0 && args[0] == p.name {
			return p.complete(cmd, args[1:], word)
		}
		list = append(list, cobra.CompletionWithDesc(p.name, p.title))
	}
	if len(args) > 0 {
		list = nil
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// figure returns the figure that the arguments name. For a figure of any run it also does the runs.
func (a *app) figure(cmd *cobra.Command, f *plotFlags, args []string) (figures.Figure, error) {
	var names []string
	for _, p := range plots() {
		if names = append(names, p.name); p.name != args[0] {
			continue
		}
		if err := wantsPicture("-o", f.file); err != nil {
			return figures.Figure{}, err
		}
		if p.name != "motion" {
			if err := onlyWith(cmd, []string{"from", "clocks"}, "has no effect on "+p.name+": only motion shows some "+
				"clocks"); err != nil {
				return figures.Figure{}, err
			}
		}
		return p.figure(a, cmd, f, args[1:])
	}
	return figures.Figure{}, usagef("no figure is called %q; 'emsim plot' lists them%s", args[0],
		suggest.DidYouMean(args[0], names))
}

// asItIs returns the function of a figure that always shows the same runs.
func asItIs(fixed figures.Figure) figureOf {
	return func(_ *app, cmd *cobra.Command, f *plotFlags, args []string) (figures.Figure, error) {
		if len(args) > 0 {
			return fixed, usagef("the figure %s shows fixed runs, so %s has no effect; figures of any run are %s",
				fixed.Name, strings.Join(args, " "), strings.Join(ownNames(), ", "))
		}
		if err := onlyWith(cmd, append(f.ownKeys(), "width", "height"),
			fmt.Sprintf("has no effect on %s, a figure of fixed runs", fixed.Name)); err != nil {
			return fixed, err
		}
		return fixed, nil
	}
}

// ofRuns returns the function of a figure of a run, and of the runs of --vs.
func ofRuns(own figures.OwnFigure) figureOf {
	return func(a *app, cmd *cobra.Command, f *plotFlags, args []string) (x figures.Figure, err error) {
		n := 1 + len(f.vs)
		if err := sized(own.Name+" of "+plural.Of(n, "run"), f.size, figures.OwnLeast(own, n)); err != nil {
			return x, err
		}
		if len(args) == 0 && f.resume == "" {
			return x, usagef("which program? For example: emsim plot %s fib 20 -o %s", own.Name, f.file)
		}
		if own.Adds && cmd.Flags().Changed("sample") {
			return x, usagef("--sample has no effect on %s, which adds up a whole run", own.Name)
		}
		runs, err := a.ownRuns(cmd, &f.ownFlags, args)
		if err != nil {
			return x, err
		}
		drawn := lists.Of(runs, func(r *observed) figures.OwnRun {
			return figures.OwnRun{Name: r.Name, Program: r.Call(), Portrait: r.Portrait}
		})
		x = own.FigureOf(drawn, f.size)
		x.Title += ": " + drawn[0].Program
		return x, nil
	}
}

// ofMoves returns the function of a figure of a run's moves, and of the moves of the runs of --vs.
func ofMoves(m figures.MachineFigure) figureOf {
	return func(a *app, cmd *cobra.Command, f *plotFlags, args []string) (x figures.Figure, err error) {
		if err := sized(m.Name, f.size, figures.OwnSize{Width: 8, Height: 8}); err != nil {
			return x, err
		}
		if err := onlyWith(cmd, []string{"resume", "sample"}, "has no effect on "+m.Name+
			", which shows every move of a whole run"); err != nil {
			return x, err
		}
		if len(args) == 0 {
			return x, usagef("which program? For example: emsim plot %s fib 12 -o %s", m.Name, f.file)
		}
		if err := fewRuns(len(f.vs)); err != nil {
			return x, err
		}
		spec, err := f.runSpec(cmd, args)
		if err != nil {
			return x, err
		}
		runs, err := a.recordPrograms(cmd, spec, f.vs)
		if err != nil {
			return x, err
		}
		x = m.FigureOf(runs, f.size)
		x.Title += ": " + runs[0].Title
		return x, runs[0].Err
	}
}

// sized rejects a size that is out of range.
func sized(what string, size, least figures.OwnSize) error {
	const most = 200
	if w := size.Width; w != 0 && !(w >= least.Width && w <= most) {
		return usagef("--width is %g, it must be %g..%d centimetres", w, least.Width, most)
	}
	if h := size.Height; h != 0 && !(h >= least.Height && h <= most) {
		return usagef("--height is %g, for %s it must be %g..%d centimetres, or 0 for what it needs", h, what,
			least.Height, most)
	}
	return nil
}

// writeFigure draws a figure and writes it to a file. failed says why the run in the figure failed, or is nil.
func (a *app) writeFigure(cmd *cobra.Command, f figures.Figure, file string, failed error) error {
	data, err := figures.Encode(cmd.Context(), f, file)
	if err != nil {
		return ended(cmd.Context(), err, "before the figure was drawn: %s was not written", file)
	}
	data = recipe.InFile(file, data, a.recipe("-o"))
	if err := writeOutput("-o", file, data); err != nil {
		return err
	}
	x := wrote(file, len(data), "%s", f.Title).SayAll("figure", f.Name)
	return a.emitRun(x, a.shown(x), failed, nil)
}

// figureColumns describes the rows of 'emsim plot'.
var figureColumns = answer.Columns[plotted]{
	{Key: "name", Head: "figure", Of: func(p plotted) any { return p.name }},
	{Key: "title", Head: "shows", Of: func(p plotted) any { return p.title }},
	{Key: "source", Head: "source", Doc: "what it is drawn from", Of: func(p plotted) any { return p.source }},
}

// listFigures prints the list of figures.
func (a *app) listFigures() error {
	x := &answer.Answer{
		Title: plural.Of(len(plots()), "figure"), Lists: []answer.List{figureColumns.List(plots())},
		Next: answer.Next{Command: "emsim plot FIGURE -o FILE.svg", Why: "draws one"},
	}
	return a.answer(figureColumns.Objects(plots()), a.shown(x))
}

// seriesFigure returns the figure of a file of --series.
func seriesFigure(_ *app, cmd *cobra.Command, f *plotFlags, args []string) (figures.Figure, error) {
	var none figures.Figure
	if len(args) != 1 {
		return none, usagef("which file of --series? For example: emsim plot series load.csv -o %s",
			cmp.Or(f.file, "load.svg"))
	}
	if err := onlyWith(cmd, f.ownKeys(), "has no effect on series, a figure of a file"); err != nil {
		return none, err
	}
	if err := sized("series", f.size, figures.SeriesLeast); err != nil {
		return none, err
	}
	want := input.Want{
		What: "a file of --series", Kinds: []input.Kind{input.Text}, Most: 1 << 30,
		Why: "16 million lines",
	}
	text, err := want.Read(args[0])
	if err != nil {
		return none, usagef("%w", err)
	}
	return figures.Series(args[0], text, f.size)
}

// blocksFigure returns the figure of a Go program's blocks, next to the blocks for each --vs. It needs no run.
func blocksFigure(_ *app, cmd *cobra.Command, f *plotFlags, args []string) (figures.Figure, error) {
	var none figures.Figure
	if err := sized("blocks", f.size, figures.OwnSize{Width: 8, Height: 6}); err != nil {
		return none, err
	}
	if len(args) != 1 || !run.IsGoProgram(args[0]) {
		return none, usagef("expected one program in Go, without arguments: emsim plot blocks fib.go -o %s", f.file)
	}
	runs := slices.DeleteFunc(f.ownKeys(),
		func(k string) bool { return slices.Contains([]string{"blocks", "guards", "vs"}, k) })
	if err := onlyWith(cmd, runs, "has no effect on blocks, a figure without a run"); err != nil {
		return none, err
	}
	params, err := f.values(cmd, args[0])
	if err != nil {
		return none, err
	}
	if len(f.vs) > maxVs {
		return none, usagef("%d times --vs: at most %d programs fit next to the first", len(f.vs), maxVs)
	}
	var names []string
	var pictures []*blockgraph.Picture
	for i, text := range append([]string{""}, f.vs...) {
		x := maps.Clone(params)
		if i > 0 {
			if err := blocksOptions(x, text); err != nil {
				return none, err
			}
		}
		g, err := interrupt.Await(cmd.Context(), func() (*cut.Graph, error) { return run.GoGraph(args[0], x) })
		if err != nil {
			return none, ended(cmd.Context(), err, "while %s was compiled: %s was not written", args[0], f.file)
		}
		pictures = append(pictures, blockgraph.New(g))
		names = append(names, fmt.Sprintf("blocks %s, guards at the %s", g.Blocks, g.Guards))
	}
	title := filepath.Base(args[0]) + " in strongly connected blocks"
	if len(pictures) == 1 {
		title += ": " + names[0]
	}
	return figures.BlockGraphs(title, names, pictures, f.size), nil
}

// blocksOptions applies the words of --vs to options.
func blocksOptions(params map[string]string, text string) error {
	return eachChange(text, "blocks=finest", func(name, value string) error {
		if name != "blocks" && name != "guards" {
			return usagef("expected blocks=VALUE or guards=VALUE, not %q", name+"="+value)
		}
		params[name] = value
		return nil
	})
}
