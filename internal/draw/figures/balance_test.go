package figures

import "testing"

func TestBalanceFigures(t *testing.T) {
	for _, f := range balanceFigures() {
		checkPicture(t, f)
	}
}
