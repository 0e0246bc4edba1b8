//go:build slow

package programs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
)

// fitsRow matches a row of the table in docs/PROGRAMS.md.
var fitsRow = regexp.MustCompile(`(?m)^\| (\d+) \| (\d+) \| (\d+) \| (segments|the MIB) \|$`)

// The largest argument of fib runs on each machine of the table, and the next argument stops for the reason that the
// table gives.
func TestWhatFits(t *testing.T) {
	page, err := os.ReadFile("../docs/PROGRAMS.md")
	require.NoError(t, err)
	rows := fitsRow.FindAllStringSubmatch(string(page), -1)
	require.Len(t, rows, 6)
	kinds := map[string]string{"segments": emcr.SegmentOverflow, "the MIB": emcr.MIBOverflow}
	for _, row := range rows {
		t.Run(fmt.Sprint(row[1], "/", row[2]), func(t *testing.T) {
			c := em4.Prototype80()
			require.NoError(t, c.Set("pes", row[1]))
			require.NoError(t, c.Set("segments", row[2]))
			n, err := strconv.ParseUint(row[3], 10, 64)
			require.NoError(t, err)
			require.NoError(t, fibRuns(t, c, n))
			var fault *emcr.Fault
			require.True(t, errors.As(fibRuns(t, c, n+1), &fault))
			require.Equal(t, kinds[row[4]], fault.Kind())
		})
	}
}

func fibRuns(t *testing.T, c em4.Config, n uint64) error {
	o, err := Assemble("fib", nil)
	require.NoError(t, err)
	program, err := Load(o)
	require.NoError(t, err)
	m, err := em4.New(c, program, 1)
	require.NoError(t, err)
	require.NoError(t, m.Boot(context.Background(), 0))
	_, err = m.Run(context.Background(), []uint64{n}, em4.RunOptions{})
	return err
}
