//go:build slow

package programs_test

import (
	"testing"

	"emsim/programs"
)

// Every program, large, with every policy and MLPE on 12, 80 and 1024 PEs.
func TestLarge(t *testing.T) {
	for _, p := range programs.List() {
		t.Run(p.Name, func(t *testing.T) {
			for _, pes := range []int{12, 80, 1024} {
				for _, policy := range programs.Policies() {
					one(t, p, pes, variant{policy: policy})
				}
				one(t, p, pes, variant{mlpe: "on"})
			}
		})
	}
}

func one(t *testing.T, p programs.Program, pes int, v variant) {
	m, o := ready(t, p.Name, pes, v)
	r := check(t, m, o, p.Name, pes, v, p.Large...)
	t.Logf("%s %v on %d PEs, %+v: %d clocks, utilisation %.1f %%, %d segments, %d spilled", p.Name, p.Large, pes, v, r.Clocks, 100*r.Utilisation(), r.SegmentsPeak, r.Spilled)
}

// All numbers of decimals that pi accepts.
func TestPiAllDigits(t *testing.T) { checkPi(t, 1, 4000) }
