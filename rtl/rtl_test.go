package rtl_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/knob"
	"emsim/internal/dev/needs"
	"emsim/internal/dev/randprog"
	"emsim/isa"
	"emsim/programs"
	"emsim/rtl"
)

// build returns the program of a simulation, and keeps it for the next tests.
func build(t *testing.T, target rtl.Target) string {
	t.Helper()
	needs.Verilator(t)
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	s, err := rtl.UnderTest()
	require.NoError(t, err)
	exe, err := s.Build(t.Context(), target, filepath.Join(cache, "emsim", "rtl"))
	require.NoError(t, err)
	return exe
}

// prototype returns a machine with pes PEs and random knobs. It has no remedies except fair_switch.
func prototype(r *rand.Rand, pes int) em4.Config {
	c := randprog.AnyMachine(func(string) knob.Pick { return r.Uint64N }, pes)
	d := em4.Prototype80()
	c.IBUOwnMemory, c.MLPERoute, c.SwitchPriority, c.IBUPriority = d.IBUOwnMemory, d.MLPERoute, d.SwitchPriority,
		d.IBUPriority
	c.PrefetchRegisters, c.OutPackets, c.BalancedRoutes = d.PrefetchRegisters, d.OutPackets, d.BalancedRoutes
	c.FIFOWords = min(c.FIFOWords, 128)
	return c
}

// traffic compares the switches alone, for a number of knob sets that are drawn from a seed.
func traffic(t *testing.T, pes, sets, clocks int, seed uint64) {
	exe := build(t, rtl.SwitchTarget)
	moved := uint64(0)
	for set := range sets {
		r := trafficRun(seed, uint64(set), pes, clocks)
		words, err := r.Compare(t.Context(), exe)
		require.NoError(t, err, "set %d: %+v", set, r)
		moved += words
	}
	require.Greater(t, moved, uint64(sets*clocks))
	t.Logf("switches of %d PEs, %d sets of knobs: %d clocks compared, all equal; %d words crossed links", pes, sets,
		sets*clocks, moved)
}

func trafficRun(seed, set uint64, pes, clocks int) rtl.Traffic {
	r := rand.New(rand.NewPCG(seed, set))
	c := prototype(r, pes)
	switch {
	case set == 0:
		c = em4.Prototype80()
	case set%4 > 0:
		c.Banks = em4.Prototype80().Banks // with fewer banks, full traffic soon ends in a deadlock
	}
	return rtl.Traffic{
		PEs: pes, Switches: c.Network(), InjectClocks: c.InjectClocks, Seed: seed<<32 + set, Clocks: clocks,
		Offer: []uint32{5, 40, 256}[r.IntN(3)], Consume: []uint32{20, 100, 256}[r.IntN(3)],
		Host: []uint32{0, 10, 200}[r.IntN(3)],
	}
}

// compare compares a program on both machines, and returns the outcome.
func compare(t *testing.T, exe, what string, r rtl.Run) rtl.Outcome {
	t.Helper()
	out, err := r.Compare(t.Context(), exe)
	require.NoError(t, err, what)
	t.Logf("%s: %d clocks compared, all equal", what, out.Clocks)
	return out
}

// program assembles a program of the library.
func program(t *testing.T, name string, params map[string]string) (*asm.Object, em4.Program) {
	t.Helper()
	o, err := programs.Assemble(name, params)
	require.NoError(t, err)
	p, err := programs.Load(o)
	require.NoError(t, err)
	return o, p
}

// source assembles a program in assembly text.
func source(t *testing.T, text string) em4.Program {
	t.Helper()
	o, _, err := asm.Assemble("test.s", asm.Options{Open: func(string) ([]byte, error) { return []byte(text), nil }})
	require.NoError(t, err)
	p, err := programs.Load(o)
	require.NoError(t, err)
	return p
}

// The switches alone are equal at every clock, with any knobs and under any traffic.
func TestSwitches(t *testing.T) { traffic(t, 12, 60, 1500, 1) }

// fib is equal at every clock, on the prototype, and on a machine of a size that no other test uses.
func TestFib(t *testing.T) {
	exe := build(t, rtl.MachineTarget)
	_, p := program(t, "fib", map[string]string{"policy": "random", "mlpe": "on"})
	for _, pes := range []int{32, 80} {
		c := em4.Prototype80()
		c.PEs = pes
		out := compare(t, exe, fmt.Sprintf("fib 12 on %d PEs, random, MLPE", pes),
			rtl.Run{Config: c, Program: p, Seed: 1, Args: []uint64{12}})
		require.Equal(t, uint64(144), out.Words[0].Data)
	}
}

// Every program of the library is equal on twelve PEs. Their FIFO holds only two packets, so that packets spill.
func TestLibrary(t *testing.T) {
	exe := build(t, rtl.MachineTarget)
	for _, row := range programs.List() {
		o, p := program(t, row.Name, nil)
		args := row.Small[min(1, len(row.Small)-1)]
		c := em4.Small12()
		c.FIFOWords = 4
		out := compare(t, exe, fmt.Sprintf("%s %v on 12 PEs", row.Name, args),
			rtl.Run{Config: c, Program: p, Seed: 1, Args: args})
		want, err := programs.Answer(row.Name, o, args, c.PEs)
		require.NoError(t, err)
		require.Len(t, out.Words, len(want))
	}
}

// The variants for figure 7 are equal, alone and together, with searches in the switches and by software, on twelve PEs
// whose packets spill. The variants are the load that counts the packet in execution, and the answer that fills the
// prefetch register on arrival.
func TestVariants(t *testing.T) {
	exe := build(t, rtl.MachineTarget)
	for i := range 8 {
		c := em4.Small12()
		c.FIFOWords, c.LoadCountsExecution = 4, i&1 != 0
		c.MLPETie = []string{"inclusive", "strict"}[i&1]
		params := map[string]string{
			"mlpe":      []string{"on", "software"}[i>>2],
			"mlpe_fill": []string{"block", "register"}[i>>1&1],
		}
		_, p := program(t, "fib", params)
		what := fmt.Sprintf("fib 11, %v, load_counts_execution=%v", params, c.LoadCountsExecution)
		out := compare(t, exe, what, rtl.Run{Config: c, Program: p, Seed: 1, Args: []uint64{11}, Runs: 2})
		require.Equal(t, uint64(89), out.Words[1].Data)
	}
}

// Random programs on machines with random knobs are equal.
func TestRandomPrograms(t *testing.T) { randomPrograms(t, 0, 25) }

func randomPrograms(t *testing.T, from, to int) {
	exe := build(t, rtl.MachineTarget)
	total, faults := uint64(0), 0
	for seed := from; seed < to; seed++ {
		text := randprog.FromSeed(randprog.Small, seed)
		if seed%3 == 0 {
			text = randprog.FromSeed(randprog.Medium, seed)
		}
		c := prototype(rand.New(rand.NewPCG(uint64(seed), 7)), []int{4, 12}[seed%2])
		out, err := (&rtl.Run{
			Config: c, Program: source(t, text.Text), Seed: uint64(seed), Args: text.Args, Runs: 2,
			Limit: 60_000,
		}).Compare(t.Context(), exe)
		require.NoError(t, err, "program %d on %+v\n%s", seed, c, text)
		total += out.Clocks
		if out.Fault != nil {
			faults++
		}
	}
	t.Logf("%d random programs: %d clocks compared, all equal; %d ended with a fault", to-from, total, faults)
}

// Both sides report the same fault, at the same PE and clock.
func TestFaults(t *testing.T) {
	exe := build(t, rtl.MachineTarget)
	for name, f := range faults {
		c := em4.Small12()
		if f.config != nil {
			f.config(&c)
		}
		out := compare(t, exe, name, rtl.Run{
			Config: c, Program: source(t, ".arg n, 1, 100, start\n"+f.text+"\n"),
			Seed: 1, Args: []uint64{7}, Limit: 20_000,
		})
		require.ErrorContains(t, out.Fault, f.says, name)
		var fault *emcr.Fault
		require.ErrorAs(t, out.Fault, &fault, name)
		require.Equal(t, fault.Clock+1, out.Clocks, "%s: the clocks before the fault, and its own", name)
	}
}

// The programs test corners of the rules that other programs hardly reach.
func TestCorners(t *testing.T) {
	exe := build(t, rtl.MachineTarget)
	for nops := range 8 { // sends while the host sends: the EXU has no room
		text := hostSends(nops)
		compare(t, exe, fmt.Sprintf("host and EXU at one port, %d", nops),
			rtl.Run{Config: em4.Small12(), Program: source(t, text), Seed: 1, Args: []uint64{1, 2, 3, 4, 5, 6}})
	}
	for _, b := range []struct{ packets, rounds, words int }{
		{20, 7, 48},
		{2100, 2, 8192},
	} { // loads of 4 to 12 and 15; the MIB's ring wraps around
		c := em4.Small12()
		c.PEs, c.FIFOWords, c.MIBWords, c.StructureWords, c.MemoryWords = 4, 4, b.words, 100, 1<<17
		compare(t, exe, fmt.Sprintf("%d packets at a time in a MIB of %d words", b.packets, b.words), rtl.Run{
			Config:  c,
			Program: source(t, fmt.Sprintf(waves, b.packets)), Seed: 1, Args: []uint64{uint64(b.rounds)},
		})
	}
	for nops := range 8 { // the packet arrives before, in and after the clock in which the register is read or written
		for _, word := range []string{"9", "0"} {
			text := fmt.Sprintf(fills, word, strings.Repeat("nop\n", nops))
			compare(t, exe, fmt.Sprintf("a packet for the prefetch register, %s written, %d", word, nops),
				rtl.Run{Config: em4.Small12(), Program: source(t, text), Seed: 1, Args: []uint64{7}})
		}
	}
	for name, text := range corners {
		out := compare(t, exe, name, rtl.Run{
			Config: em4.Small12(), Program: source(t, ".arg n, 1, 100, start\n"+text),
			Seed: 1, Args: []uint64{7},
		})
		if name == "21 structure words free" { // with 22 words the load is 0, with 21 words it is 15 [003 fig. 3]
			require.Equal(t, uint64(15), out.Words[0].Data)
		}
	}
}

// Instructions give the same results on operands of all kinds. A program works through all pairs of a table of operands
// and puts each result into a register.
func TestArithmetic(t *testing.T) {
	exe := build(t, rtl.MachineTarget)
	r := rand.New(rand.NewPCG(3, 4))
	c := em4.Small12()
	c.PEs = 4
	compare(t, exe, "arithmetic (alu.sv, divider.sv, fpu.sv and their places in exu.sv)",
		rtl.Run{Config: c, Program: source(t, arithmetic(r, 30)), Seed: 1, Args: []uint64{7}})
}

// Every row of the instruction table has its code in the package and its place in a unit. A program of these tests
// executes it in all its forms.
func TestEveryInstructionIsInTheChip(t *testing.T) {
	chip, err := rtl.UnderTest()
	require.NoError(t, err)
	tests := arithmetic(rand.New(rand.NewPCG(3, 4)), 0) + hostSends(0)
	for _, text := range corners {
		tests += "\n" + text
	}
	for _, f := range faults {
		tests += "\n" + f.text
	}
	words := strings.Fields(strings.ReplaceAll(tests, "!", ""))
	for i, row := range isa.Table {
		name := strings.ToUpper(row.Name)
		require.Regexp(t, fmt.Sprintf(`\b%s = 6'd%d\b`, name, i), chip["emcr_pkg.sv"],
			"rtl/emcr_pkg.sv lacks the code of %s", row.Name)
		require.Regexp(t, `emcr_pkg::`+name+`\b`, chip["alu.sv"]+chip["exu.sv"],
			"neither rtl/alu.sv nor rtl/exu.sv executes %s", row.Name)
		for form := range isa.FormsOf(isa.Op(i)) {
			require.True(t, slices.Contains(words, row.Name+isa.Suffixes[form]),
				"no program of rtl/texts_test.go executes %s%s", row.Name, isa.Suffixes[form])
		}
	}
	for i, name := range isa.SpecialNames {
		require.Regexp(t, fmt.Sprintf(`\bSP_%s = 19'd%d\b`, strings.ToUpper(name), i), chip["emcr_pkg.sv"],
			"rtl/emcr_pkg.sv lacks the number of the special register %s", name)
		require.Contains(t, chip["exu.sv"], "emcr_pkg::SP_"+strings.ToUpper(name)+":",
			"rtl/exu.sv does not read the special register %s", name)
	}
}

// Lint finds no problems, and no combinational loop over connected PEs.
func TestLint(t *testing.T) {
	needs.Tool(t, "verilator")
	require.NoError(t, rtl.Embedded().Lint(t.Context(), "switch_node"))
	require.NoError(t, rtl.Embedded().Lint(t.Context(), "emcr"))
	require.NoError(t, rtl.Embedded().Lint(t.Context(), "machine", "-GK=1"))
}
