//go:build slow

package em4_test

import "testing"

// The states are equal at every clock of long runs with the preset's buffers.
func TestOrderAndSleepDoNotMatterForLong(t *testing.T) {
	t.Logf("80 PEs: %d clocks", lockstep(t, machine(80), fib(t, "ring", "on"), 18))
	t.Logf("1024 PEs: %d clocks", lockstep(t, machine(1024), fib(t, "ring-random", "on"), 15))
}
