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

// costRow is a row of the table of costs: a machine with a kind of neighbour.
type costRow struct {
	*study.Costs
	neighbour mapping.Neighbour
	weights   mapping.Weights
	scale     float64 // the traffic of one message per slot
	graph     string  // of --graph, or "", with the slots that count: the first, and how many
	from      int64
	slots     int64
	placing   string // of --map, or "", with the map's score
	own       mapping.Score
}

// costColumns declare a row of the table of costs.
var costColumns = answer.Columns[costRow]{
	{Head: "machine, neighbour", Of: func(r costRow) any {
		return fmt.Sprintf("%s %s, %s", r.Kind, r.Shape, r.neighbour)
	}},
	{Key: "network", Of: func(r costRow) any { return r.Kind }},
	{Key: "shape", Of: func(r costRow) any { return r.Shape }},
	{Key: "stages", Head: "stages", Doc: "of the banyan; null with --graph", Of: func(r costRow) any {
		return unless(r.graph != "", r.Stages)
	}},
	{Key: "wiring", Doc: "of the banyan; null with --graph", Of: func(r costRow) any {
		return unless(r.graph != "", r.Banyan().Wiring)
	}},
	{Key: "neighbour", Doc: "which maps the greedy looks at next", Of: func(r costRow) any { return r.neighbour }},
	{Key: "a", Of: func(r costRow) any { return r.weights.A }},
	{Key: "b", Of: func(r costRow) any { return r.weights.B }},
	{
		Key: "conventional", Head: "conventional", Doc: "cost, in messages per slot", Format: "%.1f",
		Of: func(r costRow) any { return r.cost(r.Conventional) },
	},
	{Key: "greedy", Head: "greedy", Doc: "cost", Format: "%.1f", Of: func(r costRow) any {
		return r.cost(r.found().Score)
	}},
	{Key: "exact", Head: "exact", Doc: "cost; null if no best map is known", Format: "%.1f", Of: func(r costRow) any {
		return unless(r.Exact.Map == nil, r.cost(r.Exact.Score))
	}},
	{Key: "ratio", Head: "ratio", Doc: "conventional over exact", Format: "%.2f", Of: func(r costRow) any {
		return unless(r.Exact.Map == nil, r.Ratio())
	}},
	{Key: "ratio_greedy", Head: "conv / greedy", Format: "%.2f", Of: func(r costRow) any {
		return r.RatioTo(r.found().Score)
	}},
	{Head: "turned", Of: func(r costRow) any { return fmt.Sprintf("%d/%d", r.Turned, r.Edges) }},
	{Key: "turned", Doc: "edges that change axis under the conventional map", Of: func(r costRow) any {
		return r.Turned
	}},
	{Key: "edges", Of: func(r costRow) any { return r.Edges }},
	{Head: "port loads", Of: func(r costRow) any {
		return strings.Join(lists.Of(r.loads(), plainLoad), " ")
	}},
	{Key: "max_port_load", Doc: "conventional, greedy, exact", Of: func(r costRow) any { return r.loads() }},
	{Key: "greedy_map", Of: func(r costRow) any { return r.found().Map }},
	{Key: "exact_map", Of: func(r costRow) any { return r.Exact.Map }},
	{Key: "search_nodes", Doc: "of the exact search", Of: func(r costRow) any { return r.Exact.Nodes }},
	{Key: "without_exact", Doc: "why no best map is known, or null", Of: func(r costRow) any {
		return unless(r.withoutExact() == "", r.withoutExact())
	}},
	{Key: "graph", Doc: "of --graph, or null", Of: func(r costRow) any { return unless(r.graph == "", r.graph) }},
	{Key: "from", Doc: "the first slot that counts", Of: func(r costRow) any { return unless(r.graph == "", r.from) }},
	{Key: "slots", Doc: "how many slots count", Of: func(r costRow) any { return unless(r.graph == "", r.slots) }},
	{Key: "map", Doc: "of --map, or null", Of: func(r costRow) any { return unless(r.placing == "", r.placing) }},
	{Key: "own", Doc: "its cost", Of: func(r costRow) any { return unless(r.placing == "", r.cost(r.own)) }},
	{Key: "own_max_port_load", Of: func(r costRow) any { return unless(r.placing == "", r.load(r.own)) }},
}

// found returns the result of the greedy search.
func (r *costRow) found() *mapping.Search {
	if r.neighbour == mapping.XBar {
		return &r.XBar
	}
	return &r.Grid
}

func (r *costRow) cost(s mapping.Score) float64 { return machines.Plain(s.Cost / r.scale) }

func (r *costRow) load(s mapping.Score) float64 { return float64(s.MaxLoad) / r.scale }

// loads returns the loads of the busiest ports under the conventional, the greedy and the exact map.
func (r *costRow) loads() []any {
	return []any{r.load(r.Conventional), r.load(r.found().Score), unless(r.Exact.Map == nil, r.load(r.Exact.Score))}
}

// withoutExact returns the reason why no best map is known, or "".
func (r *costRow) withoutExact() string {
	switch lps := len(r.Grid.Map); {
	case r.Exact.Map != nil:
		return ""
	case lps > r.PPs:
		return fmt.Sprintf("%d LPs share %d PPs, and the exact search puts each on a PP of its own", lps, r.PPs)
	}
	return "the search ended without a proof"
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
	x := newPDESStudy(a, cmd, "", "rate a map of your own, too", "a", "b", "neighbour", "slots")
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
		row := costRow{
			Costs: r, neighbour: s.Neighbour, weights: w, scale: x.scale, graph: x.graph, from: from, slots: s.Slots,
			placing: x.placing,
		}
		if x.own != nil {
			row.own = x.score(w)
		}
		return a.emitCosts(costColumns.Objects([]costRow{row})[0], []costRow{row}, err, steps(0, 0))
	}
	return cmd
}

// emitCosts ends 'emsim pdes cost' with its rows. err says that some results are not proven or that the user
// interrupted the command, or is nil.
func (a *app) emitCosts(answer any, lines []costRow, err error, far answer.Far) error {
	table := a.shown(costsSaid(lines))
	if err != nil {
		return a.partial(err, far, answer, table)
	}
	return a.answer(answer, table)
}

// chooseSpan builds the case of the flags. For a graph, it takes the mean traffic of its slots, from the given one on.
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

// costTable prints the table of the ten machines; HXB has a row for each kind of neighbour.
func (a *app) costTable(ctx context.Context, wiring banyan.Wiring, w mapping.Weights) error {
	rows, cases := []costRow{}, study.Cases()
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
		rows = append(rows, costRow{Costs: r, neighbour: mapping.Grid, weights: w, scale: 1})
		if machine.Kind == network.HXB {
			rows = append(rows, costRow{Costs: r, neighbour: mapping.XBar, weights: w, scale: 1})
		}
	}
	return a.emitCosts(costColumns.Objects(rows), rows, unproven, steps(done, len(cases)))
}

// costsSaid returns the answer with the costs of maps.
func costsSaid(rows []costRow) *answer.Answer {
	x, l := &answer.Answer{
		Title: "Communication cost of maps",
		Next:  answer.Next{Command: "emsim pdes run --vs map=exact", Why: "what the best map is worth in clocks"},
	}, costColumns.List(rows)
	for _, r := range rows {
		if why := r.withoutExact(); why != "" {
			l.Notes = append(l.Notes, fmt.Sprintf("no exact map of %s %s: %s", r.Kind, r.Shape, why))
		}
		if r.graph != "" {
			x.Title = fmt.Sprintf("%s in the mean of %s from slot %d on", r.graph, plural.Of(int(r.slots), "slot"),
				r.from)
		}
		if r.placing != "" {
			l.Notes = append(l.Notes, fmt.Sprintf("the map %s: cost %.1f, port load %s", r.placing, r.cost(r.own),
				plainLoad(r.load(r.own))))
		}
	}
	x.Lists = []answer.List{l}
	return x
}

// plainLoad formats a number of messages, or returns "-" if it is unknown.
func plainLoad(v any) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(v.(float64), 'f', -1, 64)
}
