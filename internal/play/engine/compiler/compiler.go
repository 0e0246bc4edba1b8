// Package compiler is the compiler that the page of 'emsim play' loads when a program is in Go. Its questions and
// answers are JSON. It is a module of its own, because most users never need its megabyte. wasm/ connects it to the
// browser.
//
//	compiler.go  the questions and answers
//	svg.go       the picture of a program's blocks
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

// Question is the part of a setup that affects the compiler.
type Question struct {
	Main   string            `json:"main"`
	Files  map[string]string `json:"files"`
	Params map[string]string `json:"params"`
}

// options returns the compiler's options that the user can choose on the page. They exclude --placement, because on the
// page the user chooses policy, MLPE, blocks and guards.
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

// Graph returns the picture of the main file's blocks, or nil if the file does not compile.
func (q *Question) Graph() *Graph {
	o, err := q.options()
	if err != nil {
		return nil
	}
	g, err := compile.NewGraph(q.Main, q.source(), o)
	if err != nil {
		return nil
	}
	return drawGraph(blockgraph.New(g), q.Main)
}

// Answer calls Compile with a question in JSON and returns the result as JSON. It panics if it cannot parse the
// question, which comes from the engine's page.
func Answer(question []byte) []byte { return answer(readQuestion(question).Compile()) }

// Draw works like Answer, for Graph.
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
		panic(err) // every answer can be marshalled
	}
	return text
}
