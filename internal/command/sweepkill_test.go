//go:build unix

package command

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const killedSweep = `
[[grid]]
program = ["fib 13", "queens 5"]
pes = 12
param = { mlpe = ["off", "on"] }
seed = [1, 2, 3, 4, 5, 6]
`

// Shares of one store that are killed at random moments and restarted lose only the points in progress. In the end the
// table is byte for byte the table of an uninterrupted sweep.
func TestKilledShares(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "k.toml"), []byte(killedSweep), 0o600))
	const shares, kills = 3, 12
	rng := rand.New(rand.NewPCG(3, 4))
	running := map[int]*process{}
	begin := func(i int) {
		running[i] = launch(t, dir, nil, "emsim", "sweep", "k.toml", "--jobs", "2",
			"--share", fmt.Sprintf("%d/%d", i+1, shares))
	}
	for i := range shares {
		begin(i)
	}
	died := 0
	for killed := 0; killed < kills; killed++ {
		most := 300
		if died == 0 {
			most = 10 // on a fast computer a share is soon complete
		}
		time.Sleep(time.Duration(rng.IntN(most)) * time.Millisecond)
		i := rng.IntN(shares)
		if running[i] == nil {
			continue // its share is complete
		}
		require.NoError(t, ignoreDone(running[i].Process.Signal(syscall.SIGKILL)))
		running[i].wait(t)
		if _, dead := running[i].killed(); !dead {
			require.Zero(t, running[i].ProcessState.ExitCode(), running[i].errs.String())
			delete(running, i)
			continue
		}
		died++
		begin(i)
	}
	require.Positive(t, died)
	for _, p := range running {
		p.wait(t)
		require.Zero(t, p.ProcessState.ExitCode(), p.errs.String())
	}
	sweep := func(args ...string) *process {
		p := launch(t, dir, nil, "emsim", append([]string{"sweep", "k.toml", "--json"}, args...)...)
		p.wait(t)
		require.Zero(t, p.ProcessState.ExitCode(), "%s%s", &p.out, &p.errs)
		return p
	}
	var status struct{ Runs, Done, Running, Failed, Missing int }
	require.NoError(t, json.Unmarshal(sweep("--status").out.Bytes(), &status))
	require.Equal(t, struct{ Runs, Done, Running, Failed, Missing int }{24, 24, 0, 0, 0}, status)

	sweep("--collect", "--csv", "shares.csv")
	sweep("-o", "whole", "--csv", "whole.csv")
	want, err := os.ReadFile(filepath.Join(dir, "whole.csv"))
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(dir, "shares.csv"))
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
}
