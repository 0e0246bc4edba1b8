//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package wholefile

import (
	"errors"
	"io/fs"
	"os"
)

// renamesOpen says that a file must be closed before it is renamed. Such a
// system does not remove an open file, so no lock is needed.
const renamesOpen = false

const locks = false

var errHeld = errors.New("held")

func lock(*os.File) error { return nil }

func lockWaiting(*os.File) error { return nil }

func own(*os.File, fs.FileInfo) {}
