package wholefile

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// A killed process leaves the old file, and its own temporary file, which does no harm.
func TestKill(t *testing.T) {
	if os.Getenv("WHOLEFILE_CHILD") != "" {
		f := create1(t, "a")
		write1(t, f, "half")
		require.NoError(t, syscall.Kill(os.Getpid(), syscall.SIGKILL))
		select {}
	}
	at(t)
	put(t, "a", "old", 0o600)
	c := exec.Command(os.Args[0], "-test.run=^TestKill$")
	c.Env = append(os.Environ(), "WHOLEFILE_CHILD=1")
	require.Error(t, c.Run())
	require.Equal(t, "old", text(t, "a"))
	require.NoError(t, WriteFile("a", []byte("new"), 0o600))
	require.Equal(t, []string{fmt.Sprintf(".emsim-%d-0.tmp", c.Process.Pid), "a"}, names(t))
	put(t, fmt.Sprintf(".emsim-%d-0.tmp", os.Getpid()), "of another process of this number", 0o600)
	require.NoError(t, WriteFile("a", []byte("newer"), 0o600))
	require.Equal(t, "newer", text(t, "a"))
}

// Many files written to one directory at the same time do not interfere, and no file stays open.
func TestManyAtOnce(t *testing.T) {
	at(t)
	before := open(t)
	var all sync.WaitGroup
	errs := make(chan error, 1000)
	for w := range 4 {
		all.Go(func() {
			for i := range 40 {
				name := fmt.Sprintf("%d-%d", w, i)
				errs <- WriteFile(name, []byte(name), 0o600)
				errs <- Probe(name)
				f, err := Create(name)
				if errs <- err; err == nil {
					f.Abort()
				}
			}
		})
	}
	all.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	for w := range 4 {
		for i := range 40 {
			name := fmt.Sprintf("%d-%d", w, i)
			require.Equal(t, name, text(t, name))
		}
	}
	require.Len(t, names(t), 160)
	require.Equal(t, before, open(t))
}

// open returns the number of open files, or 0 if the system does not report it.
func open(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}
