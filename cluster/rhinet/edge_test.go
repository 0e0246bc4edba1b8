package rhinet

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// When the last rank rests, the rank before it has the edge of the plate: it no longer uses an old row of the resting
// rank.
func TestHeatBesideARestingRank(t *testing.T) {
	c := Default()
	c.Application, c.Policy, c.Load, c.Nodes = Heat, WLB, OneLoad, 8
	c.Heat.Rows, c.Heat.Columns, c.Every = 64, 4000, 50 // the heat reaches the last rank before it rests
	r, err := Run(context.Background(), c)
	require.NoError(t, err)
	last := r.Epochs[len(r.Epochs)-1]
	require.Zero(t, last.Rows[7])
	require.Zero(t, r.Deviation)
}
