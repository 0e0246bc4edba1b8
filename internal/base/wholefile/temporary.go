package wholefile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// A temporary file is called .emsim-HOST-PID-NUMBER.tmp, and its process locks it for as
// long as it is open. A killed process leaves it there: the next one that writes in the
// same directory removes it, if it was one of this computer that lives no more, and the
// lock is free. Whether processes of another computer live is unknown, whatever a
// shared disk says about locks: its files stay.
const prefix, suffix = ".emsim-", ".tmp"

// used are the directories in which this process has looked for files of killed ones, and
// the names of its own files.
var used = struct {
	sync.Mutex
	dirs, names map[string]bool
}{dirs: map[string]bool{}, names: map[string]bool{}}

// temporary creates a file of its own in a directory, with the lock of a living process.
func temporary(dir string, perm fs.FileMode) (*os.File, error) {
	used.Lock()
	defer used.Unlock()
	if at, err := filepath.Abs(dir); err == nil && !used.dirs[at] {
		used.dirs[at] = true
		removeStrays(dir)
	}
	for i := 0; ; i++ {
		name := fmt.Sprintf("%s%s-%d-%d%s", prefix, host(), os.Getpid(), i, suffix)
		// Join would shorten LINK/.. to nothing.
		f, err := os.OpenFile(dir+string(filepath.Separator)+name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		switch {
		case errors.Is(err, fs.ErrExist): // another file of this process
			continue
		case err != nil:
			return nil, dirError(dir, err)
		}
		used.names[name] = true
		_ = lock(f) // a file system without locks has no less of a file
		return f, nil
	}
}

// host returns the name of this computer, as it stands in names of files.
func host() string {
	name, _ := os.Hostname() // without one all are the same, and locks decide alone
	return strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}

// removeStrays removes what killed processes of this computer have left in a directory.
// What cannot be removed does no harm.
func removeStrays(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if pid, ok := writerOf(name); ok && !used.names[name] && (pid == os.Getpid() || !lives(pid)) {
			removeUnlocked(dir + string(filepath.Separator) + name)
		}
	}
}

// writerOf returns the process of this computer that has made a temporary file.
func writerOf(name string) (pid int, ok bool) {
	rest, ok := strings.CutPrefix(name, prefix+host()+"-")
	if !ok || !strings.HasSuffix(rest, suffix) {
		return 0, false
	}
	number, index, ok := strings.Cut(strings.TrimSuffix(rest, suffix), "-")
	pid, err := strconv.Atoi(number)
	_, err2 := strconv.Atoi(index)
	return pid, ok && err == nil && err2 == nil
}

// removeUnlocked removes a regular file unless somebody holds its lock.
func removeUnlocked(name string) {
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return
	}
	defer f.Close()
	if lock(f) == nil {
		_ = os.Remove(name)
	}
}
