// Package compiler is what the page of 'emsim play' loads when a program is in Go: the
// compiler, with JSON for questions and answers. It is a module of its own, because
// most users never need its megabyte. wasm/ connects it to the browser.
package compiler

import (
	"encoding/json"
	"errors"

	"emsim/asm"
	"emsim/internal/compile"
	"emsim/play/engine/compiled"
	"emsim/programs"
)

// Question is a setup as far as the compiler cares.
type Question struct {
	Main  string            `json:"main"`
	Files map[string]string `json:"files"`
}

// Compile compiles the main file.
func (q *Question) Compile() *compiled.Program {
	src, ok := q.Files[q.Main]
	if !ok {
		src, _ = programs.GoSource(q.Main)
	}
	text, err := compile.Compile(q.Main, []byte(src), compile.Options{})
	p := &compiled.Program{Text: text}
	var wrong asm.Errors
	switch {
	case errors.As(err, &wrong):
		p.Errors, p.More = wrong.List, wrong.More
	case err != nil:
		p.Error = err.Error()
	}
	return p
}

// Answer is Compile for JSON. The question comes from the engine's page, so one that
// cannot be read is a defect.
func Answer(question []byte) []byte {
	q := &Question{}
	if err := json.Unmarshal(question, q); err != nil {
		panic(err)
	}
	text, err := json.Marshal(q.Compile())
	if err != nil {
		panic(err) // all answers can be written
	}
	return text
}
