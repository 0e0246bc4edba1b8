package wholefile

import (
	"os"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// asNobody does the work as a user who may not write everywhere. If root runs the test, the work gets a thread without
// root's rights to files.
func asNobody(t *testing.T, work func()) {
	t.Helper()
	if os.Getuid() != 0 {
		work()
		return
	}
	const nobody = 65534
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, so the thread ends with the work
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
