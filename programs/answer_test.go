package programs_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/programs"
)

// Every program has a row in the table, in order, with the arguments that its text declares. The values of each row
// are given and within their ranges.
func TestTable(t *testing.T) {
	files, err := filepath.Glob("*.s")
	require.NoError(t, err)
	for i := range files {
		files[i] = strings.TrimSuffix(files[i], ".s")
	}
	require.Equal(t, files, programs.Names(), "programs/NAME.s and the rows of programs/table.go")
	for _, p := range programs.List() {
		o, err := programs.Assemble(p.Name, nil)
		require.NoError(t, err)
		var args []programs.Arg
		for i, a := range o.Args {
			args = append(args, programs.Arg{Name: a.Name, Means: p.Args[i].Means, Min: a.Min, Max: a.Max})
		}
		require.Equal(t, args, p.Args, p.Name)
		require.NotEmpty(t, p.Small, p.Name)
		for _, list := range append(p.Small, p.Typical, p.Large) {
			require.Len(t, list, len(p.Args), p.Name)
			for i, v := range list {
				require.True(t, int64(v) >= args[i].Min && int64(v) <= args[i].Max, "%s %v", p.Name, list)
			}
		}
		for _, text := range []string{p.Does, p.Stresses, p.Result, p.Args[0].Means} {
			require.NotEmpty(t, text, p.Name)
			require.NotContains(t, text, "|", "it is printed in a table of docs/PROGRAMS.md")
		}
	}
	require.False(t, programs.Known("lib"))
	o, err := programs.Assemble("queens", nil)
	require.NoError(t, err)
	i := slices.IndexFunc(o.Params, func(p asm.Param) bool { return p.Name == "policy" })
	require.Equal(t, o.Params[i].Values, programs.Policies(),
		"programs.Policies reads the line .param policy of lib/place.s")
	programs.List()[0].Name = "changed"
	require.Equal(t, "fib", programs.List()[0].Name, "a list is the caller's own")
}

// Every program gives its answer with every policy, with MLPE and with the
// software search, on 4, 12 and 80 PEs, and in two variants on 1024 PEs.
func TestAnswers(t *testing.T) {
	for _, p := range programs.List() {
		t.Run(p.Name, func(t *testing.T) {
			for _, pes := range []int{4, 12, 80} {
				for _, policy := range programs.Policies() {
					several(t, p, pes, variant{policy: policy})
				}
				several(t, p, pes, variant{mlpe: "on"})
				several(t, p, pes, variant{mlpe: "software", policy: "line"})
			}
			several(t, p, 1024, variant{})
			several(t, p, 1024, variant{mlpe: "on", policy: "ring-round-robin"})
		})
	}
}

func several(t *testing.T, p programs.Program, pes int, v variant) {
	t.Helper()
	m, o := ready(t, p.Name, pes, v)
	for _, args := range p.Small {
		check(t, m, o, p.Name, pes, v, args...)
	}
}

// ownParams returns the parameters that only the program itself declares; the others are from lib/place.s.
func ownParams(t *testing.T, name string) []asm.Param {
	o, err := programs.Assemble(name, nil)
	require.NoError(t, err)
	lib, err := programs.Assemble("queens", nil) // queens has no parameters of its own
	require.NoError(t, err)
	return slices.DeleteFunc(o.Params, func(p asm.Param) bool {
		return slices.ContainsFunc(lib.Params, func(x asm.Param) bool { return x.Name == p.Name })
	})
}

// A program's own parameters change how it works. They change its answer only if the table says so.
func TestOwnParameters(t *testing.T) {
	own := 0
	for _, p := range programs.List() {
		for _, x := range ownParams(t, p.Name) {
			own++
			tries := x.Values
			if len(tries) == 0 {
				for _, v := range []int64{x.Min, x.Min + 6, x.Max} {
					tries = append(tries, fmt.Sprint(min(v, x.Max)))
				}
			}
			for _, v := range tries {
				several(t, p, 12, variant{key: x.Name, value: v})
			}
		}
	}
	require.GreaterOrEqual(t, own, 9)
}

// Parameters of lib/place.s other than policy and mlpe change no answer.
func TestParameters(t *testing.T) {
	for _, c := range []struct{ name, key, value string }{
		{"queens", "mlpe_call", "second"},
		{"queens", "mlpe_reach", "far"},
		{"sort", "registers", "all"},
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
		several(t, row(t, c.name), 12, v)
	}
}

// row returns a program's row of the table.
func row(t *testing.T, name string) programs.Program {
	i := slices.IndexFunc(programs.List(), func(p programs.Program) bool { return p.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return programs.List()[i]
}

// A program assembles with any parameters: its assertions that nodes stay within the operand segment hold.
func TestVariantsAssemble(t *testing.T) {
	for _, name := range programs.Names() {
		for _, p := range programs.Policies() {
			for _, mlpe := range []string{"off", "on", "software"} {
				for _, x := range [][2]string{
					{"mlpe_call", "first"},
					{"mlpe_call", "second"},
					{"registers", "all"},
					{"mlpe_reach", "far"},
				} {
					v := variant{policy: p, mlpe: mlpe, key: x[0], value: x[1]}
					_, err := programs.Assemble(name, v.params())
					require.NoError(t, err, "%s %+v", name, v)
				}
			}
		}
	}
}

// Answer agrees with answers from independent sources.
func TestKnownAnswers(t *testing.T) {
	answer := func(name string, n uint64) []uint64 {
		o, err := programs.Assemble(name, nil)
		require.NoError(t, err)
		words, err := programs.Answer(name, o, []uint64{n}, 80)
		require.NoError(t, err)
		return words
	}
	require.Equal(t, []uint64{2147516416}, answer("sum", 65536))
	require.Equal(t, []uint64{46368}, answer("fib", 24))
	for n, ways := range []uint64{1, 0, 0, 2, 10, 4, 40, 92, 352, 724} { // OEIS A000170
		require.Equal(t, []uint64{ways}, answer("queens", uint64(n+1)))
	}
	require.Equal(t, []uint64{3, 1415, 9265, 3589, 7932, 3846, 2643, 3832, 7950, 2884, 1971, 6939, 9375, 10},
		answer("pi", 50)[:14])
	thousand := answer("pi", 1000)
	require.Len(t, thousand, 251)
	require.Equal(t, []uint64{6420, 1989}, thousand[249:])
	require.Equal(t, []uint64{3, 1415, 92}, answer("pi", 6))

	o, err := programs.Assemble("sum", nil)
	require.NoError(t, err)
	_, err = programs.Answer("sum", o, []uint64{1}, 79)
	require.Error(t, err)
	_, err = programs.Answer("product", o, []uint64{1}, 80)
	require.ErrorContains(t, err, `"product"`)
	_, err = programs.Answer("sum", o, []uint64{1, 2}, 80)
	require.ErrorContains(t, err, "sum takes 1 argument, got 2")
}

// The keys come out in ascending order.
func TestSortedKeys(t *testing.T) {
	v := variant{key: "output", value: "keys", mlpe: "on"}
	m, o := ready(t, "sort", 80, v)
	r := check(t, m, o, "sort", 80, v, 500)
	require.Len(t, r.Words, 500)
	require.True(t, slices.IsSorted(r.Words))
}
