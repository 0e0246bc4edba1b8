package mapping

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/golden"
	"emsim/pdes/banyan"
	"emsim/pdes/network"
)

// Every minimiser on every network, with the map that it finds, drawn node by
// node, and with what the search took: a migration pays clocks for each map or
// exchange that it rates.
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
		p := NewProblem(Banyan(&m), net, Reference())
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

// told is a search in words with its map: the LPs of every node, one line per
// row of X.
func told(p *Problem, s Search) string {
	var b strings.Builder
	turned, edges := p.Turned(s.Map)
	fmt.Fprintf(&b, "cost %.2f, busiest port %d, squares %d, %d of %d edges turn", s.Score.Cost, s.Score.MaxLoad, s.Score.Squares, turned, edges)
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
