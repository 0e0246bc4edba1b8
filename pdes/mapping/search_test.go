package mapping

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/pdes/banyan"
	"emsim/pdes/network"
)

// Every minimiser finds the recorded map, drawn node by node, on every network. The effort is recorded too: a
// migration pays clocks for each map or exchange that it rates.
func TestSearches(t *testing.T) {
	golden.Script(t, "search.txt", func(c golden.Case) string {
		stages, shape, from := 3, "", "conventional"
		var kind network.Kind
		wiring, how, objective, seed, steps := banyan.Omega, "greedy", ByCost, uint64(1), 500
		for _, a := range c.Args {
			number, _ := strconv.Atoi(a.Value)
			switch a.Key {
			case "stages":
				stages = number
			case "wiring":
				wiring = banyan.Wiring(a.Value)
			case "by":
				objective = Objective(a.Value)
			case "seed":
				seed = uint64(number)
			case "steps":
				steps = number
			case "from":
				from = a.Value
			case "how":
				how = a.Value
			default:
				kind, shape = network.Kind(c.Cmd), a.Key
			}
		}
		net, err := network.Parse(kind, shape)
		require.NoError(t, err, c.Place)
		m := banyan.Default(stages)
		m.Wiring = wiring
		p := NewProblem(banyanGraph(&m), net, Reference())
		start := Conventional(m.LPs(), net.Nodes())
		if from == "random" {
			start = Random(m.LPs(), net.Nodes(), seed)
		}
		var s Search
		switch how {
		case "start":
			s = Search{Map: start, Score: p.Score(start)}
		case "greedy":
			s, err = p.Greedy(context.Background(), start, Grid, objective)
			require.NoError(t, err)
		case "xbar":
			s, err = p.Greedy(context.Background(), start, XBar, objective)
			require.NoError(t, err)
		case "anneal":
			s, err = p.Anneal(context.Background(), start, objective, steps, seed)
			require.NoError(t, err)
		case "exact":
			if s, err = p.Exact(context.Background(), objective); err != nil {
				return err.Error()
			}
		}
		return told(p, s)
	})
}

// With large weights the gain of an exchange can be a mere rounding error. The greedy still ends, with a map that
// costs no more than the first.
func TestGreedyEndsWithLargeWeights(t *testing.T) {
	for _, c := range []struct {
		kind   network.Kind
		shape  string
		stages int
		w      Weights
		how    Neighbour
		seed   uint64
	}{
		{network.Torus, "2x2x2", 4, Weights{A: 406.97696624812505, B: MaxWeight}, Grid, 41},
		{network.HXB, "4x2", 4, Weights{A: 465.8794005645589, B: 12345.678}, Grid, 39},
		{network.HXB, "2x2x2", 4, Weights{A: MaxWeight, B: 1.0 / MaxWeight}, XBar, 68},
	} {
		net, err := network.Parse(c.kind, c.shape)
		require.NoError(t, err)
		m := banyan.Default(c.stages)
		p := NewProblem(banyanGraph(&m), net, c.w)
		start := Random(m.LPs(), net.Nodes(), c.seed)
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		s, err := p.Greedy(ctx, start, c.how, ByCost)
		require.NoError(t, err, "%s %s, %v", c.kind, c.shape, c.w)
		require.LessOrEqual(t, s.Score.Cost, p.Cost(start))
		on := hosts(s.Map, net.Nodes())
		for _, pair := range Pairs(net, c.how) {
			swapNodes(s.Map, on, pair[0], pair[1])
			require.GreaterOrEqual(t, p.Cost(s.Map), s.Score.Cost*(1-1e-12), "the map is a local minimum")
			swapNodes(s.Map, on, pair[0], pair[1])
		}
	}
}

// told describes a search and its map: the LPs of every node, one line per row of X.
func told(p *Problem, s Search) string {
	var b strings.Builder
	turned, edges := p.Turned(s.Map)
	fmt.Fprintf(&b, "cost %.2f, busiest port %d, squares %.0f, %d of %d edges turn", s.Score.Cost, s.Score.MaxLoad,
		s.Score.Squares, turned, edges)
	for _, n := range []struct {
		what  string
		count int64
	}{{"swaps", int64(s.Swaps)}, {"rated", s.Evaluations}, {"search nodes", s.Nodes}} {
		if n.count > 0 {
			fmt.Fprintf(&b, ", %d %s", n.count, n.what)
		}
	}
	if s.Proven {
		b.WriteString(", proven")
	}
	on := hosts(s.Map, p.nodes)
	for node, lps := range on {
		if node%p.Net.Dims[0] == 0 {
			b.WriteString("\n")
		}
		cell := "."
		if len(lps) > 0 {
			cell = strings.ReplaceAll(strings.Trim(fmt.Sprint(lps), "[]"), " ", ",")
		}
		fmt.Fprintf(&b, " %3s", cell)
	}
	return strings.ReplaceAll(b.String(), "\n ", "\n") + "\n"
}
