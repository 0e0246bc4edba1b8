// Package garbage lets the tests of a package that imports it, and the processes that
// they start, collect garbage less often: tests make thousands of small things and forget
// them, and with Go's usual limit up to a fifth of their time would go into collecting.
package garbage

import (
	"os"
	"runtime/debug"
)

func init() {
	debug.SetGCPercent(400) // [chosen]
	_ = os.Setenv("GOGC", "400")
}
