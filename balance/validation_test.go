package balance

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
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

// validation compares the schemes of the papers with their native models on the papers' own
// cases; of the EM-4's policies it may be one only.
func validation(t *testing.T, policy string) (lines []string) {
	for _, c := range slices.Concat(againstWorkstations(t), againstMNC(t), againstRHiNET(t), againstPDES(t), againstEM4(t, policy)) {
		t.Log(c)
		lines = append(lines, c.String())
	}
	return lines
}

// The published lines are what is measured; TestWholeValidation (-tags slow) measures all.
func TestValidation(t *testing.T) {
	published := strings.Split(Validation, "\n")
	for _, line := range validation(t, "ring") {
		require.Contains(t, published, line)
	}
}

// runs runs one world and fails the test if that fails.
func runs(t *testing.T, s Setup) *Result {
	t.Helper()
	r, err := Run(context.Background(), s)
	require.NoError(t, err, s.Scheme.Name)
	require.Empty(t, r.NA, s.Scheme.Name)
	return r
}
