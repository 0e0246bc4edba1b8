package programs_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/programs"
)

// started boots a machine with a program and any parameters.
func started(t *testing.T, name string, pes int, p params) (*em4.Machine, *asm.Object) {
	t.Helper()
	o, err := programs.Assemble(name, p)
	require.NoError(t, err)
	prog, err := programs.Load(o)
	require.NoError(t, err)
	m, err := em4.New(config(pes), prog, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(t.Context(), 1_000_000))
	return m, o
}

// boards returns the number of boards that queens N makes, and how many of them continue, because they have a free
// field and more than one row left.
func boards(n int) (all, goingOn uint64) {
	var visit func(row int, columns, left, right uint)
	visit = func(row int, columns, left, right uint) {
		all++
		free := (1<<n - 1) &^ (columns | left | right)
		if free == 0 || row == n-1 {
			return
		}
		goingOn++
		for ; free != 0; free &= free - 1 {
			f := uint(1) << bits.TrailingZeros(free)
			visit(row+1, columns|f, (left|f)<<1, (right|f)>>1)
		}
	}
	visit(0, 0, 0, 0)
	return all, goingOn
}

// Making instances of children that answer at once changes the number of instances, but not the answer.
func TestLeaves(t *testing.T) {
	variants := []params{
		{},
		{"policy": "random", "mlpe": "on"},
		{"policy": "line", "mlpe": "on", "mlpe_call": "second"},
		{"policy": "round-robin", "mlpe": "software"},
		{"registers": "all", "mlpe_reach": "far", "mlpe": "on"},
	}
	calls := func(name string, n uint64, p params, leaves string) uint64 {
		p["leaves"] = leaves
		m, o := started(t, name, 12, p)
		r := check(t, m, o, name, 12, variant{mlpe: p["mlpe"]}, n)
		return r.Calls
	}
	for _, p := range variants {
		for n := uint64(1); n <= 6; n++ {
			all, goingOn := boards(int(n))
			require.Equal(t, all, calls("queens", n, p, "instances"), "queens %d, %v", n, p)
			require.Equal(t, goingOn, calls("queens", n, p, "inline"), "queens %d, %v", n, p)
		}
		for _, grain := range []string{"medium", "large"} {
			p["grain"] = grain
			for _, n := range []uint64{1, 2, 3, 5, 10} {
				inline := calls("knapsack", n, p, "inline")
				require.Equal(t, 2*inline+1, calls("knapsack", n, p, "instances"),
					"an instance that calls has two children: knapsack %d, %v", n, p)
			}
		}
		delete(p, "grain")
	}
}

// Nodes stay within the operand segment, whatever the parameters.
func TestLeavesAssemble(t *testing.T) {
	for _, name := range []string{"fib", "knapsack", "queens"} {
		for _, policy := range programs.Policies() {
			for _, mlpe := range []string{"off", "on", "software"} {
				for _, leaves := range []string{"instances", "inline"} {
					for _, more := range []params{
						{},
						{"mlpe_call": "second"},
						{"registers": "all"},
						{"mlpe_reach": "far"},
						{"grain": "large"},
					} {
						p := params{"policy": policy, "mlpe": mlpe, "leaves": leaves}
						for k, v := range more {
							if name != "queens" || k != "grain" {
								p[k] = v
							}
						}
						_, err := programs.Assemble(name, p)
						require.NoError(t, err, fmt.Sprint(name, p))
					}
				}
			}
		}
	}
}
