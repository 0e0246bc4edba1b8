//go:build js

package run

import (
	"io/fs"

	"emsim/asm"
	"emsim/internal/base/simerr"
)

// Placement is empty here, because the browser's engine has no compiler.
type Placement struct{}

// OpenPolicy returns fs.ErrNotExist: a browser has no files.
func OpenPolicy(string) ([]byte, error) { return nil, fs.ErrNotExist }

func loadGoFrom(fs.FS, string) (*asm.Object, error) { return nil, fs.ErrNotExist }

// loadGo returns an error: the browser's engine has no compiler. The page of 'emsim play' loads a separate compiler,
// and only for programs in Go.
func (s *Spec) loadGo() (*asm.Object, error) {
	return nil, simerr.Usagef("%s must be compiled first", s.Program)
}
