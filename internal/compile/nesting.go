package compile

import (
	"go/scanner"
	"go/token"
	"runtime"
)

// deepest returns how deeply a program may be nested. go/parser and go/types recurse at every level, and a browser's
// stack is small [measured with Node: all forms of nesting that were tried pass 1,000, the worst overflows before
// 4,000; elsewhere chosen].
func deepest() int {
	if runtime.GOARCH == "wasm" {
		return 1000
	}
	return 10000
}

// nesting rejects a program that is nested too deeply, before any recursive pass. It counts open brackets, and the
// operators, keywords and closed brackets of the current list item.
func (c *compiler) nesting() {
	c.fset = token.NewFileSet()
	var s scanner.Scanner
	s.Init(c.fset.AddFile(c.name, -1, len(c.src)), c.src, nil, 0)
	var outer []int
	depth, base := 0, 0
	for {
		pos, tok, _ := s.Scan()
		switch tok {
		case token.EOF:
			return
		case token.COMMA, token.SEMICOLON, token.CASE, token.DEFAULT:
			depth = base
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
			outer, base = append(outer, base), depth
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth = base
			if n := len(outer) - 1; n >= 0 {
				outer, base = outer[:n], outer[n]
			}
		default:
			if tok.IsOperator() || tok.IsKeyword() {
				depth++
			}
		}
		if depth > deepest() {
			c.errorAt(pos, pos+1, "the program is nested more than %d deep here, counting brackets and the operators of an expression: give parts of it to variables or functions", deepest())
			return
		}
	}
}
