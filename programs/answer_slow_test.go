//go:build slow

package programs_test

import (
	"testing"

	"emsim/programs"
)

// Arguments that occupy the machines.
var large = map[string]uint64{
	"fib": 19, "knapsack": 16, "loop": 200, "matmul": 24, "pi": 1000,
	"queens": 8, "sort": 4000, "stream": 300, "sum": 65536,
}

// Every program, large, with every policy and MLPE on 12, 80 and 1024 PEs.
func TestLarge(t *testing.T) {
	for _, name := range programs.Names() {
		t.Run(name, func(t *testing.T) {
			for _, pes := range []int{12, 80, 1024} {
				for _, p := range staticPolicies {
					one(t, name, pes, variant{policy: p})
				}
				one(t, name, pes, variant{mlpe: "on"})
			}
		})
	}
}

func one(t *testing.T, name string, pes int, v variant) {
	m, o := ready(t, name, pes, v)
	r := check(t, m, o, name, pes, v, large[name])
	t.Logf("%s %d on %d PEs, %+v: %d clocks, utilisation %.1f %%, %d segments, %d spilled", name, large[name], pes, v, r.Clocks, 100*r.Utilisation(), r.SegmentsPeak, r.Spilled)
}

// All numbers of decimals that pi accepts.
func TestPiAllDigits(t *testing.T) { checkPi(t, 1, 4000) }
