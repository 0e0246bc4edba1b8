//go:build slow

package ref_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/dev/randprog"
	"emsim/internal/dev/ref"
	"emsim/programs"
)

// Thousands of random programs agree, on every size of machine up to 5120 PEs.
func TestManyRandomPrograms(t *testing.T) {
	for _, x := range []struct {
		pes, hundreds int
		size          randprog.Size
	}{
		{4, 15, randprog.Medium},
		{12, 15, randprog.Medium},
		{4, 5, randprog.Large},
		{12, 5, randprog.Large},
		{32, 5, randprog.Large},
		{80, 5, randprog.Large},
		{192, 1, randprog.Large},
		{1024, 1, randprog.Medium},
	} {
		start := time.Now()
		var f figures
		for range x.hundreds {
			f.hundred(t, x.size, x.pes, 4)
		}
		t.Logf("%d PEs: %v, in 4 orders each; %.0f s", x.pes, f, time.Since(start).Seconds())
	}
}

// fib agrees with larger arguments, in many orders.
func TestFibEqualsMachineInManyOrders(t *testing.T) {
	runs := 0
	for _, policy := range values(t, "policy") {
		for _, mlpe := range values(t, "mlpe") {
			o, err := programs.Assemble("fib", map[string]string{"policy": policy, "mlpe": mlpe})
			require.NoError(t, err)
			for pes, n := range map[int]uint64{4: 14, 12: 15, 80: 17, 1024: 16} {
				m, err := machine(o, prototype(pes), 3)
				require.NoError(t, err)
				want, err := runTimed(m, o, n)
				require.NoError(t, err)
				for _, opt := range orders(4) {
					opt.PEs, opt.ProgramSeed = pes, 3
					equalFib(t, fmt.Sprintf("%s mlpe %s, %d PEs, n %d, %+v", policy, mlpe, pes, n, opt), o, n, opt,
						policy, mlpe, want)
					runs++
				}
			}
		}
	}
	t.Logf("%d runs of the reference", runs)
}

// The program of the paper, fib(24), makes 46,367 calls that may go to another PE [003 §3.2]. Each of them has a
// sibling, and the first instance has none.
func TestFib24(t *testing.T) {
	o, err := programs.Assemble("fib", nil)
	require.NoError(t, err)
	r, err := ref.New(o, ref.Options{PEs: 80, Pick: ref.Newest})
	require.NoError(t, err)
	require.NoError(t, r.Boot())
	got, err := r.Run(24)
	require.NoError(t, err)
	require.Equal(t, []uint64{46368}, got.Words)
	require.EqualValues(t, 2*46367+1, got.Calls)
}

// No combination of fib's parameters moves a node beyond its operand segment.
func TestAllFibNodesLieInTheirSegment(t *testing.T) {
	params := map[string]string{}
	var choose func(list []asm.Param)
	choose = func(list []asm.Param) {
		if len(list) > 0 {
			values := list[0].Values
			if list[0].Name == "software_tie" && params["mlpe"] != "software" {
				values = values[:1] // it appears only in the software search
			}
			for _, v := range values {
				params[list[0].Name] = v
				choose(list[1:])
			}
			return
		}
		nodesLieInTheirSegment(t, params)
	}
	for _, leaves := range []string{"instances", "inline"} { // some parameters exist only with one of them
		clear(params)
		params["leaves"] = leaves
		o, err := programs.Assemble("fib", params)
		require.NoError(t, err)
		choose(slices.DeleteFunc(slices.Clone(o.Params), func(p asm.Param) bool {
			return slices.Contains([]string{
				"leaves", "ring_first", "ring_table", "line_first", "line_path",
				"mlpe_start",
			}, p.Name) // of the tables
		}))
	}
}
