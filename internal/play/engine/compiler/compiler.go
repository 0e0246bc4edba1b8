// Package compiler is what the page of 'emsim play' loads when a program is in Go: the
// compiler, with JSON for questions and answers. It is a module of its own, because
// most users never need its megabyte. wasm/ connects it to the browser.
package compiler

import (
	"encoding/json"
	"errors"

	"emsim/asm"
	"emsim/internal/compile"
	"emsim/internal/inspect/blockgraph"
	"emsim/internal/play/engine/compiled"
	"emsim/programs"
)

// Question is a setup as far as the compiler cares.
type Question struct {
	Main   string            `json:"main"`
	Files  map[string]string `json:"files"`
	Params map[string]string `json:"params"`
}

// options returns what the page lets its user choose of the compiler's options: where the
// program runs, and so --placement, is the user's choice there.
func (q *Question) options() (compile.Options, error) {
	o, _, err := compile.TakeOptions(q.Params)
	o.Placement = ""
	return o, err
}

// source returns the text of the main file.
func (q *Question) source() []byte {
	src, ok := q.Files[q.Main]
	if !ok {
		src, _ = programs.GoSource(q.Main)
	}
	return []byte(src)
}

// Compile compiles the main file.
func (q *Question) Compile() *compiled.Program {
	p := &compiled.Program{Choices: map[string][]string{}}
	for _, x := range compile.OptionList() {
		if x.Name != "placement" {
			p.Choices[x.Name] = x.Values
		}
	}
	o, err := q.options()
	if err == nil {
		p.Text, err = compile.Compile(q.Main, q.source(), o)
	}
	var wrong asm.Errors
	switch {
	case errors.As(err, &wrong):
		p.Errors, p.More = wrong.List, wrong.More
	case err != nil:
		p.Error = err.Error()
	}
	return p
}

// Graph places the blocks of the main file in a picture, if it compiles.
func (q *Question) Graph() *blockgraph.Picture {
	o, err := q.options()
	if err != nil {
		return nil
	}
	g, err := compile.NewGraph(q.Main, q.source(), o)
	if err != nil {
		return nil
	}
	return blockgraph.New(g)
}

// Answer works as Compile for JSON, and Draw is Graph. The question comes from the engine's
// page, so one that cannot be read is a defect.
func Answer(question []byte) []byte { return answer(readQuestion(question).Compile()) }

// Draw does what Answer says of it.
func Draw(question []byte) []byte { return answer(readQuestion(question).Graph()) }

func readQuestion(question []byte) *Question {
	q := &Question{}
	if err := json.Unmarshal(question, q); err != nil {
		panic(err)
	}
	return q
}

func answer(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // all answers can be written
	}
	return text
}
