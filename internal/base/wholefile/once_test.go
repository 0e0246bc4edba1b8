package wholefile

import (
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The first one writes the file; whatever the others do, it stays, whole.
func TestWriteOnce(t *testing.T) {
	at(t)
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := WriteOnce("a", []byte("text "+strconv.Itoa(i)), 0o600); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	first := text(t, "a")
	require.Regexp(t, `^text \d$`, first)
	require.NoError(t, WriteOnce("a", []byte("later"), 0o600))
	require.Equal(t, first, text(t, "a"))
	require.Equal(t, []string{"a"}, names(t))
	require.EqualError(t, WriteOnce("none/a", nil, 0o600), "none/a cannot be written: there is no directory none")
}

// A log is held as long as it is open.
func TestLogs(t *testing.T) {
	at(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			f, err := CreateLog("logs", "x")
			if err != nil {
				t.Error(err)
				return
			}
			held, known := Held(f.Name())
			if held != locks || known != locks {
				t.Error(held, known)
			}
			f.Close()
			if held, _ := Held(f.Name()); held {
				t.Error("nobody has it")
			}
			_ = os.Remove(f.Name())
			_ = os.Remove("logs")
		})
	}
	all.Wait()
	require.NoDirExists(t, "logs")
	_, known := Held("none")
	require.False(t, known)
	_, err := CreateLog(filepath.Join("none", "logs"), "x")
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestClock(t *testing.T) {
	at(t)
	now, ok := Clock(".")
	require.True(t, ok)
	require.WithinDuration(t, time.Now(), now, time.Minute)
	_, ok = Clock("none")
	require.False(t, ok)
	require.Empty(t, names(t))
}
