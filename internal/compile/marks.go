package compile

import (
	"fmt"
	"path/filepath"
	"slices"
)

// mark is the beginning of a statement in a line. Passes that remove code keep its marks, so the code still passes as
// many marks as Go begins statements.
type mark struct {
	line  int
	frame *frame
}

// begin begins a statement in a line.
func (l *lowerer) begin(line int) {
	if l.line = line; l.cur != nil && !l.quiet {
		l.cur.marks = append(l.cur.marks, mark{line, l.frame})
	}
}

// beginFunction marks the function's first line, unless the first statement is on that line.
func (l *lowerer) beginFunction(f *function) {
	line, body := l.c.lineOf(f.decl), f.decl.Body.List
	if len(body) == 0 || l.c.lineOf(body[0]) > line {
		l.begin(line)
	}
}

// remove removes instructions. Their marks move to the next instruction.
func (b *block) remove(drop func(x *instr) bool) {
	var kept []instr
	var marks []mark
	for _, x := range b.code {
		if marks = append(marks, x.marks...); !drop(&x) {
			x.marks, marks = marks, nil
			kept = append(kept, x)
		}
	}
	b.code, b.marks = kept, append(marks, b.marks...)
}

// moveMarks moves the marks at a block's end, if it has no instruction there, to its last instruction. If the block has
// no instruction at all, they move to all ways that lead to it.
func (e *emitter) moveMarks(chunks []*chunk) {
	bare := map[*block]bool{} // whether a block's end has no instruction
	for _, k := range chunks {
		for i, b := range k.list {
			switch last := e.lastOf(b); len(b.next) {
			case 0:
				bare[b] = last >= 0 && (b.ended || !b.code[last].other().macro)
			case 1:
				bare[b] = i+1 < len(k.list) && k.list[i+1] == b.next[0] || e.repeats(b.next[0])
			}
		}
	}
	var end func(b *block, marks []mark)
	end = func(b *block, marks []mark) {
		switch last := e.lastOf(b); {
		case !bare[b]:
			b.marks = append(b.marks, marks...)
			return
		case last >= 0:
			b.code[last].marks = append(b.code[last].marks, marks...)
			return
		case b.node != nil:
			b.first = append(b.first, marks...)
		}
		for _, p := range b.from {
			if way := slices.Index(p.next, b); len(p.next) > 1 {
				p.ways[way] = append(p.ways[way], marks...)
			} else {
				end(p, marks)
			}
		}
	}
	for _, b := range e.u.blocks {
		if bare[b] {
			var marks []mark
			for i := e.lastOf(b) + 1; i < len(b.code); i++ {
				marks, b.code[i].marks = append(marks, b.code[i].marks...), nil
			}
			marks, b.marks = append(marks, b.marks...), nil
			end(b, marks)
		}
	}
}

// lastOf returns the index of the last instruction of a block that is written, or -1.
func (e *emitter) lastOf(b *block) int {
	last := len(b.code) - 1
	for last >= 0 && e.vanishes(&b.code[last]) {
		last--
	}
	return last
}

// pass is a mark, and the ways to or from an instruction on which its statement begins (docs/FORMATS.md).
type pass struct {
	way string
	mark
}

// pass adds marks to the next directive.
func (t *debugWriter) pass(way string, marks []mark) {
	for _, m := range marks {
		t.passed = append(t.passed, pass{way, m})
	}
}

// passText returns the part of a detail that says where a statement begins.
func (t *debugWriter) passText(p pass, beside int) string {
	name, line := t.e.c.where(p.line)
	text := fmt.Sprintf("%s %d", p.way, line)
	if calls := t.callsOf(p.frame); calls != "" {
		text += " in" + calls
	}
	if other, _ := t.e.c.where(beside); name != other {
		text += " of " + filepath.ToSlash(name)
	}
	return text
}
