// Package garbage makes the tests of a package that imports it, and their child processes, collect garbage less often.
// Tests make thousands of short-lived objects; with Go's default setting, garbage collection would take up to a fifth
// of their time. A test that uses much memory collects garbage more often again.
package garbage

import (
	"os"
	"runtime/debug"
)

func init() {
	debug.SetGCPercent(400)       // [chosen]
	debug.SetMemoryLimit(2 << 30) // bytes [chosen: two tests at a time fit into 8 GiB]
	_ = os.Setenv("GOGC", "400")
}
