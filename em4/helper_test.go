package em4_test

import (
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/state"
	"emsim/programs"
)

// machine returns a preset with some changes.
func machine(pes int, change ...func(c *em4.Config)) em4.Config {
	c := em4.Prototype80()
	c.PEs = pes
	for _, f := range change {
		f(&c)
	}
	return c
}

// build loads an object into a machine, without running its init block.
func build(t testing.TB, c em4.Config, o *asm.Object) *em4.Machine {
	t.Helper()
	prog, err := programs.Load(o)
	require.NoError(t, err)
	m, err := em4.New(c, prog, 1)
	require.NoError(t, err)
	return m
}

// boot loads an object into a machine, and runs its init block.
func boot(t testing.TB, c em4.Config, o *asm.Object) *em4.Machine {
	t.Helper()
	m := build(t, c, o)
	require.NoError(t, m.Boot(context.Background(), 1_000_000))
	return m
}

// fib assembles the program fib. An empty mlpe means "off".
func fib(t testing.TB, policy, mlpe string) *asm.Object {
	t.Helper()
	params := map[string]string{"policy": policy}
	if mlpe != "" {
		params["mlpe"] = mlpe
	}
	return fibWith(t, params)
}

// fibWith assembles fib with parameters that differ from the defaults.
func fibWith(t testing.TB, params map[string]string) *asm.Object {
	t.Helper()
	o, err := programs.Assemble("fib", params)
	require.NoError(t, err)
	return o
}

// source assembles a text.
func source(t testing.TB, text string) *asm.Object {
	t.Helper()
	o, _, err := asm.Assemble("test.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	require.NoError(t, err)
	return o
}

// run calls Run without options except a clock limit.
func run(m *em4.Machine, args ...uint64) (em4.Result, error) {
	return m.Run(context.Background(), args, em4.RunOptions{MaxClocks: 50_000_000})
}

// content returns the bytes that a machine's hash is computed from, in buf. Comparing the content of two machines at
// every clock takes half the time of comparing their hashes.
func content(m *em4.Machine, buf []byte) []byte {
	c := state.Hasher(buf[:0])
	m.State(c)
	return c.Bytes()
}

// file assembles a program in testdata.
func file(t testing.TB, name string) *asm.Object {
	t.Helper()
	o, _, err := asm.Assemble("testdata/"+name, asm.Options{Open: os.ReadFile})
	require.NoError(t, err)
	return o
}
