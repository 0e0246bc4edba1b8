package engine

import (
	"fmt"

	"emsim/internal/base/plural"
	"emsim/internal/play/engine/markup"
)

// sheet is a pane of the page that is being written. A button of a pane has an attribute data-act with what it does,
// which page/panes/controls.js carries out.
type sheet struct{ markup.Sheet }

// percent returns a share in per cent.
func percent(share float64) string { return fmt.Sprintf("%.1f %%", 100*share) }

// commas is plural.Commas.
func commas[N int | uint64](n N) string { return plural.Commas(uint64(n)) }

// counted returns a number of things: "1 packet", "2,000 packets".
func counted(n uint64, thing string) string { return commas(n) + " " + thing + plural.Verb(n, "", "s") }
