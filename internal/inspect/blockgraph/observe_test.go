package blockgraph

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/machine/run"
	builtin "emsim/programs"
	"emsim/trace"
)

// watched is a run that has been seen whole, on 12 PEs.
func watched(t *testing.T, name string, args ...int64) (*run.Batch, *Observer, em4.Totals) {
	t.Helper()
	o, err := builtin.Assemble(name, nil)
	require.NoError(t, err)
	config, err := run.Machine{Name: "emc-r", Sets: []string{"pes=12"}}.Config()
	require.NoError(t, err)
	target, err := run.Build(name, o, config, 1)
	require.NoError(t, err)
	require.NoError(t, target.SetArgs(args))
	require.NoError(t, target.Boot(context.Background(), 0))
	b := run.New(target, run.Plan{Runs: 1})
	require.NoError(t, b.Begin())
	seen := &Observer{}
	b.Watch(trace.NewRecorder(trace.Func(seen.Event), 12, trace.All(12)), 0, math.MaxUint64)
	require.NoError(t, b.Advance(context.Background(), em4.ToEnd))
	one, _ := b.EndRun(nil)
	return b, seen, one.Totals
}

// All packets of a run are in its picture: those that the FMUs took lead to blocks, the
// words for the host to the host, and an instance of fib begins with two operands.
func TestObserved(t *testing.T) {
	for name, args := range map[string][]int64{"fib": {7}, "queens": {5}, "stream": {9}, "matmul": {3}} {
		b, seen, totals := watched(t, name, args...)
		p := seen.Picture(b.Object, b.SourceText, math.MaxUint64)
		require.Len(t, p.Panels, 1)
		require.Equal(t, "blocks that have run", p.Panels[0].Title)
		boxes := p.Panels[0].Boxes
		to := map[string]int{}
		for _, e := range p.Panels[0].Edges {
			require.Positive(t, e.Packets)
			to[boxes[e.To].Name] += e.Packets
		}
		taken := 0
		for name, n := range to {
			if name != "host" {
				taken += n
			}
		}
		consumed, _ := em4.StatisticOf("packets_consumed")
		require.EqualValues(t, consumed.Number(&totals), taken, name)
		require.Equal(t, 1, to["host"], name)
		require.Equal(t, []Kind{{"packets", "packets, and how many so far"}}, p.Kinds)
		require.Contains(t, p.Legend, "has run so far")
		if name == "fib" {
			require.EqualValues(t, 2*totals.Calls, to["start"])
		}
	}
}

// A box has the lines that its block has executed, each once, of other files by their names.
func TestObservedLines(t *testing.T) {
	b, seen, _ := watched(t, "fib", 1) // one leaf
	p := seen.Picture(b.Object, b.SourceText, math.MaxUint64)
	lines := map[string]string{}
	for _, x := range p.Panels[0].Boxes {
		for _, line := range x.Texts {
			lines[x.Name] += fmt.Sprintf("%s %d; ", line.Words, line.Line)
		}
	}
	require.Regexp(t, `^start   5 instructions 0; \d+  mov r8, 3 \d+; \d+  blt r1, r8, leaf \d+; \d+  mov r3, 1 \d+; \d+  send r3, r2, 0 \d+; \d+  relseg! fp \d+; $`, lines["start"])
	require.Regexp(t, `^answer   1 instruction 0; call\.s:\d+  out! r1 0; $`, lines["answer"])
	require.Equal(t, "host 0; ", lines["host"])

	// Before a clock only what had begun then; before the first nothing.
	first := seen.Begun[0].Clock
	require.Empty(t, seen.Picture(b.Object, b.SourceText, first).Panels[0].Boxes)
	p = seen.Picture(b.Object, b.SourceText, first+1)
	require.Len(t, p.Panels[0].Boxes, 2)
	require.True(t, strings.HasPrefix(p.Panels[0].Boxes[1].Texts[0].Words, "main   "))
	require.LessOrEqual(t, len(p.Panels[0].Boxes[1].Texts), 2)
}
