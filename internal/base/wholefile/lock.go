package wholefile

import (
	"errors"
	"os"
)

// ErrLocked says that another process has a lock.
var ErrLocked = errors.New("another process has the lock")

// Lock takes the lock of a file, or returns ErrLocked at once. It makes the
// file if necessary and leaves it there. unlock releases the lock; so does the
// end of the process. On a file system without locks everybody gets it.
func Lock(name string) (unlock func(), err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE, 0o666)
	if err != nil {
		return nil, unwritten(name, cause(err))
	}
	if errors.Is(lock(f), errHeld) {
		f.Close()
		return nil, ErrLocked
	}
	return func() { f.Close() }, nil
}
