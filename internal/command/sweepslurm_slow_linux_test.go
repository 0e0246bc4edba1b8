//go:build slow

package command

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A published table can be made on a cluster; it takes some 800 s of a core.
func TestSlurmPublishedTable(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	c := &onCluster{startSlurm(t, 2, 1), place{t, root}}
	store := filepath.Join(t.TempDir(), "remedies")
	x := c.submit("docs/sweeps/remedies.toml", "-o", store, "--slurm", "12", "--check", "docs/beyond/remedies.csv")
	for begin := time.Now(); c.run("squeue", "--noheader", "--jobs="+x.Array+
		","+x.Collect) != ""; time.Sleep(time.Second) {
		require.Less(t, time.Since(begin), time.Hour)
	}
	log := &place{t, store}
	require.Contains(t, log.read("slurm/collect-"+x.Collect+".log"), "docs/beyond/remedies.csv matches the results")
}
