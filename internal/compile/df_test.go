package compile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The compiler has the types of package df from its source, and of no other package.
func TestDf(t *testing.T) {
	p, err := dfImporter{}.Import(dfPath)
	require.NoError(t, err)
	require.Contains(t, p.Scope().Names(), "PE")
	require.True(t, p.Scope().Lookup("Sum").Exported())
	_, err = dfImporter{}.Import("fmt")
	require.Error(t, err)
}
