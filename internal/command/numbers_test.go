package command

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/machine/run"
)

// Large numbers have three digits and a unit where they are approximate, and commas where they are exact.
func TestShortNumbers(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 9999: "9999", 10_000: "10 k", 12_345: "12.3 k", 999_000: "999 k",
		1_000_000: "1 M", 1_234_567: "1.23 M", 1e9: "1 G", 12e9: "12 G",
	} {
		require.Equal(t, want, short(x))
	}
	for n, want := range map[uint64]string{
		0: "0", 999: "999", 1000: "1,000", 123_456: "123,456",
		1_234_567: "1,234,567",
	} {
		require.Equal(t, want, count(n))
	}
}

// --pe names PEs by address, number or range; an empty list means all.
func TestPEsOfAList(t *testing.T) {
	pes := 12
	spec := run.Spec{
		Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: "fib", Args: []string{"3"}, Seed: 1,
		Threads: 1,
	}
	target, err := spec.Load(context.Background())
	require.NoError(t, err)
	all := []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}
	for list, want := range map[string][]int{
		"": all, " ": all, "0-11": all, "0": {0}, "11": {11}, "5-5": {5}, "2-4": {2, 3, 4}, "4,2,4": {2, 4},
		"[0,0]": {0}, "0.2": {2}, "[1,0]": {3}, "[3,2]": {11}, "2.1 [0,1], 9-10": {1, 7, 9, 10},
	} {
		got, err := readPEs(list, target)
		require.NoError(t, err, list)
		require.Equal(t, want, got, list)
	}
	for list, says := range map[string]string{
		"12":         "--pe 12: the machine's PEs have the numbers 0..11",
		"11-12,3":    "--pe 11-12: the machine's PEs have the numbers 0..11",
		"0 4-3":      "--pe 4-3: the machine's PEs have the numbers 0..11",
		"4.0":        "--pe 4.0: the machine has groups 0..3 with members 0..2",
		"[3,3]":      "--pe [3,3]: the machine has groups 0..3 with members 0..2",
		"[0,0][":     `--pe: "[0,0][" is not a list of PEs: expected [GA,CA], GA.CA, a number or a range of numbers, separated by commas`,
		"1, -2":      `--pe: "-2" is not a list of PEs: expected [GA,CA], GA.CA, a number or a range of numbers, separated by commas`,
		"1" + huge:   "--pe 1" + huge + ": the machine's PEs have the numbers 0..11",
		"0-1" + huge: "--pe 0-1" + huge + ": the machine's PEs have the numbers 0..11",
		huge + "9.0": "--pe " + huge + "9.0: the machine has groups 0..3 with members 0..2",
	} {
		_, err := readPEs(list, target)
		require.EqualError(t, err, says)
	}
}
