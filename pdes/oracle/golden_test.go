package oracle

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// Recorded runs keep the reference from changing unnoticed.
func TestRecordedRuns(t *testing.T) {
	golden.Script(t, "runs.txt", func(c golden.Case) string {
		v := map[string]string{}
		for _, a := range c.Args {
			v[a.Key] = a.Value
		}
		n := func(key string) int {
			i, _ := strconv.Atoi(v[key])
			return i
		}
		load, _ := strconv.ParseFloat(v["load"], 64)
		r, err := Run(context.Background(), n("stages"), v["wiring"], load, n("queue"), uint64(n("seed")),
			int64(n("slots")))
		require.NoError(t, err)
		return fmt.Sprintf("%016x: %d injected, %d dropped, %d sunk after %d slots in all, %d queued, %d astray",
			r.Hash, r.Injected, r.Drops, r.Sunk, r.Delay, r.Queued, r.WrongSinks)
	})
}
