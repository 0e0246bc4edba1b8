package ref_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/programs"
	"emsim/verify/ref"
)

// static says of fib's policies what order cannot change beyond result and
// calls: everything, or also not the instructions (a table's index wraps at
// another call) and the indices in memory.
var policies = map[string]string{
	"ring": "all", "line": "all", "random": "instructions",
	"round-robin": "", "ring-random": "instructions", "ring-round-robin": "",
}

// fib gives the same result, calls and, where placement is static,
// instructions, packets and memory as the machine, in every order.
func TestFibEqualsMachine(t *testing.T) {
	for policy, static := range policies {
		for _, mlpe := range []string{"off", "on"} {
			o, err := programs.Assemble("fib", map[string]string{"policy": policy, "mlpe": mlpe})
			require.NoError(t, err)
			for _, pes := range []int{4, 12, 32, 80} {
				m, err := machine(o, prototype(pes), 7)
				require.NoError(t, err)
				for _, n := range []uint64{1, 2, 3, 11} { // one machine: indices stay
					want, err := runTimed(m, o, n)
					require.NoError(t, err, "%s mlpe %s, %d PEs, n %d", policy, mlpe, pes, n)
					for _, opt := range orders(1) {
						name := fmt.Sprintf("%s mlpe %s, %d PEs, n %d, %+v", policy, mlpe, pes, n, opt)
						opt.PEs, opt.ProgramSeed = pes, 7
						r, err := ref.New(o, opt)
						require.NoError(t, err)
						require.NoError(t, r.Boot(), name)
						got, err := runUntimed(r, o, n)
						require.NoError(t, err, name)
						require.Equal(t, want.Words, got.Words, name)
						require.Equal(t, want.Calls, got.Calls, name)
						if mlpe == "on" || static == "" {
							continue
						}
						require.Equal(t, want.Instructions, got.Instructions, name)
						require.Equal(t, want.Sent, got.Sent, name)
						if static == "all" {
							require.Equal(t, want, got, name)
						}
					}
				}
			}
		}
	}
}

// The root of fib gets its result as a packet to its own PE, and the packet
// that frees its segment is sent behind it: fib relies on the order between one
// sender and one receiver, and the reference shows it.
func TestUnorderedShowsReliance(t *testing.T) {
	o, err := programs.Assemble("fib", nil)
	require.NoError(t, err)
	bad := 0
	for seed := range uint64(20) {
		r, err := ref.New(o, ref.Options{PEs: 4, Seed: seed, Unordered: true})
		require.NoError(t, err)
		require.NoError(t, r.Boot())
		if _, err = r.Run(5); err != nil {
			require.ErrorContains(t, err, "no node of an operand segment in use")
			bad++
		}
	}
	require.NotZero(t, bad)
}
