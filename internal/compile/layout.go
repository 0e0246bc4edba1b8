package compile

import (
	"fmt"
	"slices"
	"strings"

	"emsim/isa"
)

// chunk is the code of a node: its first block and the blocks that follow, or a part of them.
type chunk struct {
	root *block
	list []*block
	size int // an estimate of its words, for sorting
	most int // an upper bound of its words

	inLoop  bool // it is in a loop within one instance
	further bool // its node lies in a further segment
}

// words returns the least number of words of the segment that a chunk needs.
func (k *chunk) words() int {
	switch {
	case k.root.node.follows || k.further:
		return 0
	case k.root.node.end != nil:
		return 2
	}
	return 1
}

// layout orders the nodes so that all of them lie in the operand segment: first the nodes in loops, then short nodes,
// and last the node that starts an instance. If a node's code does not fit, the node jumps to it, and the code comes
// after all nodes.
func (e *emitter) layout(chunks []*chunk) {
	if e.u.system {
		for _, k := range chunks {
			e.chunk(k, false)
		}
		return
	}
	at, left := 1, 0
	for _, w := range e.u.words {
		if e.in[w] == 0 {
			at += int(e.u.space(w))
		}
	}
	at += len(e.further)
	for _, k := range chunks {
		left += k.words()
	}
	slices.SortStableFunc(chunks[:len(chunks)-1], func(a, b *chunk) int {
		if a.inLoop != b.inLoop {
			return map[bool]int{true: -1, false: 1}[a.inLoop]
		}
		return a.size - b.size
	})
	var far, behind []*chunk
	for _, k := range chunks {
		left -= k.words()
		words := k.most + k.words() - 1
		switch {
		case k.root.node.follows || k.further:
			behind = append(behind, k)
		case len(far) == 0 && (left == 0 || at+words+left <= segmentWords):
			e.chunk(k, false)
			at += words
		default:
			far = append(far, k)
		}
	}
	for _, k := range far {
		e.nodeWord(k.root)
	}
	for _, k := range append(far, behind...) {
		e.chunk(k, true)
	}
}

// chunks returns the chunks of all nodes. The node that starts an instance is last, because its code is the longest.
func (e *emitter) chunks() []*chunk {
	var chunks, starts []*chunk
	loop := e.u.components(successors)
	for _, b := range e.u.blocks {
		k := &chunk{root: b, inLoop: loop[b.id] != 0}
		k.further = b.node != nil && e.in[b.node.name] != 0
		switch {
		case b.node == nil:
		case strings.HasSuffix(b.node.name, ".start"):
			starts = append(starts, k)
		default:
			chunks = append(chunks, k)
		}
	}
	chunks = append(chunks, starts...)
	for _, inLoop := range []bool{true, false} { // code shared with loops goes to the loops
		for _, k := range chunks {
			if k.inLoop == inLoop {
				k.list = e.follow(k.root)
			}
		}
	}
	for _, k := range chunks {
		for i, b := range k.list {
			if len(b.next) == 1 && e.repeats(b.next[0]) && (i+1 == len(k.list) || k.list[i+1] != b.next[0]) {
				k.size += mostRepeated
				k.most += mostRepeated
			}
			k.size += e.blockSize(b)
			k.most += max(e.blockSize(b), e.blockSize(b)-2+len(e.entryMoves(b))+1) // and a jump
		}
	}
	return chunks
}

// ends returns the chunks of blocks that run at an end or never.
func (e *emitter) ends() (list []*chunk) {
	for len(e.cold) > 0 {
		b := e.cold[0]
		e.cold = e.cold[1:]
		if blocks := e.follow(b); len(blocks) > 0 {
			list = append(list, &chunk{root: b, list: blocks})
		}
	}
	return list
}

// before writes the word before a node, where the end of a channel arrives.
func (e *emitter) before(root *block) {
	if to := root.node.end; to != nil {
		e.writeLine("")
		name := to.node.name
		if to.node.follows {
			name += ".code"
		}
		e.writeLine(fmt.Sprintf("%-40s ; no more items", endLabel(root.node)+":"))
		e.tell.pass("arrived", to.first)
		e.tell.enter(root, true, true)
		e.writeLine(assemblyLine("jmp", name))
	}
}

// endLabel returns the label of the word before a node.
func endLabel(n *node) string { return n.name + ".end" }

// follow returns a block and those that come after it, in an order in which most jumps fall through.
func (e *emitter) follow(first *block) []*block {
	var list []*block
	later := []*block{first}
	for len(later) > 0 {
		b := later[len(later)-1]
		later = later[:len(later)-1]
		switch {
		case e.placed[b]:
		case b.cold && b != first:
			e.cold = append(e.cold, b)
		default:
			e.placed[b] = true
			list = append(list, b)
			later = append(later, b.next...)
		}
	}
	return list
}

// blockSize estimates the words of a block: its code, and two for its end.
func (e *emitter) blockSize(b *block) int {
	n := 2
	for i := range b.code {
		n += max(1, b.code[i].other().size)
		if e.segmentOf(&b.code[i]) > 0 {
			n += mostSwitches
		} else if b.code[i].op == isa.RELSEG {
			n += 2 * len(e.further)
		}
	}
	if len(e.further) > 0 && b == e.u.entries[0] {
		n += 3 * len(e.further)
	}
	return n
}
