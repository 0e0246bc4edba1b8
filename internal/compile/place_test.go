package compile_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/compile"
	"emsim/internal/machinefile"
)

func decide(t *testing.T, text string, aim compile.Aim) *compile.Plan {
	t.Helper()
	p, err := compile.Decide("p.go", []byte(text), aim)
	require.NoError(t, err)
	return p
}

// The compiler chooses what is not given, always the same, and nothing else.
func TestDecide(t *testing.T) {
	aim := compile.Aim{Machine: em4.Small12(), Args: []int64{8}}
	p := decide(t, source(t, "knapsack"), aim)
	require.Empty(t, p.Fault)
	require.Len(t, p.Tried, 12)
	require.Len(t, p.Cuts, 6)
	again := decide(t, source(t, "knapsack"), aim)
	require.Equal(t, p.Tried, again.Tried)
	require.Equal(t, p.Explain(), again.Explain())

	aim.Given = map[string]string{"policy": "line", "mlpe": "off", "blocks": "finest", "guards": "callee", "placement": "auto"}
	p = decide(t, source(t, "knapsack"), aim)
	require.Equal(t, []string{"line", "off", "finest", "callee"}, []string{p.Policy, p.MLPE, string(p.Blocks), string(p.Guards)})
	require.Contains(t, strings.Join(p.Explain(), "\n"), "Policy line and MLPE off are given.")

	aim.Given = map[string]string{"policy": "linear", "placement": "auto", "blocks": "none"}
	_, err := compile.Decide("p.go", []byte(source(t, "fib")), aim)
	require.ErrorContains(t, err, `the parameter blocks cannot be "none"`)
}

// Too large a program is tried with smaller arguments; one that a trial cannot
// end has the defaults, and the reason is told.
func TestDecideWithoutTrials(t *testing.T) {
	one := map[string]string{"policy": "ring", "mlpe": "off", "blocks": "largest", "guards": "caller"}
	p := decide(t, source(t, "fib"), compile.Aim{Machine: em4.Prototype80(), Args: []int64{40}, Given: one})
	require.Empty(t, p.Fault)
	require.Less(t, p.Args[0], int64(30))
	require.Greater(t, p.Args[0], int64(15)) // but not smaller than need be
	require.Contains(t, strings.Join(p.Explain(), "\n"), "because more takes too long to try")

	const head = "package main\n\n//emsim:arg n 1 9\n"
	for text, want := range map[string]string{
		head + "func f(n int32) int32 {\n\tif n == 7 {\n\t\tpanic(1)\n\t}\n\treturn n\n}\n":      "it panics",
		head + "func f(n int32) int32 {\n\tfor n > 0 {\n\t\tn = n ^ 2 | 1\n\t}\n\treturn n\n}\n": "too much work for a trial",
	} {
		p := decide(t, text, compile.Aim{Machine: em4.Small12(), Args: []int64{7}, Given: one})
		require.Equal(t, []string{want, "ring", "off", "largest", "caller"}, []string{p.Fault, p.Policy, p.MLPE, string(p.Blocks), string(p.Guards)})
		require.Contains(t, strings.Join(p.Explain(), "\n"), want)
	}
}

// An array on all PEs that does not fit them is a reason, too.
func TestDecideSeesStructureMemory(t *testing.T) {
	m := em4.Small12()
	m.StructureWords = 10
	p := decide(t, source(t, "matmul"), compile.Aim{Machine: m, Args: []int64{9}})
	require.Equal(t, []string{"ring", "off", "largest", "caller"}, []string{p.Policy, p.MLPE, string(p.Blocks), string(p.Guards)})
	require.Contains(t, strings.Join(p.Explain(), "\n"), "so what is not given has its default: a PE runs out of structure memory.")
}

// A policy whose instances do not fit the operand segments of a PE is not chosen.
func TestDecideSeesSegments(t *testing.T) {
	m := em4.Small12()
	all := decide(t, source(t, "fib"), compile.Aim{Machine: m, Args: []int64{14}})
	m.Segments = all.Tried[0].Segments - 1
	few := decide(t, source(t, "fib"), compile.Aim{Machine: m, Args: []int64{14}})
	require.Equal(t, "a PE runs out of operand segments", few.Tried[0].Fault)
	require.NotEqual(t, "ring off", few.Policy+" "+few.MLPE)
}

// DATAFLOW.md publishes what is chosen: here for the smallest machine; a slow test measures all.
func TestPublishedChoices(t *testing.T) {
	page, err := os.ReadFile("../../docs/DATAFLOW.md")
	require.NoError(t, err)
	row := regexp.MustCompile("(?m)^\\| `(\\w+) (\\d+)` \\| (12) \\| \\d+ \\| [^|]+ \\| \\d+ \\| ([^|]+) \\|")
	rows := row.FindAllStringSubmatch(string(page), -1)
	require.NotEmpty(t, rows)
	for _, m := range rows {
		arg, err := strconv.ParseInt(m[2], 10, 64)
		require.NoError(t, err)
		pes, err := strconv.Atoi(m[3])
		require.NoError(t, err)
		p := decide(t, source(t, m[1]), compile.Aim{Machine: machinefile.ForSize(pes), Args: []int64{arg}})
		words := p.Policy
		if p.MLPE == "on" {
			words += " with MLPE"
		}
		if p.Blocks != compile.Largest {
			words += ", blocks " + string(p.Blocks)
		}
		if p.Guards != compile.Caller {
			words += ", guards at the " + string(p.Guards)
		}
		require.Equal(t, m[4], words, "%s %d on %d PEs", m[1], arg, pes)
	}
}
