//go:build slow

package rtl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/programs"
	"emsim/rtl"
)

// The switches alone are equal, for a million clocks of twelve PEs and half a million of eighty PEs.
func TestManySwitches(t *testing.T) {
	t.Run("12", func(t *testing.T) { traffic(t, 12, 60, 17_000, 2) })
	t.Run("80", func(t *testing.T) { traffic(t, 80, 30, 17_000, 2) })
}

// The properties whose proofs take longer hold.
func TestSlowProofs(t *testing.T) { proveAll(t, true) }

// The proofs of these properties can fail, too.
func TestSlowProofsCanFail(t *testing.T) { breakAll(t, true) }

// The nine rows of the paper's tables 1 to 3 are equal (fib 20 under six policies, and on the line with MLPE; fib 24
// static and with MLPE), and so are its outcomes at the limit. Each row runs on the prototype at full size, from the
// init block until the machine is quiet.
func TestPaper(t *testing.T) {
	exe := build(t, rtl.MachineTarget)
	for _, row := range []struct {
		n            uint64
		policy, mlpe string
	}{
		{20, "ring", "off"},
		{20, "random", "off"},
		{20, "round-robin", "off"},
		{20, "ring-random", "off"},
		{20, "ring-round-robin", "off"},
		{20, "line", "off"},
		{20, "line", "on"},
		{24, "ring", "off"},
		{24, "ring", "on"},
		{21, "line", "off"},
		{22, "line", "on"},
		{23, "line", "on"},
	} {
		what := fmt.Sprintf("fib %d, %s, MLPE %s, 80 PEs", row.n, row.policy, row.mlpe)
		t.Run(what, func(t *testing.T) {
			_, p := program(t, "fib", map[string]string{"policy": row.policy, "mlpe": row.mlpe})
			out := compare(t, exe, what, rtl.Run{Config: em4.Prototype80(), Program: p, Seed: 1, Args: []uint64{row.n}})
			if overflow := row.policy == "line" && (row.n == 21 || row.n == 23); overflow {
				require.ErrorContains(t, out.Fault, "no operand segment is free", what)
			} else {
				require.Len(t, out.Words, 1, what)
			}
		})
	}
}

// A single model of all PEs and links is equal, too: nothing depends on how the copies of a PE are connected outside
// the model.
func TestWholeMachine(t *testing.T) {
	exe := build(t, rtl.WholeTarget)
	c := em4.Small12()
	c.FIFOWords = 4
	_, p := program(t, "fib", map[string]string{"policy": "random", "mlpe": "on"})
	out := compare(t, exe, "fib 16 on 12 PEs, random, MLPE",
		rtl.Run{Config: c, Program: p, Seed: 1, Args: []uint64{16}, Runs: 2})
	require.Len(t, out.Words, 2)
}

// All programs of the library are equal with all their small arguments, twice each, under every policy; every second
// policy runs with MLPE. They run on twelve PEs with a FIFO of two packets.
func TestLibraryAndPolicies(t *testing.T) {
	exe := build(t, rtl.MachineTarget)
	total := uint64(0)
	for _, row := range programs.List() {
		for i, policy := range programs.Policies() {
			_, p := program(t, row.Name, map[string]string{"policy": policy, "mlpe": []string{"off", "on"}[i%2]})
			c := em4.Small12()
			c.FIFOWords = 4
			for _, args := range row.Small {
				out, err := (&rtl.Run{Config: c, Program: p, Seed: 1, Args: args, Runs: 2}).Compare(t.Context(), exe)
				require.NoError(t, err, "%s %v %s", row.Name, args, policy)
				total += out.Clocks
			}
		}
	}
	t.Logf("the library under every policy: %d clocks compared, all equal", total)
}

// With EMSIM_RTL_WAVES a simulation writes the waveforms of all signals in a chip, and gives the same result.
func TestWaves(t *testing.T) {
	file := filepath.Join(t.TempDir(), "chip.vcd")
	t.Setenv(rtl.WavesEnv, file)
	exe := build(t, rtl.MachineTarget)
	_, p := program(t, "fib", nil)
	out, err := (&rtl.Run{Config: em4.Small12(), Program: p, Seed: 1, Args: []uint64{3}}).Compare(t.Context(), exe)
	require.NoError(t, err)
	inside, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(inside), "$scope module exu_i $end")
	require.Contains(t, string(inside), fmt.Sprintf("\n#%d\n", out.Clocks))
}

// Many random programs on machines with random knobs are equal.
func TestManyRandomPrograms(t *testing.T) { randomPrograms(t, 1000, 1600) }
