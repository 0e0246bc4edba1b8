package mnc

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// wiring returns a named wiring, or fails the test.
func wiring(t require.TestingT, name string, pes int) Incidence {
	if name == "net16" {
		return Net16()
	}
	w, err := MNC(pes)
	require.NoError(t, err)
	return w
}

func build(t require.TestingT, cfg Config) *Machine {
	m, err := New(cfg)
	require.NoError(t, err)
	return m
}

func run(t require.TestingT, cfg Config) (*Machine, Stats) {
	m := build(t, cfg)
	require.NoError(t, m.Run(context.Background()))
	return m, m.Stats()
}

// TestRecordedRuns checks the nine recorded runs of 2,000 data, which two
// independent implementations reproduce exactly. Any difference is a change
// of the model and must be explained.
func TestRecordedRuns(t *testing.T) {
	for _, c := range []struct {
		topology          string
		pes               int
		loops             int
		policy            Policy
		clocks, transfers int64
	}{
		{"mnc", 1, 100, Auto, 880_656, 4_000},
		{"mnc", 1, 1000, Auto, 8_154_048, 4_000},
		{"mnc", 4, 100, Auto, 249_850, 5_954},
		{"mnc", 16, 100, Auto, 84_901, 8_138},
		{"mnc", 16, 1000, Auto, 564_783, 8_300},
		{"mnc", 128, 100, Auto, 70_048, 9_101},
		{"mnc", 128, 1000, Auto, 111_941, 12_866},
		{"mnc", 16, 100, Naive, 90_075, 9_185},
		{"net16", 16, 100, Auto, 84_039, 7_957},
	} {
		cfg := Default(wiring(t, c.topology, c.pes))
		cfg.Items, cfg.Loops, cfg.Policy = 2000, c.loops, c.policy
		m, s := run(t, cfg)
		require.Equal(t, [2]int64{c.clocks, c.transfers}, [2]int64{s.Clocks, s.Transfers}, "%+v", c)
		require.NoError(t, m.Check())
	}
}
