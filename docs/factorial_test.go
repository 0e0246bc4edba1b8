package docs_test

import (
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/draw/figures"
	"emsim/internal/study/spread"
)

// factorial is the experiment with all combinations of five remedies: the cells of each
// program, static and with MLPE.
type factorial map[string][][]spread.Cell

func newFactorial(t *testing.T) factorial {
	all, x := read(t, "beyond/factorial.csv"), factorial{}
	for _, mlpe := range []string{"off", "on"} {
		for _, call := range all.distinct(row.call) {
			var rows []map[string]string
			for _, r := range all {
				if r["mlpe"] == mlpe && r.call() == call {
					rows = append(rows, r)
				}
			}
			cells, ok := figures.FactorialCells(rows)
			require.True(t, ok, "%s, %s: a combination failed", call, mlpe)
			x[mlpe] = append(x[mlpe], cells)
		}
		require.Len(t, x[mlpe], 9)
	}
	return x
}

// effects returns the effects of some factors on every program, and in the geometric mean.
func (x factorial) effects(mlpe string, factors uint) (mean spread.Effect, list []spread.Effect) {
	for _, cells := range x[mlpe] {
		list = append(list, spread.EffectOf(cells, factors))
	}
	return spread.MeanEffect(list), list
}

// together returns the effect of a combination on every program, relative to the paper's machine.
func (x factorial) together(mlpe string, second uint) (mean spread.Effect, list []spread.Effect) {
	for _, cells := range x[mlpe] {
		var base, other spread.Spread
		for _, c := range cells {
			switch c.Second {
			case 0:
				base = c.Spread
			case second:
				other = c.Spread
			}
		}
		list = append(list, against(base, other))
	}
	return spread.MeanEffect(list), list
}

// against returns the effect of a machine on a program, relative to the machine without its changes.
func against(base, other spread.Spread) spread.Effect {
	return spread.EffectOf([]spread.Cell{{Second: 0, Spread: base}, {Second: 1, Spread: other}}, 1)
}

// best returns the combination of at most `most` remedies with the shortest static run times in the geometric mean.
func (x factorial) best(most int) (best uint) {
	least := math.Inf(1)
	for second := uint(1); second < 1<<len(figures.Factors); second++ {
		if mean, _ := x.together("off", second); bits.OnesCount(second) <= most && mean.Log < least {
			best, least = second, mean.Log
		}
	}
	return best
}

// certainly returns an effect with its interval, and a mark if it cannot be distinguished from no effect.
func certainly(e spread.Effect) string {
	text := interval(e.Ratio())
	if !e.Certain() {
		text += " ≈"
	}
	return text
}

// says returns an effect as the page writes it: the mean, and the range over the programs.
func says(mean spread.Effect, list []spread.Effect) []string {
	least, most := math.Inf(1), 0.0
	for _, e := range list {
		r, _, _ := e.Ratio()
		least, most = min(least, r), max(most, r)
	}
	return []string{certainly(mean), fmt.Sprintf("%.2f–%.2f", least, most)}
}

// The table of all combinations has each remedy, the pairs that matter, and the best combinations.
func TestFactorialInBeyond(t *testing.T) {
	x, page := newFactorial(t), load(t)
	var lines [][]string
	line := func(name string, of func(mlpe string) (spread.Effect, []spread.Effect)) {
		lines = append(lines, append(append([]string{name}, says(of("off"))...), says(of("on"))...))
	}
	for _, g := range figures.SmallGroups() {
		matters := bits.OnesCount(g) == 1
		for _, mlpe := range []string{"off", "on"} {
			mean, _ := x.effects(mlpe, g)
			matters = matters || mean.Certain() && math.Abs(mean.Log) >= 0.02
		}
		if matters {
			line(figures.FactorNames(g),
				func(mlpe string) (spread.Effect, []spread.Effect) { return x.effects(mlpe, g) })
		}
	}
	for most := 1; most < len(figures.Factors); most++ {
		best := x.best(most + 1)
		if most+1 == len(figures.Factors) {
			best = 1<<len(figures.Factors) - 1
		}
		name := fmt.Sprintf("**%d together**: %s", most+1, strings.ReplaceAll(figures.FactorNames(best), " ×", ","))
		line(name, func(mlpe string) (spread.Effect, []spread.Effect) { return x.together(mlpe, best) })
	}
	page.block(t, "factorial", markdown([]string{"remedy", "static", "programs", "with MLPE", "programs"}, lines))
	page.save(t)
}

// The page's statements about all combinations are true.
func TestProseOfFactorial(t *testing.T) {
	x, page := newFactorial(t), proseOf(t, "beyond/factorial.csv", "BEYOND.md")
	const own, open, buffer, priority, deep = 1, 2, 4, 8, 16
	pair := func(mlpe string, second uint) string {
		mean, _ := x.together(mlpe, second)
		return interval(mean.Ratio())
	}
	fib := func(mlpe string, second uint) string {
		_, list := x.together(mlpe, second) // fib 24 is the first program
		return interval(list[0].Ratio())
	}
	page.says(t, "runs the nine programs in %s of the clocks, in %s with MLPE; fib 24 in %s and %s.",
		pair("off", own|open|buffer), pair("on", own|open|buffer), fib("off", own|open|buffer),
		fib("on", own|open|buffer))
	page.says(t, "A FIFO of 128 words makes that %s and %s.",
		pair("off", own|open|buffer|deep), pair("on", own|open|buffer|deep))
	page.says(t, "the intake shut, make %s and %s, most of it in `loop`; fib 24 takes %s and %s of its clocks.",
		pair("off", buffer|deep), pair("on", buffer|deep), fib("off", buffer|deep), fib("on", buffer|deep))
	for _, mlpe := range []string{"off", "on"} {
		mean, _ := x.effects(mlpe, priority)
		require.Less(t, math.Abs(mean.Log), 0.015, "priority does nothing")
	}
	static, _ := x.effects("off", priority)
	require.Zero(t, static.Log, "without MLPE there is no such packet")
}
