package command

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/compile"
	"emsim/internal/draw/figures"
	"emsim/internal/machine/run"
)

// blocksFigure is the figure of a Go program's blocks, with those of --vs beside
// it. It needs no run.
func blocksFigure(_ *app, cmd *cobra.Command, f *plotFlags, args []string) (figures.Figure, error) {
	var none figures.Figure
	if len(args) != 1 || !run.IsGoProgram(args[0]) {
		return none, usagef("blocks is of one program in Go, without arguments: emsim plot blocks fib.go -o blocks.svg")
	}
	runs := slices.DeleteFunc(f.ownKeys(), func(k string) bool { return slices.Contains([]string{"blocks", "guards", "vs"}, k) })
	if err := onlyWith(cmd, runs, "has no effect on blocks, a figure without a run"); err != nil {
		return none, err
	}
	if err := sized("blocks", f.size, figures.OwnSize{Width: 8, Height: 6}); err != nil {
		return none, err
	}
	params, err := f.values(cmd, args[0])
	if err != nil {
		return none, err
	}
	if len(f.vs) > maxVs {
		return none, usagef("%d times --vs: at most %d programs fit beside the first", len(f.vs), maxVs)
	}
	var names []string
	var graphs []*compile.Graph
	for i, text := range append([]string{""}, f.vs...) {
		x := maps.Clone(params)
		if i > 0 {
			if err := blocksOptions(x, text); err != nil {
				return none, err
			}
		}
		g, err := interrupt.Await(cmd.Context(), func() (*compile.Graph, error) { return run.GoGraph(args[0], x) })
		if err != nil {
			return none, ended(cmd.Context(), err, "while %s was compiled: %s was not written", args[0], f.file)
		}
		graphs = append(graphs, g)
		names = append(names, fmt.Sprintf("blocks %s, guards at the %s", g.Blocks, g.Guards))
	}
	title := filepath.Base(args[0]) + " in strongly connected blocks"
	if len(graphs) == 1 {
		title += ": " + names[0]
	}
	return figures.BlockGraphs(title, names, graphs, f.size), nil
}

// blocksOptions changes options as the words of --vs say.
func blocksOptions(params map[string]string, text string) error {
	return eachChange(text, "blocks=finest", func(name, value string) error {
		if name != "blocks" && name != "guards" {
			return usagef("expected blocks=VALUE or guards=VALUE, not %q", name+"="+value)
		}
		params[name] = value
		return nil
	})
}
