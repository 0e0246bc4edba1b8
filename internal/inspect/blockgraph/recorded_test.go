package blockgraph

import (
	"fmt"
	"strings"
	"testing"

	"emsim/internal/dev/golden"
)

// The recorded layout is the one at the last inspection of the pictures of all programs (docs/img/go-blocks.svg, and
// the page of 'emsim play'). -update records an intended change.
func TestRecordedPictures(t *testing.T) {
	var b strings.Builder
	all(t, func(name string, p *Picture) {
		fmt.Fprintf(&b, "%s: %.6g x %.6g\n", name, p.Width, p.Height)
		for _, x := range p.Panels {
			fmt.Fprintf(&b, "  %s: %.6g\n", x.Title, x.Width)
			for i := range x.Boxes {
				box := &x.Boxes[i]
				fmt.Fprintf(&b, "    %s at %.6g %.6g, %.6g x %.6g\n", box.Name, box.X, box.Y, box.Width, box.Height)
			}
		}
	})
	golden.Check(t, "pictures.txt", []byte(b.String()))
}
