package ref_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/internal/dev/ref"
	"emsim/isa"
	"emsim/programs"
)

// policies maps fib's policies to the part of the outcome, besides result and calls, that the order of packets cannot
// change. "all" means everything, "instructions" everything except the variables of the PEs, and "" neither these
// variables nor the instructions (a table's index wraps at another call).
var policies = map[string]string{
	"ring": "all", "line": "all", "random": "instructions",
	"round-robin": "", "ring-random": "instructions", "ring-round-robin": "",
}

// equalFib runs fib on the reference and compares the part of the outcome that order cannot change.
func equalFib(t *testing.T, name string, o *asm.Object, n uint64, opt ref.Options, policy, mlpe string, want outcome) {
	t.Helper()
	r, err := ref.New(o, opt)
	require.NoError(t, err)
	require.NoError(t, r.Boot(), name)
	got, err := runUntimed(r, o, n)
	require.NoError(t, err, name)
	require.Equal(t, want.Words, got.Words, name)
	require.Equal(t, want.Calls, got.Calls, name)
	require.Empty(t, got.Waiting, name)
	require.Empty(t, want.Waiting, name)
	if mlpe != "off" || policies[policy] == "" {
		return
	}
	require.Equal(t, want.Instructions, got.Instructions, name)
	require.Equal(t, want.Sent, got.Sent, name)
	if policies[policy] == "all" {
		require.Equal(t, want, got, name)
	}
}

// fib gives the same result and calls as the machine in every order and, if placement is static, also the same
// instructions, packets and memory. This holds for every policy, with and without MLPE, with the default parameters and
// with random ones.
func TestFibEqualsMachine(t *testing.T) {
	rng := rand.New(rand.NewPCG(24, 80))
	require.ElementsMatch(t, values(t, "policy"), slices.Collect(maps.Keys(policies)))
	for _, policy := range values(t, "policy") {
		for _, mlpe := range values(t, "mlpe") {
			for _, params := range []map[string]string{{}, variant(t, rng), variant(t, rng)} {
				params["policy"], params["mlpe"] = policy, mlpe
				o, err := programs.Assemble("fib", params)
				require.NoError(t, err)
				for _, pes := range []int{4, 12, 32, 80} {
					m, err := machine(o, prototype(pes), 7)
					require.NoError(t, err)
					for _, n := range []uint64{1, 2, 3, 9} { // on one machine: indices persist
						want, err := runTimed(m, o, n)
						require.NoError(t, err, "%v, %d PEs, n %d", params, pes, n)
						for _, opt := range orders(1) {
							opt.PEs, opt.ProgramSeed = pes, 7
							equalFib(t, fmt.Sprintf("%v, %d PEs, n %d, %+v", params, pes, n, opt), o, n, opt, policy,
								mlpe, want)
						}
					}
				}
			}
		}
	}
}

// values returns the values of one of fib's parameters.
func values(t *testing.T, param string) []string {
	o, err := programs.Assemble("fib", nil)
	require.NoError(t, err)
	i := slices.IndexFunc(o.Params, func(p asm.Param) bool { return p.Name == param })
	require.GreaterOrEqual(t, i, 0)
	return o.Params[i].Values
}

// A packet finds its node by the displacement in an operand segment of 64 words, so no parameter may move a node beyond
// its end. (The slow test tries all of them.)
func TestFibNodesLieInTheirSegment(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		nodesLieInTheirSegment(t, variant(t, rng))
	}
}

func nodesLieInTheirSegment(t *testing.T, params map[string]string) {
	o, err := programs.Assemble("fib", params)
	require.NoError(t, err)
	for _, s := range o.Sections {
		for i, w := range s.Words {
			in, err := isa.Decode(w)
			if s.Kind == asm.Code && err == nil && (in.Op == isa.CONT || in.Op == isa.SEND) &&
				in.Form() != isa.FormDirect {
				require.Less(t, in.Imm, int32(64), "%v, code address %#x", params, s.Start+uint32(i))
			}
		}
	}
}

// variant returns random values for all parameters of fib.
func variant(t *testing.T, rng *rand.Rand) map[string]string {
	leaves := []string{"instances", "inline"}[rng.IntN(2)] // some parameters exist only with one of them
	o, err := programs.Assemble("fib", map[string]string{"leaves": leaves})
	require.NoError(t, err)
	params := map[string]string{}
	for _, p := range o.Params {
		require.NotEmpty(t, p.Values)
		params[p.Name] = p.Values[rng.IntN(len(p.Values))]
	}
	params["leaves"] = leaves
	if leaves == "inline" {
		params["mlpe_when"] = "before" // lib/fib_inline.s cannot search at the call, and reports it
	}
	return params
}

// fib does not rely on the order of packets between a sender and a receiver: nothing is sent to an instance after its
// result.
func TestFibUnordered(t *testing.T) {
	for _, leaves := range []string{"instances", "inline"} {
		o, err := programs.Assemble("fib", map[string]string{"leaves": leaves})
		require.NoError(t, err)
		for seed := range uint64(20) {
			r, err := ref.New(o, ref.Options{PEs: 4, Seed: seed, Unordered: true})
			require.NoError(t, err)
			require.NoError(t, r.Boot())
			got, err := r.Run(5)
			require.NoError(t, err)
			require.Equal(t, []uint64{5}, got.Words)
		}
	}
}

// The reference exposes a program that relies on this order.
func TestUnorderedShowsReliance(t *testing.T) {
	const text = `
	.start main
main:	mov r3, 7
	send.d r3, fp, keep
	send.d! r0, fp, tell
keep:	st! r1, r0, held
tell:	ld r3, r0, held
	out! r3
held:	.space 1
`
	o, _, err := asm.Assemble("order.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	require.NoError(t, err)
	bad := 0
	for seed := range uint64(20) {
		for _, unordered := range []bool{false, true} {
			r, err := ref.New(o, ref.Options{PEs: 4, Seed: seed, Unordered: unordered})
			require.NoError(t, err)
			got, err := r.Run(0)
			require.NoError(t, err)
			if unordered && got.Words[0] != 7 {
				bad++
				continue
			}
			require.Equal(t, []uint64{7}, got.Words)
		}
	}
	require.NotZero(t, bad)
}
