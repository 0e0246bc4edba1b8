package compile

import "fmt"

// reg is a virtual register: a variable or an intermediate value of one unit.
type reg int

// none is no register.
const none reg = -1

// argKind says what an operand of an instruction is.
type argKind uint8

const (
	isText argKind = iota // a constant, a label, a displacement
	isUse                 // a register that the instruction reads
	isDef                 // a register that the instruction writes
)

// arg is one operand.
type arg struct {
	kind argKind
	reg  reg
	text func() string // of isText: nodes get their names late
}

func use(r reg) arg            { return arg{kind: isUse, reg: r} }
func def(r reg) arg            { return arg{kind: isDef, reg: r} }
func text(s string) arg        { return arg{text: func() string { return s }} }
func number(v int64) arg       { return text(fmt.Sprint(v)) }
func late(f func() string) arg { return arg{text: f} }

// instr is one instruction or macro call.
type instr struct {
	name  string
	args  []arg
	spoil uint16        // machine registers that it overwrites besides its results
	size  int           // words, at most; 0 means 1
	macro bool          // cannot carry the end mark
	form  func() string // the suffix, known late, or nil
	line  int           // of the Go source
}

func (x *instr) words() int { return max(1, x.size) }

// uses calls f for the registers that the instruction reads.
func (x *instr) uses(f func(reg)) {
	for _, a := range x.args {
		if a.kind == isUse {
			f(a.reg)
		}
	}
}

// defs calls f for the registers that the instruction writes.
func (x *instr) defs(f func(reg)) {
	for _, a := range x.args {
		if a.kind == isDef {
			f(a.reg)
		}
	}
}

// block is a piece of straight code. It ends with a branch, a jump, or the end
// of the strongly connected block.
type block struct {
	id   int
	code []instr

	// The end: with branch != "" the code goes to next[0] if the condition holds and else to
	// next[1]; otherwise to next[0]; without next the strongly connected block ends here, and
	// the nodes of wakes go on with what is in the operand segment.
	branch string
	conds  []arg
	next   []*block
	wakes  []*block
	line   int

	cold     bool    // it runs at an end or never
	panics   string  // the block stops the machine: why
	waitsFor *gather // the block ends while such results are to come
	ended    bool    // its last macro ends the block
	node     *node   // this block begins a node
	in       []reg   // of a node: the registers that get the operands

	from []*block
}

// node is an entry of a template.
type node struct {
	name   string
	why    string // for the comment
	end    *block // where the word before the node jumps to, or nil
	behind bool   // only that word starts it
}

// unit is a template, or code outside of templates, on its way to text.
type unit struct {
	name   string
	system bool // outside of templates: no operand segment
	blocks []*block
	regs   int
	words  []string         // named words of the operand segment
	sizes  map[string]int64 // of those that are arrays
	home   map[reg]string   // the word of a register that lives across blocks
	names  map[reg]string   // of variables, for comments
	short  map[reg]bool     // made by a spill
	nodes  int
	color  map[reg]int // the machine registers, when there is text
	title  []string    // comment above it
}

func newUnit(name string) *unit {
	return &unit{name: name, home: map[reg]string{}, names: map[reg]string{}, short: map[reg]bool{}, sizes: map[string]int64{}}
}

func (u *unit) newReg() reg {
	u.regs++
	return reg(u.regs - 1)
}

func (u *unit) newBlock(line int) *block {
	b := &block{id: len(u.blocks), line: line}
	u.blocks = append(u.blocks, b)
	return b
}

// newNode returns a block that begins a node whose operands get into registers.
func (u *unit) newNode(kind, why string, line int, in ...reg) *block {
	b := u.newBlock(line)
	u.nodes++
	b.node = &node{name: fmt.Sprintf("%s.%s%d", u.name, kind, u.nodes), why: why}
	b.in = in
	return b
}

// at is the displacement of a node.
func at(b *block) arg { return late(func() string { return "@" + b.node.name }) }

// word reserves a word of the operand segment.
func (u *unit) word(name string) string {
	full := fmt.Sprintf("%s.%s", u.name, name)
	for i := 2; ; i++ {
		taken := false
		for _, w := range u.words {
			taken = taken || w == full
		}
		for _, b := range u.blocks {
			taken = taken || b.node != nil && b.node.name == full
		}
		if !taken {
			break
		}
		full = fmt.Sprintf("%s.%s_%d", u.name, name, i)
	}
	u.words = append(u.words, full)
	return full
}

// space is how many words a named word stands for.
func (u *unit) space(word string) int64 { return max(1, u.sizes[word]) }

// link fills in from, and leaves out blocks that nothing reaches.
func (u *unit) link() {
	seen := map[*block]bool{}
	var walk func(b *block)
	walk = func(b *block) {
		if seen[b] {
			return
		}
		seen[b] = true
		for _, n := range b.next {
			walk(n)
		}
		for _, n := range b.wakes {
			walk(n)
		}
	}
	for _, b := range u.blocks {
		b.from = nil
		if b.node != nil || b.id == 0 {
			walk(b)
		}
	}
	kept := u.blocks[:0]
	for _, b := range u.blocks {
		if seen[b] {
			kept = append(kept, b)
		}
	}
	u.blocks = kept
	for _, b := range u.blocks {
		for _, n := range b.next {
			n.from = append(n.from, b)
		}
	}
}

// split puts an empty block on every edge from a branch to a block with several
// ways in, so that loads and stores have a place there.
func (u *unit) split() {
	u.link()
	for _, b := range append([]*block{}, u.blocks...) {
		if len(b.next) < 2 {
			continue
		}
		for i, n := range b.next {
			if len(n.from) > 1 || n.node != nil {
				e := u.newBlock(b.line)
				e.next = []*block{n}
				b.next[i] = e
			}
		}
	}
	for i, b := range u.blocks {
		b.id = i
	}
	u.link()
	for i, b := range u.blocks {
		b.id = i
	}
}
