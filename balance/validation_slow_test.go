//go:build slow

package balance

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// Every scheme of a paper matches its native model. The table is measured anew; -update
// writes it.
func TestWholeValidation(t *testing.T) {
	text := "scheme,case,quantity,native,hooks,deviation,tolerance,unit,ok\n" + strings.Join(validation(t, ""), "\n") + "\n"
	if golden.Update() {
		require.NoError(t, os.WriteFile("validation.csv", []byte(text), 0o644))
		return
	}
	require.Equal(t, Validation, text, "go test -tags slow ./balance -run TestWholeValidation -update writes it; then see which schemes are validated")
}
