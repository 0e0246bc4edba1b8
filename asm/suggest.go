package asm

import (
	"unicode/utf8"

	"emsim/internal/base/suggest"
)

// maxHints bounds how many names are compared with a misspelt one: with more,
// the comparison takes longer than the user needs to look up the name.
const maxHints = 4096

// didYouMean returns part of a sentence with the nearest candidate, or "". It
// does not search if the error at the token is only counted.
func (a *assembler) didYouMean(at token, name string, candidates func() []string) string {
	if a.reportPlace(at) == maxErrors {
		return ""
	}
	list := candidates()
	if len(list) > maxHints {
		return ""
	}
	return suggest.DidYouMean(name, list)
}

// lazy is a part of a message that is expensive to find: most messages of a
// program with many errors are never written.
type lazy func() string

func (l lazy) String() string { return l() }

// briefly is how many bytes of a program's text a message quotes.
const briefly = 80

// brief cuts a text that a message quotes.
func brief(s string) string {
	if len(s) <= briefly {
		return s
	}
	n := briefly
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}
