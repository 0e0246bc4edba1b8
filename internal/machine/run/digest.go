//go:build !js

package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"emsim/asm"
)

// Digest returns a hash of everything in a program that affects a machine, and of its result's type. Programs with
// equal digests run alike and give equal answers. The browser's engine does not have Digest, because the code of the
// hash is large.
func Digest(o *asm.Object) string {
	text, err := json.Marshal(struct {
		Sections           []asm.Section
		Init, PerPE, Start *uint32
		Args               []asm.Arg
		Result             string `json:",omitempty"`
	}{o.Sections, o.Init, o.PerPE, o.Start, o.Args, o.Result})
	if err != nil {
		panic(err) // cannot happen: all values can be written as JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
