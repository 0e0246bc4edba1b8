// Package garbage makes the tests of a package that imports it, and their child processes, collect garbage less often.
// Tests make thousands of short-lived objects; with Go's default setting, garbage collection would take up to a fifth
// of their time.
package garbage

import (
	"os"
	"runtime/debug"
)

// Above the memory limit, garbage is collected as often as necessary. Without a limit, the tests of internal/command
// grew to 8 GB.
func init() {
	debug.SetGCPercent(400)       // [chosen]
	debug.SetMemoryLimit(2 << 30) // [chosen]
	_ = os.Setenv("GOGC", "400")
	_ = os.Setenv("GOMEMLIMIT", "2GiB")
}
