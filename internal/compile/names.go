package compile

import (
	"fmt"
	"regexp"
	"strings"
)

// The assembler's names have ASCII letters, and a limit. A name of Go that is neither
// long nor foreign stands in the text as it is; others get one that no other name has.

// longestName is how much of a name of Go stands in names of the text, which join
// several of them [chosen].
const longestName = 100

// plain is a name of Go as the assembly text has it: equal names, and only they, are
// equal there.
func (c *compiler) plain(name string) string {
	if p, ok := c.plains[name]; ok {
		return p
	}
	p := strings.ReplaceAll(name, ".", "_") // of a field
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

// inner are the names that the compiler itself gives to pieces of a unit.
var inner = regexp.MustCompile(`^(start|b\d+|(got|join|step|count|item|want|end|again|args|more|segment)\d+|arg\d+_.*|want_.*|panic_.*)$`)

// variable is the name of a Go variable where a unit's own names are.
func variable(name string) string {
	if inner.MatchString(name) {
		return name + "_"
	}
	return name
}

// argName is what an argument of the program is called.
func (c *compiler) argName(name string) string { return variable(c.plain(name)) }

// remark is a piece of text as it can stand in a comment.
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

// label makes a name for the assembly text that nothing else there has.
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
