package command

import (
	"context"

	"github.com/spf13/cobra"

	"emsim/pdes"
	"emsim/pdes/mapping"
	"emsim/pdes/study"
)

// pdesOwn is a program of one's own, and a map to rate beside those found.
type pdesOwn struct {
	graph, file string
	study       study.Case
	own         mapping.Map // of the file; nil for none
	scale       float64     // the traffic of one message a slot
}

func (x *pdesOwn) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&x.graph, "graph", "", "read a program of your own instead of the banyan from this `FILE`, as 'emsim pdes run' does")
	cmd.Flags().StringVar(&x.file, "map", "", "rate the map in this `FILE`, too: a line for each LP, its name and its PP")
}

// choose is the case of the flags and files.
func (x *pdesOwn) choose(a *app, o *pdesCase, cmd *cobra.Command) (*pdes.Setup, error) {
	s, err := o.choose(cmd)
	if err != nil {
		return nil, err
	}
	if x.graph != "" {
		if s.Graph, err = readGraph(x.graph); err != nil {
			return nil, err
		}
	}
	if _, err := s.Build(); err != nil {
		return nil, o.named(cmd, err)
	}
	a.note([]idleFlags{{[]string{"stages", "wiring"}, s.Graph != nil, "the program is that of --graph"}}, cmd.Flags().Changed)
	shape, err := s.NodeShape()
	if err != nil {
		return nil, err
	}
	x.study = study.Case{Kind: s.Network, Shape: shape, Stages: s.Banyan.Stages, Wiring: s.Banyan.Wiring, Graph: s.Graph}
	c, err := x.study.Config(1)
	if err != nil {
		return nil, err
	}
	x.scale = float64(c.Problem(s.Weights).Graph.Scale)
	if x.file != "" {
		x.own, err = readMap(x.file, &c)
	}
	return s, err
}

// score rates the map of the file.
func (x *pdesOwn) score(w mapping.Weights) (mapping.Score, error) {
	p, err := x.study.Problem(w)
	if err != nil {
		return mapping.Score{}, err
	}
	return p.Score(x.own), nil
}

// addRun runs the map of the file, too.
func (x *pdesOwn) addRun(ctx context.Context, runs []study.ObjectiveRun, w mapping.Weights, cell, window, slots int64) ([]study.ObjectiveRun, error) {
	score, err := x.score(w)
	if err != nil {
		return runs, err
	}
	clocks, err := study.RunMap(ctx, x.study, x.own, cell, window, slots)
	if err != nil {
		return runs, err
	}
	return append(runs, study.ObjectiveRun{Method: "own", Point: study.Point{Score: score, Clocks: clocks}}), nil
}
