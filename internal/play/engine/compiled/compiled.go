// Package compiled defines the data that the page's compiler returns to its engine.
package compiled

import "emsim/asm"

// Program is the compiler's result for a program in Go.
type Program struct {
	Text   string       `json:"text,omitempty"` // assembly text, or "" after an error
	Errors []*asm.Error `json:"errors,omitempty"`
	More   int          `json:"more,omitempty"`  // further errors
	Error  string       `json:"error,omitempty"` // an error without a place in the text

	Choices map[string][]string `json:"choices"` // possible values of the compiler's options
}

// Err returns the reason why there is no text, or nil.
func (p *Program) Err() error {
	if len(p.Errors) > 0 {
		return asm.Errors{List: p.Errors, More: p.More}
	}
	return nil
}
