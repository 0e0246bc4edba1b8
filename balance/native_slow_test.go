//go:build slow

package balance_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/balance"
	"emsim/docs"
	"emsim/internal/dev/golden"
)

// The map in docs/balance/valid.csv is what the policies and their native machines give; -update writes it.
func TestNativeMap(t *testing.T) {
	text := balance.CSV(measureAll(t, func(*point) bool { return true }))
	if golden.Update() {
		require.NoError(t, os.WriteFile("../docs/balance/valid.csv", []byte(text), 0o644))
		return
	}
	require.Equal(t, docs.Valid, text, "go test -tags slow ./balance -run TestNativeMap -update writes it; then see "+
		"which cells are validated")
}
