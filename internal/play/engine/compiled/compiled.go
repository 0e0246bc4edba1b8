// Package compiled is what the page's compiler tells its engine.
package compiled

import "emsim/asm"

// Program is a program in Go after the compiler has seen it.
type Program struct {
	Text   string       `json:"text,omitempty"` // assembly text, or
	Errors []*asm.Error `json:"errors,omitempty"`
	More   int          `json:"more,omitempty"`  // further errors
	Error  string       `json:"error,omitempty"` // that has no place in the text

	Choices map[string][]string `json:"choices"` // values of the parameters that say how it compiles
}

// Err returns why there is no text, or nil.
func (p *Program) Err() error {
	if len(p.Errors) > 0 {
		return asm.Errors{List: p.Errors, More: p.More}
	}
	return nil
}
