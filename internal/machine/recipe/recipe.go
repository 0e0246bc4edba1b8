// Package recipe says in a result how it was made, so that somebody else can make it
// again: which emsim, which command line, which files, which machine.
//
//	recipe.go  what a recipe says, and its text
//	forms.go   where each form of file has the text, and how it is found there
package recipe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"emsim/internal/base/input"
	"emsim/internal/machine/machinefile"
)

// Recipe is how a result was made. docs/FORMATS.md describes the keys.
type Recipe struct {
	Version     string  `json:"version"`                  // of emsim
	Fingerprint string  `json:"fingerprint"`              // of its models
	Revision    string  `json:"revision,omitempty"`       // of its sources, if the build recorded it
	Command     string  `json:"command"`                  // for a shell in a folder that has the inputs
	Output      string  `json:"output,omitempty"`         // the flag that asked for this file; none: the answer
	Machine     string  `json:"machine_sha256,omitempty"` // its description, if the command is about one machine
	Inputs      []Input `json:"inputs,omitempty"`
}

// Input is a file that the command reads.
type Input struct {
	Name   string `json:"name"` // without the folder that it was in
	SHA256 string `json:"sha256"`
}

// Text is the recipe as JSON on one line. It has no character that ends a comment of
// XML, HTML or VCD.
func (r Recipe) Text() string {
	text, err := json.Marshal(r) // which escapes <, > and &
	if err != nil {
		panic(err) // it consists of strings
	}
	return strings.ReplaceAll(string(text), "$", `\u0024`)
}

// DigestFile is the SHA-256 of a file.
func DigestFile(name string) (string, error) {
	f, err := input.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), err
}

// DigestMachine is the SHA-256 of a machine's description: its kind and its knobs,
// one a line, as a machine file has them.
func DigestMachine(m *machinefile.Machine) string {
	h := sha256.New()
	fmt.Fprintf(h, "machine = %q\n", m.Kind.Name)
	for _, r := range m.Rows {
		fmt.Fprintf(h, "%s = %s\n", r.Key, r.TOML())
	}
	return hex.EncodeToString(h.Sum(nil))
}
