package command

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"emsim/internal/base/answer"

	"github.com/spf13/cobra"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/lists"
	"emsim/internal/base/plural"
	"emsim/internal/machine/machines"
	"emsim/pdes/banyan"
	"emsim/pdes/mapping"
	"emsim/pdes/network"
	"emsim/pdes/study"
)

// pdesCost is the documented JSON of a row of the cost table.
type pdesCost struct {
	Network      string      `json:"network"`
	Shape        string      `json:"shape"`
	Stages       int         `json:"stages"`
	Wiring       string      `json:"wiring"`
	Neighbour    string      `json:"neighbour"`
	A            float64     `json:"a"`
	B            float64     `json:"b"`
	Conventional float64     `json:"conventional"`
	Greedy       float64     `json:"greedy"`
	Exact        *float64    `json:"exact"` // null if no best map is known
	Ratio        *float64    `json:"ratio"` // conventional / exact
	RatioGreedy  float64     `json:"ratio_greedy"`
	Turned       int         `json:"turned"`
	Edges        int         `json:"edges"`
	MaxPortLoad  [3]*float64 `json:"max_port_load"` // conventional, greedy, exact
	GreedyMap    mapping.Map `json:"greedy_map"`
	ExactMap     mapping.Map `json:"exact_map"`
	SearchNodes  int64       `json:"search_nodes"`
	WithoutExact string      `json:"without_exact,omitempty"` // why no best map is known
	Graph        string      `json:"graph,omitempty"`
	From         *int64      `json:"from,omitempty"` // the slots of the graph that count: the first, and how many
	Slots        int64       `json:"slots,omitempty"`
	Map          string      `json:"map,omitempty"` // the map of --map, with its cost and its busiest port
	Own          *float64    `json:"own,omitempty"`
	OwnPortLoad  *float64    `json:"own_max_port_load,omitempty"`
}

func newPDESCostCmd(a *app) *cobra.Command {
	var all bool
	var from int64
	cmd := &cobra.Command{
		Use:   "cost",
		Short: "Communication cost of the conventional, the greedy and the best map",
		Long: `cost rates maps by the paper's cost function, (1 + A distance) B^(axis changes)
for every message: the conventional map, row by row; the greedy's improvement
of it; and a proven best map. ratio is conventional / exact. There is no exact
search where LPs must share PPs, and a large one may end without a proof: the
rest is printed all the same. --graph rates maps of a program of your own, in its
mean traffic over --slots slots from the slot --from on: the parts of a program
that changes have best maps of their own. --map rates a map of your own, too.
--all prints the ten machines of 'emsim docs PDES', after Ctrl-C the completed
ones.`,
		Example: `  emsim pdes cost --network hxb --shape 4x4 --stages 3
  emsim pdes cost --network hxb --shape 4x4x2 --stages 4 --neighbour xbar --json
  emsim pdes cost --graph docs/examples/pdes-graph.txt --map docs/examples/pdes-map.txt
  emsim pdes cost --graph docs/examples/pdes-graph.txt --from 4000 --slots 4000
  emsim pdes cost --all`,
		Args: noArgs,
	}
	x := newPDESStudy(cmd, "", "rate a map of your own, too", "a", "b", "neighbour", "slots")
	x.onlyRuns = notOfCosts
	cmd.Flags().Lookup("slots").Usage = "with --graph: number of slots whose mean traffic counts"
	cmd.Flags().Int64Var(&from, "from", 0, "with --graph: the first of these slots")
	cmd.Flags().BoolVar(&all, "all", false,
		"rate the ten machines of the cost table, instead of --network, --shape and --stages")
	for _, name := range []string{"network", "shape", "stages", "graph", "map", "from", "slots", "machine", "set"} {
		cmd.MarkFlagsMutuallyExclusive("all", name)
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := x.chooseSpan(a, cmd, from); err != nil {
			return err
		}
		s, w, ctx := x.setup, x.setup.Weights, cmd.Context()
		if all {
			return a.costTable(ctx, x.study.Wiring, w)
		}
		if err := x.place(ctx); err != nil {
			return err
		}
		r, err := study.CostsOf(ctx, x.study, w)
		if r == nil || interrupt.Ended(err) {
			return ended(ctx, err, "during the search for the best map")
		}
		line := newPDESCost(r, s.Neighbour, w, x.scale)
		line.rateOwn(x, w, from)
		return a.emitCosts(line, []pdesCost{line}, err, steps(0, 0))
	}
	return cmd
}

// emitCosts ends 'emsim pdes cost' with its rows; err says that some results are not proven.
func (a *app) emitCosts(answer any, lines []pdesCost, err error, far answer.Far) error {
	table := a.shown(costsSaid(lines))
	if err != nil {
		return a.partial(err, far, answer, table)
	}
	return a.answer(answer, table)
}

// chooseSpan builds the case of the flags, with the mean of the graph over its slots from one on.
func (x *pdesStudy) chooseSpan(a *app, cmd *cobra.Command, from int64) error {
	if from < 0 || from > math.MaxInt32 {
		return usagef("--from: expected a slot from 0 to %d, got %d", math.MaxInt32, from)
	}
	if err := x.readSetup(cmd); err != nil {
		return err
	}
	s := x.setup
	a.noteIdleFlags(cmd, s.Graph == nil, "the banyan's LPs send the same in every slot", "from", "slots")
	if s.Graph != nil && s.Slots > 0 {
		s.Graph = s.Graph.Mean(from, s.Slots, s.Timing.Step)
	}
	return x.build(a, cmd, s.Slots)
}

// rateOwn adds the program of --graph and the map of --map to the row.
func (l *pdesCost) rateOwn(x *pdesStudy, w mapping.Weights, from int64) {
	if x.graph != "" {
		l.Stages, l.Wiring = 0, ""
		l.Graph, l.From, l.Slots = x.graph, &from, x.setup.Slots
	}
	if x.own != nil {
		score := x.score(w)
		l.Map, l.Own, l.OwnPortLoad = x.placing, new(machines.Plain(score.Cost/x.scale)),
			new(float64(score.MaxLoad)/x.scale)
	}
}

// newPDESCost returns a row of the table; scale is the traffic of one message per slot.
func newPDESCost(r *study.Costs, n mapping.Neighbour, w mapping.Weights, scale float64) pdesCost {
	g := r.Grid
	if n == mapping.XBar {
		g = r.XBar
	}
	load := func(s mapping.Score) *float64 { return new(float64(s.MaxLoad) / scale) }
	x := pdesCost{
		Network: string(r.Kind), Shape: r.Shape, Stages: r.Stages, Wiring: string(r.Banyan().Wiring),
		Neighbour: string(n), A: w.A, B: w.B,
		Conventional: machines.Plain(r.Conventional.Cost / scale), Greedy: machines.Plain(g.Score.Cost / scale),
		RatioGreedy: r.RatioTo(g.Score), Turned: r.Turned, Edges: r.Edges,
		MaxPortLoad: [3]*float64{load(r.Conventional), load(g.Score)},
		GreedyMap:   g.Map, SearchNodes: r.Exact.Nodes,
	}
	if r.Exact.Map != nil {
		x.Exact, x.Ratio, x.MaxPortLoad[2], x.ExactMap = new(machines.Plain(r.Exact.Score.Cost/scale)), new(r.Ratio()),
			load(r.Exact.Score), r.Exact.Map
	} else if lps := len(g.Map); lps > r.PPs {
		x.WithoutExact = fmt.Sprintf("%d LPs share %d PPs, and the exact search puts each on a PP of its own", lps,
			r.PPs)
	} else {
		x.WithoutExact = "the search ended without a proof"
	}
	return x
}

// costTable prints the table of the ten machines; HXB has a row for each kind of neighbour.
func (a *app) costTable(ctx context.Context, wiring banyan.Wiring, w mapping.Weights) error {
	lines, cases := []pdesCost{}, study.Cases()
	var unproven error
	done := 0
	line := a.newPart("", len(cases))
	defer line.end()
	for i, machine := range cases {
		machine.Wiring = wiring
		line.steps("machines")(i, len(cases))
		r, err := study.CostsOf(ctx, machine, w)
		if interrupt.Ended(err) {
			unproven = interrupt.Of(ctx, "after %d of %d machines", i, len(cases))
			break
		}
		done++
		if r == nil {
			return err
		}
		unproven = cmp.Or(unproven, err)
		lines = append(lines, newPDESCost(r, mapping.Grid, w, 1))
		if machine.Kind == network.HXB {
			lines = append(lines, newPDESCost(r, mapping.XBar, w, 1))
		}
	}
	return a.emitCosts(lines, lines, unproven, steps(done, len(cases)))
}

// costsSaid returns the answer with the costs of maps.
func costsSaid(lines []pdesCost) *answer.Answer {
	x := &answer.Answer{Title: "Communication cost of maps"}
	l := answer.List{Heads: []string{
		"machine, neighbour", "stages", "conventional", "greedy", "exact", "ratio", "conv / greedy", "turned",
		"port loads",
	}}
	for _, c := range lines {
		exact, ratio, stages := "-", "-", fmt.Sprint(c.Stages)
		if c.Exact != nil {
			exact, ratio = fmt.Sprintf("%.1f", *c.Exact), twoPlaces(*c.Ratio)
		} else {
			l.Notes = append(l.Notes, fmt.Sprintf("no exact map of %s %s: %s", c.Network, c.Shape, c.WithoutExact))
		}
		if c.Graph != "" {
			stages = "-"
			x.Title = fmt.Sprintf("%s in the mean of %s from slot %d on", c.Graph, plural.Of(int(c.Slots), "slot"),
				*c.From)
		}
		if c.Own != nil {
			l.Notes = append(l.Notes, fmt.Sprintf("the map %s: cost %.1f, port load %s", c.Map, *c.Own,
				plainLoad(c.OwnPortLoad)))
		}
		l.Add(fmt.Sprintf("%s %s, %s", c.Network, c.Shape, c.Neighbour), stages, fmt.Sprintf("%.1f", c.Conventional),
			fmt.Sprintf("%.1f", c.Greedy), exact, ratio, twoPlaces(c.RatioGreedy),
			fmt.Sprintf("%d/%d", c.Turned, c.Edges), strings.Join(lists.Of(c.MaxPortLoad[:], plainLoad), " "))
	}
	x.Lists = []answer.List{l}
	return x
}

// plainLoad formats a number of messages, or returns "-" if it is unknown.
func plainLoad(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(*v, 'f', -1, 64)
}
