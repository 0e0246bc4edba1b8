//go:build unix

package checkpoint

import (
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// cramped is the environment variable that is set in the child process of TestNoRoom.
const cramped = "EMSIM_TEST_NO_ROOM"

// Wherever the space for a checkpoint ends, only the old checkpoint remains. The test uses a child process, because the
// limit applies to all files of a process.
func TestNoRoom(t *testing.T) {
	if os.Getenv(cramped) == "" {
		child := exec.Command(os.Args[0], "-test.run=^TestNoRoom$", "-test.v")
		child.Env = append(os.Environ(), cramped+"=1")
		out, err := child.CombinedOutput()
		require.NoError(t, err, string(out))
		require.Contains(t, string(out), "--- PASS: TestNoRoom")
		return
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "c")
	write1(t, file, 30_000)
	info, err := os.Stat(file)
	require.NoError(t, err)
	size := info.Size()
	require.Greater(t, size, int64(1<<16), "more than is buffered")
	write1(t, file, 77)

	signal.Ignore(syscall.SIGXFSZ) // a file that becomes too large causes an error instead of a signal
	defer signal.Reset(syscall.SIGXFSZ)
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	limited := func(n int64, do func()) {
		limit := before
		limit.Cur = uint64(n)
		require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit))
		defer func() { require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) }()
		do()
	}
	walk, _ := numbers(30_000, nil)
	for _, room := range []int64{0, 1, headerSize - 1, headerSize, 100, 1 << 16, size - 1} {
		var err error
		limited(room, func() { err = Write(file, "mnc", "how", walk) })
		require.ErrorIs(t, err, syscall.EFBIG, "%d bytes", room)
		require.ErrorContains(t, err, file+": the checkpoint could not be written: ")
		n, err := read1(file)
		require.NoError(t, err)
		require.Equal(t, 77, n)
		alone(t, dir, "c")
	}
	limited(size, func() { err = Write(file, "mnc", "how", walk) })
	require.NoError(t, err)
	n, err := read1(file)
	require.NoError(t, err)
	require.Equal(t, 30_000, n)
}
