package compile_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
	"emsim/internal/compile"
)

// TakeOptions takes the options out of a program's parameters, and checks them.
func TestTake(t *testing.T) {
	params := map[string]string{"policy": "line", "blocks": "finest", "placement": "auto"}
	o, rest, err := compile.TakeOptions(params)
	require.NoError(t, err)
	require.Equal(t, compile.Options{Blocks: compile.Finest, Placement: compile.Auto}, o)
	require.Equal(t, map[string]string{"policy": "line"}, rest)
	require.Len(t, params, 3, "the caller's own stay")

	_, _, err = compile.TakeOptions(map[string]string{"guards": "caler"})
	require.ErrorAs(t, err, new(*simerr.Usage))
	require.ErrorContains(t, err, `the parameter guards cannot be "caler": expected caller, callee; did you mean "caller"?`)
	require.Equal(t, []string{"blocks", "guards", "placement"}, compile.OptionNames())
}

// The text records the options as parameters with one value. A function may have the name of an option.
func TestOptionsAreRecorded(t *testing.T) {
	const text = "package main\n\n//emsim:arg n 0 9\nfunc blocks(n int32) int32 {\n\treturn guards(n) + guards(n+1)\n}\n\nfunc guards(n int32) int32 {\n\tfor range n {\n\t\tn++\n\t}\n\treturn n\n}\n"
	o := assemble(t, "p.go", text, compile.Options{Blocks: compile.Medium, Guards: compile.Callee}, nil)
	have := map[string]string{}
	for i := range o.Params {
		p := &o.Params[i]
		have[p.Name] = p.Chosen()
		if p.Name == "blocks" {
			require.Equal(t, []string{"medium"}, p.Values)
		}
	}
	require.Equal(t, "medium", have["blocks"])
	require.Equal(t, "callee", have["guards"])
	require.Equal(t, "given", have["placement"])
	r, err := onMachine(t, o, 12, 4)
	require.NoError(t, err)
	require.Equal(t, []uint64{8 + 10}, r.Words)
}
