//go:build slow

package figures

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/golden"
)

// The pictures of the documentation are what the commands draw today; -update
// redraws them.
func TestPicturesOfTheDocumentation(t *testing.T) {
	for _, f := range All() {
		svg, err := Encode(t.Context(), f, f.Name+".svg")
		require.NoError(t, err)
		golden.Check(t, "../../../docs/img/"+f.Name+".svg", svg)
	}
}
