// Package panics explains why programs compiled from Go stop the machine, and where they wait for ever. It is separate
// from the compiler, because code that only runs such programs does not need the compiler.
package panics

import (
	"fmt"
	"strings"

	"emsim/packet"
)

// texts explains why a compiled program stops the machine. The key is the kind in the label of the instruction.
var texts = map[string]string{
	"divide": "the program panics: integer divide by zero",
	"index":  "the program panics: index out of range",
	"size":   "the program panics: an array of package df has a negative or too large number of pieces or words",
	"shift":  "the program panics: negative shift amount",
	"called": "the program panics: it called panic",
	"send":   "the program panics: send on closed channel",
	"close":  "the program panics: close of closed channel",
	"wide":   "a program compiled from Go has words of 32 bits, and the words of this machine are wider: choose a smaller machine",
}

// Text returns why a compiled program stopped at the instruction with this label, such as fib.panic_divide7. It
// reports false for any other label.
func Text(label string) (string, bool) {
	_, kind, ok := strings.Cut(label, ".panic_")
	if !ok {
		return "", false
	}
	text, ok := texts[strings.TrimRight(kind, "0123456789_")]
	return text, ok
}

// SendSite returns the name of the constant that has the line of a send. The code at that line has sent the token to
// the node of a channel. An example is spin.want_c.at1.
func SendSite(node string, token int) string { return fmt.Sprintf("%s.at%d", node, token) }

// ReceiveSite returns the name of the constant that has the line of a receive. The item arrives at the node as this
// operand. An example is f.join3.left.
func ReceiveSite(node string, operand packet.Match) string { return node + "." + operand.String() }
