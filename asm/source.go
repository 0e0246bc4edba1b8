package asm

import "strings"

// srcLine is a line that was read from a file, or from a macro's body in a call.
type srcLine struct {
	file    string
	no      int    // from 1
	text    string // as in the file
	shown   string // with the parameters of the macro filled in
	from    *origin
	seq     int   // index among all lines read
	depth   int   // number of macros around it
	skipped bool  // skipped by .if, or part of a macro's definition
	stmt    *stmt // the statement that produces its words, or nil
}

// origin says how a line got into the program. Lines of the main file have none.
type origin struct {
	call *macroCall // nil for an included file
	at   token      // the call or the file's name
}

// frame is a file or a macro call that is being read.
type frame struct {
	file  string
	inner string // for a file of the library: its name there
	given bool   // the file is a parameter's value, or is included by such a file
	lines []string
	no    int // number of lines[0]
	next  int // index in lines
	from  *origin
	call  *macroCall // nil for a file
	conds int        // number of open .if when the frame began
	depth int        // nesting of macros
	outer *sourceAt  // the last .line before the frame
}

// Bounds on the assembler's work. Time and memory are a small multiple of the size of the text that is read. This size
// is limited. It includes all files, the macros' lines with their arguments, and the names.
const (
	maxFrames = 256              // nested files and macros
	maxLines  = 1 << 19          // lines read, macro lines included
	maxLine   = 1 << 16          // bytes of a line
	maxShown  = 500              // bytes of a macro's line in the listing
	maxTotal  = 6 * MemoryWords  // tokens read, including macro tokens: an instruction has about six
	maxText   = 64 * MemoryWords // bytes read
	maxNames  = MemoryWords      // names of one kind
)

// bound returns the limit n, or four times n for text from a compiler, which names the source of each part. In practice
// the memory of a PE limits such text.
func (a *assembler) bound(n int) int {
	if a.opt.Made != nil {
		return 4 * n
	}
	return n
}

// countText adds n bytes of text to the count. It reports false, and an error, if the program has too many.
func (a *assembler) countText(at token, n int, why string) bool {
	if a.text += n; a.text <= a.bound(maxText) {
		return true
	}
	if !a.stop {
		a.errorf(at, "the program has grown to more than %d characters: %s", a.bound(maxText), why)
		a.stop = true
	}
	return false
}

// splitLines splits text into lines without their line ends. If there are more than most, an additional last element
// holds the rest.
func splitLines(text string, most int) []string {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "\ufeff"), "\n")
	// Given a large number, SplitN takes space for a line per character.
	lines := strings.SplitN(text, "\n", min(most, strings.Count(text, "\n"))+1)
	for i, l := range lines {
		lines[i] = strings.TrimSuffix(l, "\r")
	}
	return lines
}

func (a *assembler) pushFrame(f *frame) {
	f.outer = a.from
	a.frames = append(a.frames, f)
}

// topFrame returns the file or macro that is being read.
func (a *assembler) topFrame() *frame { return a.frames[len(a.frames)-1] }

// nextLine returns the next line, or nil at the end of the program.
func (a *assembler) nextLine() *srcLine {
	for len(a.frames) > 0 {
		f := a.topFrame()
		if f.next == len(f.lines) {
			a.closeFrame(f)
			a.from = f.outer
			a.frames = a.frames[:len(a.frames)-1]
			continue
		}
		line := &srcLine{
			file: f.file, no: f.no + f.next, text: f.lines[f.next], from: f.from, seq: len(a.lines),
			depth: f.depth,
		}
		line.shown = line.text
		f.next++
		a.lines = append(a.lines, line)
		switch {
		case len(line.text) > maxLine:
			line.text, line.shown = line.text[:0], "(too long)"
			a.cur = &stmt{line: line}
			a.errorf(token{line: line}, "the line is longer than %d characters", maxLine)
		case len(a.lines) == a.bound(maxLines):
			a.cur = &stmt{line: line}
			a.errorf(token{line: line}, "the program has grown to %d lines: does a macro call itself without end?",
				len(a.lines))
			a.stop = true
			return nil
		}
		return line
	}
	return nil
}

// closeFrame reports definitions and conditions that a file or macro has left open.
func (a *assembler) closeFrame(f *frame) {
	if a.defines != nil && a.defines.frame == f {
		a.cur = &stmt{line: a.defines.at.line}
		a.errorf(a.defines.at, "the macro has no .endm")
		a.defines = nil
	}
	for len(a.conds) > f.conds {
		c := a.conds[len(a.conds)-1]
		a.conds = a.conds[:len(a.conds)-1]
		a.cur = &stmt{line: c.at.line}
		a.errorf(c.at, ".if without .endif")
	}
}

// unclosed reports parts that the program has left open.
func (a *assembler) unclosed() {
	if a.tmpl != nil {
		a.cur = &stmt{line: a.tmpl.at.line}
		if !a.stop {
			a.errorf(a.tmpl.at, "the template %q has no .endtemplate", a.tmpl.name)
		}
		a.tmpl.end = a.addr
		a.tmpl = nil
	}
}

// cond is an open .if.
type cond struct {
	at     token // the .if
	active bool  // the current lines are not skipped
	taken  bool  // a branch has been read, or no branch may be
	last   bool  // .else has been seen
}

// skipping reports whether the current lines are skipped.
func (a *assembler) skipping() bool {
	return len(a.conds) > 0 && !a.conds[len(a.conds)-1].active
}

// isEvaluated reports whether the condition of a .if or .elif among skipped lines is evaluated. If not, it may
// contain undefined names, such as a parameter of a macro whose definition is skipped.
func (a *assembler) isEvaluated(word string) bool {
	c := a.conds[len(a.conds)-1]
	return word != ".if" && (word != ".elif" || !c.taken)
}

// conditional handles .if, .elif, .else and .endif, even among skipped lines.
func (p *parser) conditional(head token) {
	a := p.a
	if head.text == ".if" {
		c := &cond{at: head, taken: a.skipping()}
		if !c.taken {
			c.active = p.condition(head.text)
			c.taken = c.active || p.stmt.bad
		}
		a.conds = append(a.conds, c)
		return
	}
	if len(a.conds) == a.topFrame().conds {
		p.fail(head, "%s without .if", head.text)
		return
	}
	c := a.conds[len(a.conds)-1]
	switch {
	case head.text == ".endif":
		a.conds = a.conds[:len(a.conds)-1]
		p.expectEnd()
		return
	case c.last:
		p.fail(head, "%s after the .else of the .if at %s", head.text, lazy(c.at.position))
		return
	}
	c.active = false
	if head.text == ".else" {
		c.last = true
		c.active = !c.taken
		p.expectEnd()
		return
	}
	if !c.taken {
		c.active = p.condition(head.text)
		c.taken = c.active || p.stmt.bad
	}
}

// condition evaluates the expression after .if or .elif. After an error in the expression, no branch is read.
func (p *parser) condition(who string) bool {
	v, ok := p.valueNow(who)
	return ok && p.expectEnd() && v != 0
}
