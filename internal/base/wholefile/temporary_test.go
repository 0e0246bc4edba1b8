package wholefile

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// What killed processes of this computer have left is removed, also one of this process's
// number, as in a container. What lives, what is another computer's, and what only looks
// like such a file stays.
func TestStrays(t *testing.T) {
	at(t)
	dead := exec.Command(os.Args[0], "-test.run=^$")
	require.NoError(t, dead.Run())
	name := func(host string, pid int) string { return fmt.Sprintf(".emsim-%s-%d-9.tmp", host, pid) }
	mine, gone, elsewhere, living := name(host(), os.Getpid()), name(host(), dead.Process.Pid), name("elsewhere", dead.Process.Pid), name(host(), os.Getppid())
	held := name(host(), dead.Process.Pid) + "x"
	locked := strings.Replace(gone, "-9.tmp", "-10.tmp", 1) // as of a container that shares name and disk, but no processes
	for _, file := range []string{mine, gone, elsewhere, living, held, locked} {
		put(t, file, "x", 0o600)
	}
	f, err := os.OpenFile(locked, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer f.Close()
	require.NoError(t, lock(f))
	require.NoError(t, WriteFile("a", []byte("newer"), 0o600))
	require.NoError(t, ProbeDir(""))
	require.Equal(t, "newer", text(t, "a"))
	want := []string{elsewhere, living, held, locked, "a"}
	slices.Sort(want)
	require.Equal(t, want, names(t))
	require.EqualError(t, ProbeDir("no"), "no cannot be written: there is no directory no")
	require.NoError(t, WriteMark("m", []byte("text")))
	require.Equal(t, "text", text(t, "m"))
}

// A killed process leaves the older file.
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
}

// Many simultaneous files in one directory do not disturb each other, even
// during clean-up, and none stays open.
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

// open counts the files that are open, where the system tells.
func open(t *testing.T) int {
	t.Helper()
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}
