//go:build slow

package figures

import "testing"

// The pictures of the documentation are what the commands draw today; -update
// redraws them.
func TestPicturesOfTheDocumentation(t *testing.T) {
	for _, f := range All() {
		checkPicture(t, f)
	}
}
