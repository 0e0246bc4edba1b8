package figures

import "testing"

func TestSPMDFigures(t *testing.T) {
	for _, f := range spmdFigures() {
		checkPicture(t, f)
	}
}
