package engine

import (
	"emsim/internal/base/plural"
	"emsim/internal/play/engine/markup"
)

// sheet is a pane of the page that is being written. The attribute data-act of a button names its action, which
// page/panes/controls.js carries out.
type sheet struct{ markup.Sheet }

// counted returns a number of things: "1 packet", "2,000 packets".
func counted(n uint64, thing string) string {
	return plural.Commas(n) + " " + thing + plural.Verb(n, "", "s")
}
