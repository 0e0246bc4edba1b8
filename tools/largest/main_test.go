package main

import (
	"encoding/csv"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The search finds the last candidate before the first failure, in a few tries.
func TestLargest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		least := rapid.Int64Range(0, 3).Draw(t, "least")
		most := rapid.Int64Range(least, 1<<30).Draw(t, "most")
		fails := rapid.Int64Range(least, most+1).Draw(t, "first failure")
		tries := 0
		got, why, err := largest(least, most, func(n int64) (string, error) {
			require.True(t, n >= least && n <= most, n)
			if tries++; n >= fails {
				return "full", nil
			}
			return "", nil
		})
		require.NoError(t, err)
		require.LessOrEqual(t, tries, 50)
		if why == "range" {
			require.Equal(t, most+1, fails)
			require.Equal(t, most, got)
			return
		}
		require.Less(t, got, fails)
		require.GreaterOrEqual(t, got, least-1)
		require.GreaterOrEqual(t, next(got), fails)
	})
}

// The table matches the current machine: the argument runs, and the next one stops for the stated reason. The shortest
// rows for each reason are tried.
func TestTableIsTrue(t *testing.T) {
	t.Chdir("../..")
	f, err := os.Open("docs/policies/largest.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	tried := 0
	for _, r := range rows[1:] {
		if r[0] != "fib" || r[1] != "line" {
			continue
		}
		require.Equal(t, []string{"20", "segment_overflow"}, r[2:])
		for n, want := range map[int64]string{20: "", 21: r[3]} {
			got, err := outcome(t.Context(), r[0], r[1], n)
			require.NoError(t, err)
			require.Equal(t, want, got, n)
			tried++
		}
	}
	require.Equal(t, 2, tried)
}
