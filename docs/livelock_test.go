package docs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/plural"
	"emsim/mnc"
)

// The two livelocks in MNC.md occur and end as described there.
func TestLivelockOfThePage(t *testing.T) {
	text := strings.Join(strings.Fields(loadPage(t, "MNC.md").text), " ")
	s := mnc.DefaultSetup()
	s.PEs, s.Slots, s.Batch, s.Loops, s.Items = 2, 4, 1, 1000, 2000
	build := func() *mnc.Machine {
		c, err := s.Build()
		require.NoError(t, err)
		m, err := mnc.New(c)
		require.NoError(t, err)
		return m
	}
	var stall *mnc.Stall
	require.ErrorAs(t, build().Run(t.Context()), &stall)
	a, b := stall.After.Gifts[0], stall.After.Gifts[1]
	require.Equal(t, [2]int{256, 256}, [2]int{a.Holds, b.Holds})
	require.Contains(t, text,
		fmt.Sprintf("each of the two PEs holds 256 X, has measured the other as the abler one (%.2f and %.2f times "+
			"itself), and so finds 256 above its own proper load (%.1f and %.1f)",
			max(a.Ability, b.Ability), min(a.Ability, b.Ability), max(a.Proper, b.Proper), min(a.Proper, b.Proper)))
	var transfers []any
	s.Guard = 256
	for _, s.Slots = range []int{4, 8} {
		m := build()
		require.NoError(t, m.Run(t.Context()))
		transfers = append(transfers, plural.Commas(uint64(m.Stats().Transfers)))
	}
	require.Contains(t, text,
		fmt.Sprintf("both known cases end, after %s and, with `--slots 8`, %s transfers", transfers...))
}
