package programs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// rate returns the instructions of a run per clock and PE: 1 is the machine's peak.
func rate(r em4.Result, pes int) float64 {
	return float64(r.Instructions) / float64(r.Clocks) / float64(pes)
}

// mips runs a program with the policy line on a new machine of 80 PEs, whose peak is 1000 MIPS.
func mips(t *testing.T, name, key, value string, n uint64) (rounded uint64, r em4.Result) {
	t.Helper()
	v := variant{policy: "line", key: key, value: value}
	m, o := ready(t, name, 80, v)
	r = check(t, m, o, name, 80, v, n)
	return uint64(1e3/m.Config().ClockNS*80*rate(r, 80) + 0.5), r
}

// Counting in registers reaches the peak of nearly one instruction per clock. A longer loop comes closer, because
// only the tree of packets around it costs additional clocks.
func TestPeak(t *testing.T) {
	v := variant{key: "numbers", value: "counted"}
	for _, c := range []struct {
		pes  int
		n    uint64
		rate float64
	}{{80, 65536, 0.78}, {80, 1_000_000, 0.98}, {4, 65536, 0.995}, {12, 1_000_000, 0.997}} {
		m, o := ready(t, "sum", c.pes, v)
		r := check(t, m, o, "sum", c.pes, v, c.n)
		got := rate(r, c.pes)
		require.Greater(t, got, c.rate, "sum %d on %d PEs", c.n, c.pes)
		require.LessOrEqual(t, got, 1.0)
		require.Zero(t, r.Calls)
		again := check(t, m, o, "sum", c.pes, v, c.n)
		require.Equal(t, r.Clocks, again.Clocks, "a run leaves nothing behind")
	}
}

// The counted sum is right if shares are empty, end in the middle of an iteration or exceed 32 bits, also on machines
// with 64-bit words.
func TestCountedSum(t *testing.T) {
	v := variant{key: "numbers", value: "counted", mlpe: "on"}
	for _, pes := range []int{4, 12, 80, 1024, 2304} {
		m, o := ready(t, "sum", pes, v)
		p := uint64(pes)
		for _, n := range []uint64{1, p - 1, p, p + 1, 15 * p, 16*p - 1, 16 * p, 16*p + 1, 31*p + 7, 92681, 92682} {
			check(t, m, o, "sum", pes, v, n)
		}
	}
}

// Cells of every size give pi's decimals, on machines with 32-bit and 64-bit words. So does a second run on the same
// machine, whose PEs already have the reciprocals.
func TestReciprocalPi(t *testing.T) {
	run := func(pes int, policy, words string, digits ...uint64) {
		m, o := started(t, "pi", pes, params{"division": "reciprocal", "words": words, "policy": policy})
		for _, n := range digits {
			check(t, m, o, "pi", pes, variant{policy: policy}, n)
		}
	}
	for _, words := range []string{"1", "2", "3", "4", "15", "16"} {
		run(12, "line", words, 1, 4, 5, 61, 52, 53, 130)
	}
	run(80, "ring", "3", 300)
	run(2304, "line", "2", 30)
}

// Reciprocals are computed once per PE: a second run has fewer divisions.
func TestReciprocalsAreKept(t *testing.T) {
	v := variant{policy: "line", key: "division", value: "reciprocal"}
	m, o := ready(t, "pi", 12, v)
	first := check(t, m, o, "pi", 12, v, 100)
	second := check(t, m, o, "pi", 12, v, 100)
	require.Less(t, second.Instructions, first.Instructions)
	require.Less(t, second.Clocks, first.Clocks)
}

// The table compares the clocks of the variants with the programs' defaults.
func TestPeakInDocs(t *testing.T) {
	rows := []string{"| run | parameter | clocks | instructions | MIPS of 1000 |", "| --- | --- | --: | --: | --: |"}
	for _, c := range []struct {
		name, key string
		values    []string
		n         uint64
	}{{"sum", "numbers", []string{"stored", "counted"}, 65536}, {
		"pi", "division",
		[]string{"long", "reciprocal"},
		400,
	}} {
		for _, value := range c.values {
			rate, r := mips(t, c.name, c.key, value, c.n)
			rows = append(rows, fmt.Sprintf("| `%s %d` | `%s=%s` | %d | %d | %d |", c.name, c.n, c.key, value, r.Clocks,
				r.Instructions, rate))
		}
	}
	table(t, "peak", rows)
}
