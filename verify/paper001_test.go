package verify

import (
	"context"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/cluster/rhinet"
	"emsim/internal/study/ensemble"
)

func TestRHiNET2(t *testing.T) {
	allOK(t, measured(t, "001"))
}

// The paper's tables add up, so that a mistyped cell is found.
func TestRHiNET2TablesAddUp(t *testing.T) {
	claims, err := Claims("001")
	require.NoError(t, err)
	cells := map[string]float64{}
	for _, c := range claims {
		if v, err := strconv.ParseFloat(c.Paper, 64); err == nil {
			cells[strings.TrimPrefix(c.ID, "001.")] = v
		}
	}
	numbers := 0
	for _, table := range []string{"t2", "t3", "t4", "t5"} {
		for _, nodes := range []string{"8", "16", "32", "64"} {
			at := func(q string) float64 {
				v, ok := cells[table+"."+nodes+"."+q]
				require.True(t, ok, "%s.%s.%s", table, nodes, q)
				numbers++
				return v
			}
			sum := at("calc") + at("other")
			if table == "t2" || table == "t3" {
				sum += at("comm")
			} else {
				require.InDelta(t, at("share"), 100*at("other")/at("total"), 0.06)
			}
			require.InDelta(t, at("total"), sum, 0.0101, "%s.%s", table, nodes)
		}
	}
	require.GreaterOrEqual(t, numbers, 56)
}

// A claim about something that the model lacks is an error, not a number.
func TestRHiNET2Unknown(t *testing.T) {
	measure := paper001().New(context.Background(), ensemble.New(1), nil)
	for _, c := range []Claim{
		{ID: "001.t2.8.x", Quantity: "colour"},
		{ID: "001.claim.x"},
		{ID: "001.t2.8.total", Quantity: "total", Cond: map[string]string{"network": "token ring"}},
		{ID: "001.t2.8.total", Quantity: "total", Cond: map[string]string{"nodes": "0"}},
	} {
		v, err := measure(context.Background(), c)
		require.Error(t, err, c.ID)
		require.False(t, math.IsNaN(v.Number))
	}
}

// The slowest algorithm of each kind decides.
func TestFlatIsSlower(t *testing.T) {
	times := func(noLB, clb, glb, igclb float64) map[rhinet.Policy]float64 {
		return map[rhinet.Policy]float64{rhinet.NoLB: noLB, rhinet.CLB: clb, rhinet.GLB: glb, rhinet.IGCLB: igclb}
	}
	require.Equal(t, Value{Text: holds}, flatIsSlower(times(11, 12, 10, 9)))
	require.Equal(t, Value{Text: "fails: flat 12.00 s, grouped 11.00 s"}, flatIsSlower(times(12, 9, 11, 8)))
	require.Equal(t, Value{Text: "fails: flat 12.00 s, grouped 11.00 s"}, flatIsSlower(times(9, 12, 8, 11)))
}
