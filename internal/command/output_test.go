package command

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/cluster/rhinet"
	"emsim/cluster/spmd"
	"emsim/em4"
	"emsim/internal/base/simerr"
	"emsim/mnc"
)

// On every machine, the type of an error alone determines the kind and the exit status.
func TestClassify(t *testing.T) {
	text := errors.New("text")
	for _, c := range []struct {
		err    error
		kind   string
		status int
	}{
		{usagef("text"), "usage", 2},
		{&spmd.Usage{Parameter: "tasks", Err: text}, "usage", 2},
		{fs.ErrNotExist, "usage", 2},
		{asm.Errors{}, "assembly", 2},
		{em4.Hang{}.Deadlock(), "deadlock", 1},
		{&mnc.Deadlock{Name: "stalled", Err: text}, "stalled", 1},
		{&rhinet.Limit{Name: simerr.KindMaxClocks, Err: text}, "max_clocks", 1},
		{&mnc.Fault{Name: "model_fault", Err: text}, "model_fault", 1},
	} {
		for _, err := range []error{c.err, fmt.Errorf("run 2: %w", c.err), &failure{err: c.err}} {
			kind, status := classify(err)
			require.Equal(t, c.kind, kind, "%T", c.err)
			require.Equal(t, c.status, status, "%T", c.err)
		}
	}
}
