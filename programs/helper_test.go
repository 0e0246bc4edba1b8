package programs_test

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/machine/machinefile"
	"emsim/programs"
)

// params are parameters for Assemble, by name.
type params map[string]string

// boot returns a machine on which fib's init block has run.
func boot(t testing.TB, c em4.Config, p params) (*em4.Machine, *asm.Object) {
	t.Helper()
	o, err := programs.Assemble("fib", p)
	require.NoError(t, err)
	prog, err := programs.Load(o)
	require.NoError(t, err)
	m, err := em4.New(c, prog, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(context.Background(), 1_000_000))
	return m, o
}

// config returns the preset of a size.
func config(pes int) em4.Config { return machinefile.ForSize(pes) }

// fib runs fib(n) on a new machine.
func fib(t testing.TB, pes int, p params, n uint64) (em4.Result, error) {
	t.Helper()
	m, _ := boot(t, config(pes), p)
	return m.Run(context.Background(), []uint64{n}, em4.RunOptions{MaxClocks: 20_000_000})
}

// number returns the nth Fibonacci number.
func number(n uint64) uint64 {
	a, b := uint64(0), uint64(1)
	for range n {
		a, b = b, a+b
	}
	return a
}

// invocations returns the number of function instances of fib(n). It is one for every node of the call tree. If
// children with n <= 2 are computed in the caller, it is one for every node with children and for the root.
func invocations(n uint64, p params) uint64 {
	if p["leaves"] == "inline" {
		return max(1, number(n)-1)
	}
	return 2*number(n) - 1
}

// variable returns a variable of the program in a PE's memory.
func variable(t testing.TB, m *em4.Machine, o *asm.Object, pe int, name string, index uint32) uint64 {
	t.Helper()
	i := slices.IndexFunc(o.Symbols, func(s asm.Symbol) bool { return s.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return m.PE(pe).Memory().Read(uint32(o.Symbols[i].Value) + index)
}
