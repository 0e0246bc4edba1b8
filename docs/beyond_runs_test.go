package docs_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/programs"
)

// runsCells measures the first columns of a program's row in the table of consecutive runs: for each size static,
// then with MLPE.
func runsCells(t *testing.T, call string, columns int) []string {
	line := []string{call}
	for _, pes := range []int{80, 1024} {
		for _, mlpe := range []string{"off", "on"} {
			if len(line) <= columns {
				line = append(line, eightRuns(t, call, pes, mlpe))
			}
		}
	}
	return line
}

// eightRuns returns the least and the greatest clocks of eight consecutive runs, divided by the clocks of the first
// run, which the sweeps contain.
func eightRuns(t *testing.T, call string, pes int, mlpe string) string {
	c := em4.Prototype80()
	if pes == 1024 {
		c = em4.Target1024()
	}
	m, n := booted(t, call, mlpe, c)
	var clocks []float64
	for range 8 {
		r, err := m.Run(t.Context(), []uint64{n}, em4.RunOptions{MaxClocks: 20_000_000})
		if err != nil {
			return "fails"
		}
		clocks = append(clocks, float64(r.Clocks))
	}
	return fmt.Sprintf("%.2f–%.2f", slices.Min(clocks)/clocks[0], slices.Max(clocks)/clocks[0])
}

// booted returns a machine with the program of a call, and the call's argument.
func booted(t *testing.T, call, mlpe string, c em4.Config) (*em4.Machine, uint64) {
	name, arg, _ := strings.Cut(call, " ")
	n, err := strconv.ParseUint(arg, 10, 64)
	require.NoError(t, err)
	o, err := programs.Assemble(name, map[string]string{"mlpe": mlpe})
	require.NoError(t, err)
	prog, err := programs.Load(o)
	require.NoError(t, err)
	m, err := em4.New(c, prog, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(t.Context(), 1_000_000))
	return m, n
}

// Runs differ as much as the table says, without any change of the machine. The slow test measures the whole table.
func TestRunsInBeyond(t *testing.T) {
	text := load(t).text
	for _, call := range []string{"fib 20", "queens 8"} {
		require.Contains(t, text, "| "+strings.Join(runsCells(t, call, 2), " | ")+" |")
	}
}
