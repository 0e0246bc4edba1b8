package asm

import (
	"unicode/utf8"

	"emsim/internal/suggest"
)

// maxHints is how many names are compared with a misspelt one: to look through
// more of them takes longer than to look up the name.
const maxHints = 4096

// didYouMean returns a half sentence with the nearest candidate, or "". It
// does not look for one where the error at the token is only counted.
func (a *assembler) didYouMean(at token, name string, candidates func() []string) string {
	if a.rank(at) == maxErrors {
		return ""
	}
	list := candidates()
	if len(list) > maxHints {
		return ""
	}
	return suggest.DidYouMean(name, list)
}

// lazy is a part of a message that takes time to find out: most messages of a
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
