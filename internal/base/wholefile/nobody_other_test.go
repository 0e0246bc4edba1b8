//go:build !linux

package wholefile

import (
	"os"
	"testing"
)

// asNobody does the work as a user who may not write everywhere.
func asNobody(t *testing.T, work func()) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	work()
}
