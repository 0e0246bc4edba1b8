//go:build slow

package mapping

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/pdes/network"
)

// The proof agrees with all 39,916,800 maps of 3 stages on 4x3.
func TestEnumeration4x3(t *testing.T) {
	for _, kind := range []network.Kind{network.HXB, network.Torus} {
		p := problem(t, kind, "4x3", 3, Reference())
		least, maps, err := p.Enumerate(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 39_916_800, maps)
		got, err := p.Exact(t.Context(), ByCost)
		require.NoError(t, err)
		require.InDelta(t, least, got.Score.Cost, 1e-6)
		t.Logf("%s: enumeration %d maps, proof %d search nodes, cost %.1f", kind, maps, got.Nodes, least)
	}
}
