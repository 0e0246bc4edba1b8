package asm

import (
	"unicode/utf8"

	"emsim/internal/base/suggest"
)

// maxHints is the largest number of names that are compared with a misspelt one. With more names, the comparison
// would take longer than the user needs to look up the name.
const maxHints = 4096

// didYouMean returns a part of a sentence with the nearest candidate, or "". It does not search if the error at the
// token will only be counted.
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

// lazy is a part of a message that is expensive to compute. Most messages of a program with many errors are never
// written.
type lazy func() string

func (l lazy) String() string { return l() }

// briefly is the largest number of bytes of a program's text that a message quotes.
const briefly = 80

// brief shortens a long string for a message.
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
