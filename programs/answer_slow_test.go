//go:build slow

package programs_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/programs"
)

// Every program runs with large arguments, every policy and MLPE on 12, 80 and 1024 PEs, except one that overflows.
func TestLarge(t *testing.T) {
	for _, p := range programs.List() {
		t.Run(p.Name, func(t *testing.T) {
			for _, pes := range []int{12, 80, 1024} {
				for _, policy := range programs.Policies() {
					if p.Name == "stream" && policy == "line" && pes == 1024 {
						tooManyInstances(t, p, pes, variant{policy: policy})
						continue
					}
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
	t.Logf("%s %v on %d PEs, %+v: %d clocks, utilisation %.1f %%, %d segments, %d spilled", p.Name, p.Large, pes, v,
		r.Clocks, 100*r.Utilisation(), r.SegmentsPeak, r.Spilled)
}

// tooManyInstances runs a program whose calls all go to a few PEs of the line:
// 2048 producers and as many consumers live at the same time.
func tooManyInstances(t *testing.T, p programs.Program, pes int, v variant) {
	m, _ := ready(t, p.Name, pes, v)
	_, err := m.Run(t.Context(), p.Large, em4.RunOptions{MaxClocks: 100_000_000})
	require.ErrorContains(t, err, "no operand segment is free (1024 in use)")
}

// The longer runs in the page have the numbers that it says.
func TestPeakOfLongRuns(t *testing.T) {
	text, err := os.ReadFile(docs)
	require.NoError(t, err)
	for _, c := range []struct {
		name, key, value string
		n                uint64
		says             string
	}{
		{"sum", "numbers", "counted", 1_000_000, "`sum 1000000` reaches\nRATE MIPS"},
		{"sum", "numbers", "counted", 10_000_000, "`sum 10000000` RATE."},
		{"pi", "division", "reciprocal", 4000, "CLOCKS clocks at RATE MIPS, instead"},
		{"pi", "division", "long", 4000, "instead of CLOCKS at RATE."},
	} {
		rate, r := mips(t, c.name, c.key, c.value, c.n)
		clocks := fmt.Sprintf("%d,%03d,%03d", r.Clocks/1e6, r.Clocks/1e3%1e3, r.Clocks%1e3)
		require.Contains(t, string(text),
			strings.NewReplacer("CLOCKS", clocks, "RATE", fmt.Sprint(rate)).Replace(c.says))
	}
}

// All numbers of decimals that pi accepts are right.
func TestPiAllDigits(t *testing.T) { checkPi(t, 1, 4000, 1) }
