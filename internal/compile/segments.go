package compile

import (
	"fmt"
	"slices"

	"emsim/internal/base/plural"
)

// If the nodes and waiting values of a function do not fit an operand segment, its groups of calls first split into
// fewer paths (group.go). If that is not enough, each of its instances gets further segments on its PE, as instances of
// templates that hold only nodes and words. The first segment has the addresses of the further ones, and each of these
// the address of the first. Code that begins at a node of a further segment first points fp to the first segment again.
// An instruction that needs a word or a node of a further segment points fp to that segment for a moment.

// loopWeight is the extra weight of a use in a loop; a use outside loops weighs 1 [chosen].
const loopWeight = 8

// mostLaid bounds the words and nodes of a function: 62 further segments with 62 words each. In a further segment, word
// 0 is the template's, and word 1 has the address of the first segment, which has a word for each further one.
const mostLaid = (segmentWords - 2) * (segmentWords - 2)

// part is a word or a node that may lie in any segment of an instance.
type part struct {
	name       string
	size, uses int
	root       *block // of a node
}

// fit moves the parts with the fewest uses for their size to further segments, until the rest fits the first.
func (e *emitter) fit() {
	list, near := e.movable()
	if e.words = near; near <= segmentWords {
		return
	}
	e.c.fewerWays(e.u, near)
	e.countUses(list)
	slices.SortStableFunc(list, func(a, b part) int { return a.uses*b.size - b.uses*a.size })
	for free := 0; near+len(e.further) > segmentWords; list = list[1:] {
		if len(list) == 0 {
			e.u.tooLarge()
		}
		p := list[0]
		if p.size > free {
			e.further, free = append(e.further, nil), segmentWords-2 // the words 0 and 1 are taken
		}
		last := len(e.further) - 1
		e.further[last] = append(e.further[last], p)
		e.in[p.name] = len(e.further)
		near, free = near-p.size, free-p.size
	}
}

// movable returns the parts whose place no other function knows, and how many words the whole unit takes.
func (e *emitter) movable() (list []part, words int) {
	words = 1 // the template's
	for _, w := range e.u.words {
		list = append(list, part{name: w, size: int(e.u.space(w))})
	}
	for _, b := range e.u.blocks {
		switch {
		case b.node == nil || b.node.follows:
		case b.node.known:
			words++
		default:
			list = append(list, part{name: b.node.name, size: (&chunk{root: b}).words(), root: b})
		}
	}
	for _, p := range list {
		words += p.size
	}
	return list, words
}

// countUses counts the uses of the parts in code. A node's uses count twice: its code also begins as often as it is
// named.
func (e *emitter) countUses(list []part) {
	uses := map[string]int{}
	circle := e.u.components(successors)
	for _, b := range e.u.blocks {
		for i := range b.code {
			for _, a := range b.code[i].args {
				if name := a.displaced(); name != "" {
					uses[name] += 1 + loopWeight*min(1, circle[b.id])
				}
			}
		}
	}
	for i, p := range list {
		if list[i].uses = uses[p.name]; p.root != nil {
			list[i].uses *= 2
		}
	}
}

// segmentOf returns the segment to which fp must point for an instruction. 0 is the first one, and -1 means that the
// instruction needs no segment, or that there is only one.
func (e *emitter) segmentOf(x *instr) int {
	needs := -1
	if len(e.further) == 0 {
		return needs
	}
	for _, a := range x.args {
		if a == fp || x.other().macro {
			needs = 0
		}
	}
	if x.place != "" {
		return e.in[x.place]
	}
	for _, a := range x.args {
		if name := a.displaced(); needs == 0 && name != "" {
			return e.in[name]
		}
	}
	return needs
}

// mostSwitches bounds the extra words of an instruction that needs another segment.
const mostSwitches = 3

func (e *emitter) furtherName(i int) string { return fmt.Sprintf("%s.more%d", e.u.name, i) }
func (e *emitter) furtherWord(i int) string { return fmt.Sprintf("%s.segment%d", e.u.name, i) }

// switchTo writes the code that points fp to another segment of the instance.
func (e *emitter) switchTo(segment int) {
	if e.now != 0 && segment != e.now {
		e.writeLine(assemblyLine("ld", fmt.Sprintf("fp, fp, @%s.first", e.furtherName(e.now))))
		e.now = 0
	}
	if segment != e.now {
		e.writeLine(assemblyLine("ld", fmt.Sprintf("fp, fp, @%s", e.furtherWord(segment))))
		e.now = segment
	}
}

// getFurther writes the code that allocates an instance's further segments, before anything arrives there.
func (e *emitter) getFurther() {
	for i := range e.further {
		e.writeLine(assemblyLine("getseg", "r3, "+e.furtherName(i+1)))
		e.writeLine(assemblyLine("st", fmt.Sprintf("r3, fp, @%s", e.furtherWord(i+1))))
		e.writeLine(assemblyLine("st", fmt.Sprintf("fp, r3, @%s.first", e.furtherName(i+1))))
	}
}

// releaseFurther writes the code that releases the further segments at the end of the instance, where all
// registers are free.
func (e *emitter) releaseFurther() {
	for i := range e.further {
		e.writeLine(assemblyLine("ld", fmt.Sprintf("r1, fp, @%s", e.furtherWord(i+1))))
		e.writeLine(assemblyLine("relseg", "r1"))
	}
}

// furtherTemplates writes the templates of further segments.
func (e *emitter) furtherTemplates() {
	for i, list := range e.further {
		e.writeLine("")
		e.writeLine(fmt.Sprintf("%-40s ; what does not fit the segment of %s", ".template "+e.furtherName(i+1), e.u.name))
		e.writeLine(fmt.Sprintf("%-40s ; that segment", e.furtherName(i+1)+".first: .space 1"))
		for _, p := range list {
			if p.root != nil {
				e.nodeWord(p.root)
			} else {
				e.writeLine(fmt.Sprintf("%s: .space %d", p.name, p.size))
			}
		}
		e.writeLine(".endtemplate")
	}
}

// nodeWord writes the word of a node whose code lies elsewhere.
func (e *emitter) nodeWord(root *block) {
	e.before(root)
	e.label(root)
	e.tell.pass("arrived", root.first)
	e.tell.enter(root, true, true)
	e.writeLine(assemblyLine("jmp", root.node.name+".code"))
}

// from returns the segment where the operands of a node arrive.
func (e *emitter) from(root *block) int {
	for _, b := range e.u.blocks {
		if root.node.follows && b.node != nil && b.node.end == root {
			return e.in[b.node.name]
		}
	}
	return e.in[root.node.name]
}

// fewerWays abandons a unit that does not fit its segment, if it can be made again with fewer splits.
func (c *compiler) fewerWays(u *unit, words int) {
	if u.splits > 0 {
		c.splits[u.name], c.retranslate = u.splits-1, true
		if words > 2*segmentWords {
			c.splits[u.name] = 0
		}
		panic(ended{})
	}
}

// sized returns notes about what the size of a unit has forced.
func (c *compiler) sized(e *emitter) (notes []string) {
	if n := len(e.further); n > 0 {
		notes = append(notes, fmt.Sprintf("%s needs %d words and nodes, and an operand segment has %d: each instance has %d segments.", e.u.name, e.words, segmentWords, n+1))
	}
	if _, again := c.splits[e.u.name]; again || e.u.fewer {
		notes = append(notes, fmt.Sprintf("The guards of calls that are made together split the code of %s into %s at most, not into %d, because of its size.", e.u.name, plural.Of(1<<e.u.splits, "way"), 1<<mostSplits))
	}
	return notes
}
