package command

import (
	"bytes"
	"io"
	"os"
	"path/filepath"

	"emsim/internal/base/input"
	"emsim/internal/base/wholefile"
)

// history is the history of a prompt; *liner.State is one.
type history interface {
	ReadHistory(r io.Reader) (int, error)
	WriteHistory(w io.Writer) (int, error)
}

// historyFile is the file of the debugger's history between sessions, or "" if
// the user has no place for it.
func historyFile() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "emsim", "debug_history")
}

// recall gives a prompt the history of earlier sessions. The history is only
// a convenience, so errors are ignored.
func recall(h history) {
	want := input.Want{What: "a history", Most: 1 << 20}
	if text, err := want.Read(historyFile()); err == nil {
		_, _ = h.ReadHistory(bytes.NewReader(text))
	}
}

// saveHistory saves the history for the next session: readable only by this
// user, completely or not at all.
func saveHistory(h history) {
	name := historyFile()
	if name == "" || os.MkdirAll(filepath.Dir(name), 0o700) != nil {
		return
	}
	var text bytes.Buffer
	if _, err := h.WriteHistory(&text); err == nil {
		_ = wholefile.WriteFile(name, text.Bytes(), 0o600)
	}
}
