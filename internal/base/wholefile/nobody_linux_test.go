package wholefile

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// asNobody does the work as a user who may not write everywhere: root gives up
// its rights to files in a thread that ends with the work.
func asNobody(t *testing.T, work func()) {
	t.Helper()
	if os.Getuid() != 0 {
		work()
		return
	}
	const nobody = 65534
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked
		err := syscall.Setfsgid(nobody)
		if err == nil {
			err = syscall.Setfsuid(nobody)
		}
		if err == nil {
			work()
		}
		done <- err
	}()
	require.NoError(t, <-done)
}
