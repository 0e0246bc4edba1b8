//go:build !js

package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"

	"emsim/asm"
)

// Digest returns a hash of everything of a program that a machine sees, and of its result's type.
// Programs with equal digests run alike, and their answers are equal. The engine of the browser has no such hash, which is large.
func Digest(o *asm.Object) string {
	text, err := json.Marshal(struct {
		Sections           []asm.Section
		Init, PerPE, Start *uint32
		Args               []asm.Arg
		Result             string `json:",omitempty"`
	}{o.Sections, o.Init, o.PerPE, o.Start, o.Args, o.Result})
	if err != nil {
		panic(err) // all its values can be written as JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
