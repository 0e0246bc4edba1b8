//go:build js

package run

import (
	"emsim/asm"
	"emsim/internal/simerr"
)

// loadGo is not for a browser: the page of 'emsim play' has a compiler apart from its
// engine, and loads it for programs in Go only.
func loadGo(name string, _ map[string]string) (*asm.Object, error) {
	return nil, simerr.Usagef("%s has to be compiled before", name)
}
