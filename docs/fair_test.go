package docs_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/study/spread"
)

// The page has the cost of the fair switch for each program, alone and with five remedies.
func TestFairSwitchInBeyond(t *testing.T) {
	x, page := emcy{read(t, "beyond/fair.csv")}, load(t)
	columns := [][3]string{ // MLPE, and the variant that is the reference
		{"off", "base", "fair switch"},
		{"on", "base", "fair switch"},
		{"off", "five remedies", "five remedies, fair switch"},
		{"on", "five remedies", "five remedies, fair switch"},
	}
	var means []string
	effects := make([][]spread.Effect, len(columns))
	for i, c := range columns {
		var mean spread.Effect
		mean, effects[i] = x.against(t, c[0], c[1], c[2])
		means = append(means, certainly(mean))
		require.Less(t, math.Abs(mean.Log), 0.02, "nothing, says the page")
	}
	var lines [][]string
	for i, call := range x.distinct(row.call) {
		line := []string{call}
		for c := range columns {
			line = append(line, certainly(effects[c][i]))
		}
		lines = append(lines, line)
	}
	lines = append(lines, append([]string{"geometric mean"}, means...))
	page.block(t, "fair", markdown([]string{
		"program", "alone, static", "with MLPE", "with five remedies, static", "with MLPE",
	}, lines))
	page.save(t)
	of := func(call string) string {
		i := slices.Index(x.distinct(row.call), call)
		return certainly(effects[0][i])
	}
	proseOf(t, "beyond/fair.csv", "BEYOND.md").says(t,
		"(alone and static `loop` takes %s of the clocks, fib 24 %s, `queens` %s)", of("loop 50"),
		of("fib 24"), of("queens 8"))
}
