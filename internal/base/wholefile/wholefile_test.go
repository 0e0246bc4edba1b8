package wholefile

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/simerr"
)

// at creates a directory for the test and changes to it.
func at(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	return dir
}

func put(t *testing.T, name, text string, mode fs.FileMode) {
	t.Helper()
	require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	require.NoError(t, os.Chmod(name, mode))
}

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(b)
}

// names returns the names of the files in the current directory.
func names(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadDir(".")
	require.NoError(t, err)
	out := []string{}
	for _, e := range list {
		out = append(out, e.Name())
	}
	return out
}

func mode(t *testing.T, name string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(name)
	require.NoError(t, err)
	return info.Mode().Perm()
}

func create1(t *testing.T, name string) *File {
	t.Helper()
	f, err := Create(name)
	require.NoError(t, err)
	return f
}

func write1(t *testing.T, f *File, text string) {
	t.Helper()
	n, err := f.Write([]byte(text))
	require.NoError(t, err)
	require.Equal(t, len(text), n)
}

func TestCommit(t *testing.T) {
	at(t)
	put(t, "a", "old", 0o640)
	f := create1(t, "a")
	write1(t, f, "new ")
	write1(t, f, "text")
	_, err := f.WriteAt([]byte("N"), 0)
	require.NoError(t, err)
	require.Equal(t, "old", text(t, "a"), "not before Commit")
	require.NoError(t, f.Commit())
	require.Equal(t, "New text", text(t, "a"))
	require.Equal(t, fs.FileMode(0o640), mode(t, "a"))
	require.NoError(t, f.Commit(), "once more changes nothing")
	f.Abort()
	require.Equal(t, "New text", text(t, "a"))
	require.Equal(t, []string{"a"}, names(t))
}

func TestAbort(t *testing.T) {
	at(t)
	put(t, "a", "old", 0o600)
	for _, name := range []string{"a", "b"} {
		f := create1(t, name)
		write1(t, f, "new")
		f.Abort()
		f.Abort()
		require.NoError(t, f.Commit(), "too late")
	}
	require.Equal(t, "old", text(t, "a"))
	require.Equal(t, []string{"a"}, names(t))
}

// After any failure only the old file remains. The error names the file, not the temporary one.
func TestFailures(t *testing.T) {
	full := &fs.PathError{Op: "write", Path: ".emsim-1-0.tmp", Err: syscall.ENOSPC}
	for what, breakIt := range map[string]func(f *File){
		"write": func(f *File) { f.write = func([]byte) (int, error) { return 1, full } },
		"sync":  func(f *File) { f.sync = func() error { return full } },
		"rename": func(f *File) {
			f.rename = func(from, to string) error {
				return &os.LinkError{Op: "rename", Old: from, New: to, Err: syscall.ENOSPC}
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			at(t)
			put(t, "a", "old", 0o600)
			f := create1(t, "a")
			breakIt(f)
			n, err := f.Write([]byte("new"))
			if what == "write" {
				require.Equal(t, 1, n)
				require.ErrorIs(t, err, syscall.ENOSPC)
				require.Equal(t, err, f.err)
				n, err = f.Write([]byte("more"))
				require.Zero(t, n)
				require.ErrorIs(t, err, syscall.ENOSPC)
				_, err = f.WriteAt([]byte("more"), 0)
				require.ErrorIs(t, err, syscall.ENOSPC)
			}
			for range 2 {
				err = f.Commit()
				require.ErrorIs(t, err, syscall.ENOSPC)
				require.EqualError(t, err, "a cannot be written: no space left on device")
			}
			require.ErrorAs(t, err, new(*simerr.Usage))
			require.Equal(t, "old", text(t, "a"))
			require.Equal(t, []string{"a"}, names(t))
		})
	}
}

func TestWriteFile(t *testing.T) {
	at(t)
	require.NoError(t, WriteFile("a", []byte("one"), 0o600))
	require.Equal(t, fs.FileMode(0o600), mode(t, "a"))
	require.NoError(t, WriteFile("a", []byte("two"), 0o644))
	require.Equal(t, fs.FileMode(0o600), mode(t, "a"), "an older file keeps its mode")
	require.Equal(t, "two", text(t, "a"))
	require.EqualError(t, WriteFile("no/a", nil, 0o600), "no/a cannot be written: there is no directory no")
	require.ErrorIs(t, Probe("no/a"), fs.ErrNotExist)
	require.EqualError(t, WriteFile("", nil, 0o600), " cannot be written: a file needs a name")
	require.NoError(t, os.Mkdir("d", 0o700))
	require.EqualError(t, WriteFile("d", nil, 0o600), "d cannot be written: it is a directory")
	require.EqualError(t, WriteFile("a/b", nil, 0o600), "a/b cannot be written: not a directory")
	require.ErrorContains(t, WriteFile("d/..", nil, 0o600), "it is a directory")
	require.EqualError(t, WriteFile("new/", nil, 0o600), "new/ cannot be written: there is no directory new")
	require.EqualError(t, WriteFile("new/.", nil, 0o600), "new/. cannot be written: there is no directory new")
	long := strings.Repeat("x", 300)
	require.EqualError(t, Probe(long), long+" cannot be written: file name too long")
	require.Equal(t, []string{"a", "d"}, names(t))
}

// A mode that the umask would not permit is kept, too.
func TestModeBeyondUmask(t *testing.T) {
	at(t)
	put(t, "a", "old", 0o666)
	require.NoError(t, WriteFile("a", []byte("new"), 0o600))
	require.Equal(t, fs.FileMode(0o666), mode(t, "a"))
	defer syscall.Umask(syscall.Umask(0o027))
	require.NoError(t, WriteFile("b", nil, 0o666))
	require.Equal(t, fs.FileMode(0o640), mode(t, "b"))
}

// Links are kept, and their targets are replaced.
func TestLinks(t *testing.T) {
	at(t)
	require.NoError(t, os.MkdirAll("d/deep", 0o700))
	put(t, "d/real", "old", 0o600)
	for from, to := range map[string]string{
		"link": "d/near", "d/near": "real", // through another directory
		"new": "d/still-to-come", "dir": "d/deep", "loop": "loop",
	} {
		require.NoError(t, os.Symlink(to, from))
	}
	require.NoError(t, os.Symlink(filepath.Join(os.Getenv("PWD"), "d"), "absolute"))
	require.NoError(t, WriteFile("link", []byte("1"), 0o600))
	require.Equal(t, "1", text(t, "d/real"))
	require.NoError(t, WriteFile("new", []byte("2"), 0o600))
	require.Equal(t, "2", text(t, "d/still-to-come"))
	require.NoError(t, WriteFile("dir/../other", []byte("3"), 0o600), "dir/.. is d")
	require.Equal(t, "3", text(t, "d/other"))
	require.Error(t, WriteFile("loop", nil, 0o600))
	for _, link := range []string{"link", "d/near", "new"} {
		info, err := os.Lstat(link)
		require.NoError(t, err)
		require.Equal(t, fs.ModeSymlink, info.Mode().Type(), link)
	}
	require.NotContains(t, names(t), "other")

	require.True(t, SameFile("link", "d/real"))
	require.True(t, SameFile("d/./real", "d/real"))
	require.True(t, SameFile("dir/../none", "d/none"), "neither is there yet")
	require.False(t, SameFile("dir/../none", "none"))
	require.False(t, SameFile("d/none", "d/real"))
	require.False(t, SameFile("", ""))
	require.False(t, SameFile("d/none", "d/nothing"))
	require.False(t, SameFile("no/none", "no/none"), "where no file can be")
	require.False(t, SameFile("d/real", "/dev/null"))
	require.False(t, SameFile("d/real", "d"))
	require.False(t, SameFile("/dev/null", "/dev/null"), "takes two outputs")
	require.NoError(t, os.Link("d/real", "hard"))
	require.True(t, SameFile("hard", "link"))
}

// A file named through a pipe or a device is written in place.
func TestInPlace(t *testing.T) {
	at(t)
	require.NoError(t, Probe("/dev/null"))
	require.NoError(t, WriteFile("/dev/null", []byte("x"), 0o600))
	info, err := os.Stat("/dev/null")
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&fs.ModeDevice, "it is still the device")
	require.NoError(t, os.Symlink("/dev/full", "full"))
	require.True(t, InPlace("full"))
	require.False(t, InPlace("none"))
	require.False(t, InPlace("."))
	f := create1(t, "/dev/null")
	_, err = f.WriteAt([]byte("x"), 0)
	require.EqualError(t, err, "/dev/null cannot be written: it must be a separate file")
	require.Error(t, f.Commit())
	require.EqualError(t, WriteFile("full", []byte("x"), 0o600), "full cannot be written: no space left on device")

	require.NoError(t, syscall.Mkfifo("pipe", 0o600))
	require.NoError(t, Probe("pipe"), "which does not open it")
	got := make(chan string)
	go func() {
		b, err := os.ReadFile("pipe")
		got <- fmt.Sprint(string(b), err)
	}()
	require.NoError(t, WriteFile("pipe", []byte("through"), 0o600))
	require.Equal(t, "through<nil>", <-got)

	require.Equal(t, []string{"full", "pipe"}, names(t))

	l, err := net.Listen("unix", "socket")
	require.NoError(t, err)
	defer l.Close()
	require.ErrorContains(t, WriteFile("socket", nil, 0o600), "socket cannot be written: no such device")
}

// Standard output is written in place and stays open, even if it is a file. A file without a name is also written in
// place.
func TestStreams(t *testing.T) {
	at(t)
	put(t, "out", "", 0o600)
	out, err := os.OpenFile("out", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer out.Close()
	old := os.Stdout
	os.Stdout = out
	defer func() { os.Stdout = old }()
	fmt.Print("before, ")
	f := create1(t, "out")
	write1(t, f, "the file, ")
	require.NoError(t, f.Commit())
	fmt.Print("after")
	require.Equal(t, "before, the file, after", text(t, "out"))

	gone, err := os.Create("gone")
	require.NoError(t, err)
	defer gone.Close()
	require.NoError(t, os.Remove("gone"))
	name := fmt.Sprintf("/proc/self/fd/%d", gone.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip("this system has no /proc")
	}
	require.NoError(t, WriteFile(name, []byte("text"), 0o600))
	require.Equal(t, "text", text(t, name))

	// The name that the system invents for it may belong to another file, which must not change.
	made, err := os.Readlink(name)
	require.NoError(t, err)
	put(t, filepath.Base(made), "another", 0o600)
	require.NoError(t, WriteFile(name, []byte("again"), 0o600))
	require.Equal(t, "another", text(t, filepath.Base(made)))
	require.Equal(t, "again", text(t, name))
	require.NoError(t, os.Remove(filepath.Base(made)))
	require.Equal(t, []string{"out"}, names(t))
}

// Protected directories and files are rejected before any write.
func TestProtected(t *testing.T) {
	at(t)
	require.NoError(t, os.Mkdir("closed", 0o555))
	require.NoError(t, os.Mkdir("open", 0o700))
	require.NoError(t, os.Chmod("open", 0o777))
	require.NoError(t, os.Chmod(".", 0o755))
	put(t, "open/protected", "old", 0o444)
	put(t, "open/shared", "old", 0o666)
	var got []string
	note := func(err error) { got = append(got, fmt.Sprint(err)) }
	asNobody(t, func() {
		note(Probe("closed/a"))
		note(WriteFile("closed/a", nil, 0o600))
		note(Probe("open/protected"))
		note(WriteFile("open/protected", nil, 0o600))
		note(WriteFile("open/shared", []byte("new"), 0o600))
	})
	require.Equal(t, []string{
		"closed/a cannot be written: no file can be created and renamed in the directory closed: permission denied",
		"closed/a cannot be written: no file can be created and renamed in the directory closed: permission denied",
		"open/protected cannot be written: permission denied",
		"open/protected cannot be written: permission denied",
		"<nil>",
	}, got)
	require.Equal(t, "new", text(t, "open/shared"))
	require.Equal(t, fs.FileMode(0o666), mode(t, "open/shared"))
}
