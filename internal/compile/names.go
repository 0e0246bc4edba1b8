package compile

import (
	"fmt"
	"regexp"
	"strings"
)

// The assembler's names have ASCII letters and a limited length. A Go name that is short and ASCII is used unchanged.
// Any other name gets a replacement that is unique.

// longestName bounds the bytes of a Go name that is used unchanged. Names in the text join several of them [chosen].
const longestName = 100

// plain returns a Go name in the form of the assembly text. Different names have different forms.
func (c *compiler) plain(name string) string {
	if p, ok := c.plains[name]; ok {
		return p
	}
	p := strings.ReplaceAll(name, ".", "_") // the name of a field
	for p != name && c.written[p] {
		p += "_"
	}
	if len(p) > longestName || strings.IndexFunc(p, func(r rune) bool { return r >= 0x80 }) >= 0 {
		var b strings.Builder
		for _, r := range p {
			if b.Len() > longestName/2 {
				break
			}
			if r < 0x80 {
				b.WriteRune(r)
			} else {
				fmt.Fprintf(&b, "u%x", r)
			}
		}
		p = fmt.Sprintf("%s_%d", &b, len(c.plains))
		for c.written[p] {
			p += "_"
		}
	}
	c.written[p] = true
	c.plains[name] = p
	return p
}

// inner matches the names that the compiler itself gives to parts of a unit.
var inner = regexp.MustCompile(`^(start|b\d+|(got|join|step|count|item|want|end|again|args|more|segment)\d+|arg\d+_.*|want_.*|panic_.*)$`)

// variable returns the name of a Go variable, changed if the compiler could give the same name to a part of a unit.
func variable(name string) string {
	if inner.MatchString(name) {
		return name + "_"
	}
	return name
}

// argName returns the name of a program argument in the assembly text.
func (c *compiler) argName(name string) string { return variable(c.plain(name)) }

// remark returns a string that can stand in a comment: without line breaks, and with a bounded length.
func remark(s string) string {
	const most = 200
	n := 0
	return strings.Map(func(r rune) rune {
		switch n++; {
		case n > most:
			return -1
		case r < ' ':
			return ' '
		}
		return r
	}, s)
}

// label returns a new name in the assembly text for a Go name.
func (c *compiler) label(name string) string {
	first := c.plain(name)
	full := first
	for n := 0; c.taken[full]; n++ {
		full = first + "_"
		if n > 0 {
			full = fmt.Sprintf("%s_%d", first, n+1)
		}
	}
	c.taken[full] = true
	return full
}
