package figures

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The cheap figures are as recorded, byte by byte, so that a change of the model
// that moves a bar fails here.
func TestRHiNETFigures(t *testing.T) {
	names := map[string]bool{}
	for _, f := range rhinetFigures() {
		require.False(t, names[f.Name], "%s twice", f.Name)
		names[f.Name] = true
		if f.Name != "rhinet-fig14" && f.Name != "rhinet-waiting" {
			continue
		}
		checkPicture(t, f)
	}
	require.Len(t, names, 8)
}
