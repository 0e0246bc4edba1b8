package em4_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/knob"
	"emsim/internal/dev/randprog"
	"emsim/omega"
)

// lockstep steps five machines in parallel, from the init block to the end of one run, and checks that their states are
// equal at every clock. The first machine is scheduled. In the second, all switches decide together. The third is
// eager. In the fourth, the units are evaluated in random order. The fifth is rarely inspected, so that its PEs lag as
// far as possible, and its switches decide sometimes together, sometimes one by one.
func lockstep(t *testing.T, c em4.Config, o *asm.Object, args ...uint64) (clocks uint64) {
	t.Helper()
	var all [5]*em4.Machine
	for i := range all {
		all[i] = build(t, c, o)
	}
	fast, again, plain, shuffled, late := all[0], all[1], all[2], all[3], all[4]
	plain.SetEager(true)
	(*omega.Scheduler)(again.Net).SetCrowd(-1, 1)
	(*omega.Scheduler)(late.Net).SetCrowd(2, 8)
	r := rand.New(rand.NewPCG(1, 2))
	var want, got []byte
	names := [...]string{"fast", "together", "plain", "shuffled", "late"}
	untilQuiet := func() {
		for quiet := 0; quiet < 20 && fast.Clock() < 1_000_000; quiet++ {
			if !fast.Quiet() {
				quiet = 0
			}
			fast.Step()
			again.Step()
			plain.Step()
			shuffled.StepShuffled(r.Perm)
			late.Step()
			want = content(fast, want)
			for i, m := range all {
				if m == late && r.IntN(40) > 0 {
					continue
				}
				if got = content(m, got); !bytes.Equal(got, want) {
					require.FailNow(t, "the states differ", "%s, after clock %d: %s",
						names[i], fast.Clock()-1, em4.Difference(fast, m))
				}
			}
		}
	}
	for _, m := range all {
		m.StartInit()
	}
	untilQuiet()
	for _, m := range all {
		require.NoError(t, m.Start(args))
	}
	untilQuiet()
	require.NotEmpty(t, fast.Net.HostWords())
	return fast.Clock()
}

func smallFIFO(c *em4.Config) { c.FIFOWords = 4 }

// The states are equal for fib on two machines, with all policies, and all knobs that affect the units.
func TestOrderAndSleepDoNotMatter(t *testing.T) {
	policies := []string{"ring", "random", "round-robin", "ring-random", "ring-round-robin", "line"}
	for _, pes := range []int{12, 80} {
		n := uint64(8)
		if pes == 12 {
			n = 10
		}
		for _, policy := range policies {
			for _, mlpe := range []string{"off", "on"} {
				t.Run(fmt.Sprintf("%d/%s/mlpe %s", pes, policy, mlpe), func(t *testing.T) {
					c := machine(pes)
					if mlpe == "on" { // packets spill in the more eventful half of the cases
						smallFIFO(&c)
					}
					t.Logf("%d clocks", lockstep(t, c, fib(t, policy, mlpe), n))
				})
			}
		}
	}
}

// The states are equal for every knob of the input buffer and of the hop.
func TestOrderAndSleepDoNotMatterForAnyKnob(t *testing.T) {
	o := fib(t, "ring", "on")
	for bits := range 16 {
		c := machine(12, smallFIFO)
		c.BurstRefill = bits&1 != 0
		c.RefillBlocksIntake = bits&2 != 0
		c.SpillInterrupts = bits&4 != 0
		c.IBUOwnMemory = bits&8 != 0
		c.LoadCountsExecution = bits%3 == 0
		c.HopClocks = 1 + bits%8
		c.MatchClocks, c.GetsegClocks, c.MLPETie = 2+bits%2, 2+bits%3, []string{"inclusive", "strict"}[bits/2%2]
		t.Run(fmt.Sprintf("%04b", bits), func(t *testing.T) { lockstep(t, c, o, 10) })
	}
}

// The states are equal on machines with random knobs and FIFOs that overflow.
func TestOrderAndSleepDoNotMatterForAnyMachine(t *testing.T) {
	o, busy := fib(t, "ring", "on"), file(t, "busy.s")
	for seed := range uint64(12) {
		r := rand.New(rand.NewPCG(seed, 3))
		c := randprog.AnyMachine(func(string) knob.Pick { return r.Uint64N }, 12)
		c.Banks = omega.Banks // with fewer banks the run may not end
		c.FIFOWords = 2 + 2*int(r.Uint64N(4))
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			lockstep(t, c, o, 8)
			lockstep(t, c, busy, 7, 9, 1, 2, 3, 4)
		})
	}
}

// remedies are changes to knobs that the prototype does not have.
var remedies = map[string]func(c *em4.Config){
	"out_packets=1":     func(c *em4.Config) { c.OutPackets = 1 },
	"out_packets=3":     func(c *em4.Config) { c.OutPackets = 3 },
	"prefetch=3":        func(c *em4.Config) { c.PrefetchRegisters = 3 },
	"counts execution":  func(c *em4.Config) { c.LoadCountsExecution, c.MLPETie = true, "strict" },
	"switch_priority=1": func(c *em4.Config) { c.SwitchPriority = 1 },
	"switch_priority=2": func(c *em4.Config) { c.SwitchPriority = 2 },
	"all": func(c *em4.Config) {
		c.OutPackets, c.PrefetchRegisters, c.SwitchPriority, c.IBUPriority = 2, 3, 3, 2
		c.MLPERoute, c.IBUOwnMemory = "both", true
	},
	"ibu_priority=1":   func(c *em4.Config) { c.IBUPriority = 1 },
	"ibu_priority=2":   func(c *em4.Config) { c.IBUPriority, c.SwitchPriority = 2, 2 },
	"ibu_priority=3":   func(c *em4.Config) { c.IBUPriority, c.SwitchPriority = 3, 3 },
	"mlpe_route=group": func(c *em4.Config) { c.MLPERoute = "group" },
	"mlpe_route=both":  func(c *em4.Config) { c.MLPERoute = "both" },
	"balanced_routes":  func(c *em4.Config) { c.BalancedRoutes, c.OutPackets = true, 4 },
	"fair_switch":      func(c *em4.Config) { c.FairSwitch = true },
	"fair, priority":   func(c *em4.Config) { c.FairSwitch, c.SwitchPriority, c.OutPackets = true, 2, 2 },
	"out_packets=16":   func(c *em4.Config) { c.OutPackets, c.SpillInterrupts = 16, false },
}

// The states are equal with the remedies.
func TestOrderAndSleepDoNotMatterForRemedies(t *testing.T) {
	for name, knob := range remedies {
		c := machine(12, smallFIFO, knob)
		t.Run(name, func(t *testing.T) {
			t.Logf("fib: %d clocks", lockstep(t, c, fib(t, "ring", "on"), 10))
			filling := fibWith(t, map[string]string{"mlpe": "on", "mlpe_fill": "register", "registers": "all"})
			t.Logf("fib, filling the registers: %d clocks", lockstep(t, c, filling, 10))
			t.Logf("busy: %d clocks", lockstep(t, c, file(t, "busy.s"), 7, 9, 1, 2, 3, 4))
		})
	}
}

// Difference names the first part in which two machines differ.
func TestDifference(t *testing.T) {
	a, b := boot(t, machine(12), fib(t, "ring", "")), boot(t, machine(12), fib(t, "ring", ""))
	require.Empty(t, em4.Difference(a, b))
	b.PE(7).Memory().Write(5000, 1)
	require.Equal(t, "PE [2,1]", em4.Difference(a, b))
	c := boot(t, machine(12), fib(t, "ring", ""))
	c.Step()
	require.Contains(t, em4.Difference(a, c), "PE [0,0]") // its idle clocks differ
	d := boot(t, machine(12), fib(t, "ring", ""))
	d.PE(4).Pins().AcceptedAt = 1
	require.Equal(t, "SU and pins of PE [1,1]", em4.Difference(a, d))
	e, f := boot(t, machine(12), fib(t, "ring", "")), boot(t, machine(12), fib(t, "ring", ""))
	require.NoError(t, e.Start([]uint64{5}))
	require.NoError(t, f.Start([]uint64{6}))
	require.Contains(t, em4.Difference(e, f), "packets from the host (1, 1)")
}

// The states are equal for a program with many arguments that keeps every unit busy. The host's packets compete with
// the EXU of [0,0] for its port.
func TestOrderAndSleepDoNotMatterWhenBusy(t *testing.T) {
	for _, interrupts := range []bool{false, true} {
		c := machine(12, smallFIFO, func(c *em4.Config) { c.SpillInterrupts = interrupts })
		t.Logf("%d clocks", lockstep(t, c, file(t, "busy.s"), 7, 9, 1, 2, 3, 4))
	}
}
