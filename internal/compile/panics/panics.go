// Package panics knows why programs compiled from Go stop the machine. It is apart
// from the compiler, as who only runs such programs needs no compiler.
package panics

import "strings"

// texts are the ways in which a compiled program stops the machine, by the
// label of the instruction that does it.
var texts = map[string]string{
	"divide": "the program panics: integer divide by zero",
	"index":  "the program panics: index out of range",
	"size":   "the program panics: an array of package df has a negative or too large number of pieces or words",
	"shift":  "the program panics: negative shift amount",
	"called": "the program panics: it called panic",
	"wide":   "a program compiled from Go has words of 32 bits, and the words of this machine are wider: choose a smaller machine",
}

// Text says why a compiled program stopped at an instruction, by its
// name, such as fib.panic_divide7.
func Text(label string) (string, bool) {
	_, kind, ok := strings.Cut(label, ".panic_")
	if !ok {
		return "", false
	}
	text, ok := texts[strings.TrimRight(kind, "0123456789_")]
	return text, ok
}
