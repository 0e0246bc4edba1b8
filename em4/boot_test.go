package em4_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
)

// A run without Boot starts with memories that the init blocks have not filled, so Run rejects it.
func TestRunWithoutBoot(t *testing.T) {
	m := build(t, machine(4), source(t, ".init init\n.start main\ninit:\tnop!\nmain:\tout! r0\n"))
	_, err := m.Run(context.Background(), []uint64{0}, em4.RunOptions{})
	require.ErrorContains(t, err, "call Boot first")
	require.NoError(t, m.Boot(context.Background(), 0))
	_, err = m.Run(context.Background(), []uint64{0}, em4.RunOptions{})
	require.NoError(t, err)
}
