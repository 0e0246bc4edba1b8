package compile

import (
	"os"
	"runtime/debug"
	"testing"
)

// Thousands of small programs are compiled and forgotten: with Go's usual limit a fifth of
// the time would go into collecting them.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
