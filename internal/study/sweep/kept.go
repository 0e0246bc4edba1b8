package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
)

// KeepExecutable keeps a copy of the executable in the store, for the shares
// that begin later: 'go run' deletes its own, and a rebuilt one is another
// emsim, whose results would replace those of this one. It returns the copy's
// path.
func (s *Store) KeepExecutable(executable string) (string, error) {
	if s.Version.Executable == "" {
		return "", errors.New("shares need to know which emsim runs them, and the executable of this process cannot be read")
	}
	kept := "emsim-" + s.Version.Executable[:min(12, len(s.Version.Executable))]
	there, err := fs.Glob(os.DirFS(s.Dir), "emsim-*")
	for _, name := range there {
		if name != kept {
			return "", simerr.Usagef("the store %s is for another emsim: use %s, or choose another directory with -o. To run its points again with this emsim, remove that copy when no share runs any more", s.Dir, filepath.Join(s.Dir, name))
		}
	}
	kept = filepath.Join(s.Dir, kept)
	if sum, err := SHA256File(kept); err == nil && sum == s.Version.Executable {
		return kept, nil
	}
	text, err2 := os.ReadFile(executable)
	if err = errors.Join(err, err2); err == nil {
		err = wholefile.WriteFile(kept, text, 0o777)
	}
	if err != nil {
		return "", fmt.Errorf("the executable cannot be kept in the store: %w", err)
	}
	return kept, nil
}

// SHA256File is the hash of a file.
func SHA256File(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
