//go:build js

package run

import (
	"io/fs"

	"emsim/asm"
	"emsim/internal/base/simerr"
)

// Placement belongs to the compiler, which is not here.
type Placement struct{}

// OpenPolicy refuses: it is not for a browser either.
func OpenPolicy(string) ([]byte, error) { return nil, fs.ErrNotExist }

func loadGoFrom(fs.FS, string) (*asm.Object, error) { return nil, fs.ErrNotExist }

// loadGo refuses, as it is not for a browser: the page of 'emsim play' has a compiler apart from its
// engine, and loads it for programs in Go only.
func (s *Spec) loadGo() (*asm.Object, error) {
	return nil, simerr.Usagef("%s has to be compiled before", s.Program)
}
