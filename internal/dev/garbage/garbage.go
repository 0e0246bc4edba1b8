// Package garbage makes the tests of a package that imports it, and their child processes, collect garbage less often.
// Tests make thousands of short-lived objects; with Go's default setting, garbage collection would take up to a fifth
// of their time.
package garbage

import (
	"os"
	"runtime/debug"
)

func init() {
	debug.SetGCPercent(400) // [chosen]
	_ = os.Setenv("GOGC", "400")
}
