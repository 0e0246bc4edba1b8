package asm

// sourceAt is a line of the program that a compiler made the assembly text from.
type sourceAt struct {
	file string
	line int
}

// lineDirective handles .line: what follows comes from a line of another file,
// which the debugger, traces and faults name. Without operands, that ends.
func (p *parser) lineDirective() {
	a := p.a
	if t := p.peek(); t.kind == tokEnd {
		a.from = nil
		return
	}
	at := p.peek()
	v, ok := p.known(p.stmt.head.text)
	if !ok {
		return
	}
	if v < 1 || v > maxLines {
		p.fail(at, "%d is out of range: a line is 1..%d", v, maxLines)
		return
	}
	if !p.expect(",") {
		return
	}
	if t, ok := p.text(); ok {
		if t.str() == "" {
			p.fail(t, "expected the name of a file")
			return
		}
		a.from = &sourceAt{t.str(), int(v)}
	}
}
