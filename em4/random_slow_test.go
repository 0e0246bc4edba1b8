//go:build slow

package em4_test

import (
	"testing"

	"emsim/internal/dev/randprog"
)

// More and larger random programs have equal states at every clock.
func TestManyRandomProgramsInStep(t *testing.T) {
	for _, x := range []struct {
		pes, hundreds int
		size          randprog.Size
	}{
		{4, 10, randprog.Medium},
		{12, 10, randprog.Medium},
		{32, 1, randprog.Medium},
		{80, 1, randprog.Small},
	} {
		var s stepped
		for range x.hundreds {
			s.hundred(t, x.size, x.pes)
		}
		t.Logf("%d PEs: %+v", x.pes, s)
	}
}
