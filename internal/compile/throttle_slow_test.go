//go:build slow

package compile_test

import "testing"

// The throttled programs give Go's answers in large runs with the prototype's memory.
func TestThrottleLarge(t *testing.T) {
	var runs []throttledRun
	for _, x := range []struct {
		name string
		n    int64
	}{{"sieve", 50000}, {"floats", 80000}, {"collatz", 3000}, {"sieve", 4000}, {"queens", 9}, {"rows", 9}, {"fib", 24}, {"chains", 20000}, {"own", 20}, {"streams", 20000}} {
		for _, pes := range []int{4, 12, 80} {
			runs = append(runs, throttledRun{x.name, x.n, pes, 896})
		}
	}
	testThrottled(t, runs)
}
