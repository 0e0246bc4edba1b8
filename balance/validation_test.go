package balance

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// A check is one line of validation.csv.
type check struct {
	scheme, where, quantity string
	native, hooks           float64
	tolerance               float64 // of the deviation
	absolute                bool    // the deviation is a difference, not a share
}

func (c check) deviation() float64 {
	if c.absolute {
		return c.hooks - c.native
	}
	return c.hooks/c.native - 1
}

func (c check) String() string {
	unit := "share"
	if c.absolute {
		unit = "difference"
	}
	return fmt.Sprintf("%s,%s,%s,%.4g,%.4g,%.3f,%g,%s,%v", c.scheme, c.where, c.quantity, c.native, c.hooks,
		c.deviation(), c.tolerance, unit, math.Abs(c.deviation()) <= c.tolerance)
}

// Every scheme of a paper matches its native model on the paper's own case.
// The table is measured anew; -update writes it.
func TestValidation(t *testing.T) {
	var lines []string
	for _, part := range []func(*testing.T) []check{againstWorkstations, againstMNC, againstRHiNET, againstPDES, againstEM4} {
		for _, c := range part(t) {
			t.Log(c)
			lines = append(lines, c.String())
		}
	}
	text := "scheme,case,quantity,native,hooks,deviation,tolerance,unit,ok\n" + strings.Join(lines, "\n") + "\n"
	if golden.Update() {
		require.NoError(t, os.WriteFile("validation.csv", []byte(text), 0o644))
		return
	}
	require.Equal(t, Validation, text, "go test ./balance -run TestValidation -update writes it; then see which schemes are validated")
}

// runs runs one world and fails the test if that fails.
func runs(t *testing.T, s Setup) *Result {
	t.Helper()
	r, err := Run(context.Background(), s)
	require.NoError(t, err, s.Scheme.Name)
	require.Empty(t, r.NA, s.Scheme.Name)
	return r
}
