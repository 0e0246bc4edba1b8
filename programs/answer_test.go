package programs_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/programs"
)

// Arguments for the tests: from the smallest on, on one machine one after the
// other, so that what a run leaves in the memories must not disturb the next.
var arguments = map[string][]uint64{
	"fib":      {1, 2, 9},
	"knapsack": {1, 3, 9},
	"loop":     {1, 4},
	"matmul":   {1, 5, 4},
	"pi":       {1, 4, 22},
	"queens":   {1, 2, 6},
	"sort":     {1, 5, 60},
	"stream":   {1, 9},
	"sum":      {1, 17, 700, 160},
}

func TestListIsComplete(t *testing.T) {
	var names []string
	for _, i := range programs.List() {
		names = append(names, i.Name)
		o, err := programs.Assemble(i.Name, nil)
		require.NoError(t, err)
		require.Len(t, o.Args, 1)
		require.Truef(t, strings.HasSuffix(i.Argument, fmt.Sprintf(", %d..%d", o.Args[0].Min, o.Args[0].Max)), "%s: %s", i.Name, i.Argument)
		require.NotEmpty(t, arguments[i.Name])
		require.NotEmpty(t, i.Does)
		require.NotEmpty(t, i.Answer)
		require.LessOrEqual(t, int64(i.Typical), o.Args[0].Max)
	}
	require.Equal(t, programs.Names(), names)
	require.False(t, programs.Known("lib"))
}

// Every program gives its answer with every policy, with MLPE and with the
// search by program, on machines of all three sizes.
func TestAnswers(t *testing.T) {
	for _, name := range programs.Names() {
		t.Run(name, func(t *testing.T) {
			for _, pes := range []int{4, 12, 80} {
				for _, p := range staticPolicies {
					several(t, name, pes, variant{policy: p})
				}
				several(t, name, pes, variant{mlpe: "on"})
				several(t, name, pes, variant{mlpe: "software", policy: "line"})
			}
			several(t, name, 1024, variant{})
			several(t, name, 1024, variant{mlpe: "on", policy: "ring-round-robin"})
		})
	}
}

func several(t *testing.T, name string, pes int, v variant) {
	t.Helper()
	m, o := ready(t, name, pes, v)
	for _, n := range arguments[name] {
		check(t, m, o, name, pes, v, n)
	}
}

// Parameters beyond policy and mlpe change how a program works, not its answer.
func TestParameters(t *testing.T) {
	for _, c := range []struct{ name, key, value string }{
		{"loop", "width", "1"},
		{"loop", "width", "7"},
		{"sort", "run", "1"},
		{"sort", "run", "64"},
		{"sort", "output", "keys"},
		{"stream", "width", "3"},
		{"stream", "window", "1"},
		{"stream", "window", "64"},
		{"sum", "block", "1"},
		{"sum", "block", "100"},
		{"queens", "mlpe_call", "second"},
		{"queens", "mlpe_reach", "far"},
		{"sort", "registers", "all"},
		{"knapsack", "grain", "large"},
		{"knapsack", "mlpe_start", "empty"},
		{"pi", "ring_first", "in"},
		{"matmul", "ring_table", "next"},
		{"sort", "line_path", "numbered"},
		{"loop", "line_first", "far"},
		{"queens", "leaves", "inline"},
	} {
		v := variant{key: c.key, value: c.value}
		switch {
		case strings.HasPrefix(c.key, "mlpe"), c.key == "registers":
			v.mlpe = "on"
		case c.key == "ring_table":
			v.policy = "ring-random"
		case strings.HasPrefix(c.key, "line"):
			v.policy = "line"
		}
		several(t, c.name, 12, v)
	}
}

// Whatever the parameters, a program assembles: the assertions that keep the
// nodes within the operand segment hold.
func TestVariantsAssemble(t *testing.T) {
	for _, name := range programs.Names() {
		for _, p := range staticPolicies {
			for _, mlpe := range []string{"off", "on", "software"} {
				for _, x := range [][2]string{{"mlpe_call", "first"}, {"mlpe_call", "second"}, {"registers", "all"}, {"mlpe_reach", "far"}} {
					v := variant{policy: p, mlpe: mlpe, key: x[0], value: x[1]}
					_, err := programs.Assemble(name, v.params())
					require.NoError(t, err, "%s %+v", name, v)
				}
			}
		}
	}
}

// Answers that are known from elsewhere, so that Answer is not only its own
// witness.
func TestKnownAnswers(t *testing.T) {
	answer := func(name string, n uint64) []uint64 {
		o, err := programs.Assemble(name, nil)
		require.NoError(t, err)
		words, err := programs.Answer(name, o, n, 80)
		require.NoError(t, err)
		return words
	}
	require.Equal(t, []uint64{2147516416}, answer("sum", 65536))
	require.Equal(t, []uint64{46368}, answer("fib", 24))
	for n, ways := range []uint64{1, 0, 0, 2, 10, 4, 40, 92, 352, 724} { // OEIS A000170
		require.Equal(t, []uint64{ways}, answer("queens", uint64(n+1)))
	}
	require.Equal(t, []uint64{3, 1415, 9265, 3589, 7932, 3846, 2643, 3832, 7950, 2884, 1971, 6939, 9375, 10}, answer("pi", 50)[:14])
	thousand := answer("pi", 1000)
	require.Len(t, thousand, 251)
	require.Equal(t, []uint64{6420, 1989}, thousand[249:])
	require.Equal(t, []uint64{3, 1415, 92}, answer("pi", 6))

	o, err := programs.Assemble("sum", nil)
	require.NoError(t, err)
	_, err = programs.Answer("sum", o, 1, 79)
	require.Error(t, err)
	_, err = programs.Answer("product", o, 1, 80)
	require.ErrorContains(t, err, `"product"`)
}

// The keys come out in order.
func TestSortedKeys(t *testing.T) {
	v := variant{key: "output", value: "keys", mlpe: "on"}
	m, o := ready(t, "sort", 80, v)
	r := check(t, m, o, "sort", 80, v, 500)
	require.Len(t, r.Words, 500)
	require.True(t, slices.IsSorted(r.Words))
}
