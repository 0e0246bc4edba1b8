package compile

import (
	"fmt"
	"go/ast"
	"slices"
)

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

func use(r reg) arg               { return arg{kind: isUse, reg: r} }
func def(r reg) arg               { return arg{kind: isDef, reg: r} }
func textArg(s string) arg        { return arg{text: func() string { return s }} }
func number(v int64) arg          { return textArg(fmt.Sprint(v)) }
func lateArg(f func() string) arg { return arg{text: f} }

// instr is one instruction or macro call.
type instr struct {
	name  string
	args  []arg
	spoil uint16        // machine registers that it overwrites besides its results
	size  int           // words, at most; 0 means 1
	macro bool          // cannot carry the end mark
	place string        // the array of which it makes an address, or ""
	form  func() string // the suffix, known late, or nil
	line  int           // of the Go source
	frame *frame        // whose line that is; nil: some pass has put it in
}

// each calls f for the registers that an instruction reads or writes.
func each(kind argKind, args []arg, f func(reg)) {
	for _, a := range args {
		if a.kind == kind {
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
	frame  *frame
	awaits string // what it waits for at its end, if the nodes do not say it well enough

	cold     bool    // it runs at an end or never
	depth    int     // of loops around it
	panics   string  // the block stops the machine: why
	waitsFor *gather // the block ends while such results are to come
	second   bool    // the second chain of a loop begins
	begun    bool    // it has begun: what the loop does not change is in its word
	ended    bool    // its last macro ends the block
	node     *node   // this block begins a node
	in       []reg   // of a node: the registers that get the operands

	from []*block
}

// eachTouch calls f for what a block does with registers, in order: a node's operands come
// at -1, and the operands of a branch behind the code.
func (b *block) eachTouch(f func(at int, r reg, writes bool)) {
	for _, r := range b.in {
		if r != none {
			f(-1, r, true)
		}
	}
	for at := range b.code {
		each(isUse, b.code[at].args, func(r reg) { f(at, r, false) })
		each(isDef, b.code[at].args, func(r reg) { f(at, r, true) })
	}
	each(isUse, b.conds, func(r reg) { f(len(b.code), r, false) })
}

// node is an entry of a template.
type node struct {
	name   string
	why    string    // for the comment
	end    *block    // where the word before the node jumps to, or nil
	behind bool      // only that word starts it
	known  bool      // other functions know its place
	gets   *function // whose segment comes here, or nil
}

// unit is a template, or code outside of templates, on its way to text.
type unit struct {
	name   string
	system bool // outside of templates: no operand segment
	cut    bool // its blocks are cut where nothing has to be waited for
	blocks []*block
	regs   int
	words  []string         // named words of the operand segment
	sizes  map[string]int64 // of those that are arrays
	home   map[reg]string   // the word of a register that lives across blocks
	names  map[reg]string   // of variables, for comments
	short  map[reg]bool     // made by a spill
	banned uint16           // machine registers that belong to others
	only   map[reg]int      // the one that a register must have
	kept   []reg            // in their words, for lack of machine registers
	scopes []*scope         // of the code in it, its own first
	title  string           // comment above it
	waits  []string         // loops that wait in every turn
	splits int              // how often a group splits its code
	depth  int              // of loops around the code that comes
	fewer  bool             // it would more often, if it were smaller
	begins []string         // nodes that get operands of a new instance, as they lie in the text

	entries  []*block       // that begin nodes
	taken    map[string]int // names of words, and how often they were wanted
	meter    *meter
	tooLarge func() // refuses a template that needs too many words and nodes
}

// newUnit makes the unit of a part of the program.
func (c *compiler) newUnit(name string, of *ast.FuncDecl) *unit {
	u := &unit{name: name, cut: c.opt.Blocks != Largest, taken: map[string]int{}, meter: &c.meter, home: map[reg]string{}, names: map[reg]string{}, short: map[reg]bool{}, sizes: map[string]int64{}}
	u.tooLarge = func() {
		c.fewerWays(u, mostLaid)
		c.refuse(of.Name, "%s needs more words and nodes than an operand segment of %d and all further ones that it can name: split the function, so that fewer values live while calls are under way, or give it fewer parameters", of.Name.Name, segmentWords)
	}
	return u
}

func (u *unit) newReg() reg {
	u.regs++
	return reg(u.regs - 1)
}

func (u *unit) newBlock(line int) *block {
	u.meter.block()
	b := &block{id: len(u.blocks), line: line, depth: u.depth}
	u.blocks = append(u.blocks, b)
	return b
}

// often is about how often a block runs: a loop counts as four turns [chosen].
func (b *block) often() int {
	if b.cold {
		return 0
	}
	return 1 << (2 * min(b.depth, 6))
}

// newNode returns a block that begins a node whose operands get into registers.
func (u *unit) newNode(kind, why string, line int, in ...reg) *block {
	b := u.newBlock(line)
	u.entries = append(u.entries, b)
	b.node = &node{name: fmt.Sprintf("%s.%s%d", u.name, kind, len(u.entries)), why: why}
	b.in = in
	u.countParts()
	return b
}

// displacement is the displacement of a node.
func displacement(b *block) arg { return lateArg(func() string { return "@" + b.node.name }) }

// server is the system block that is asked for the segment which comes to a node.
func (b *block) server() arg { return lateArg(func() string { return "new." + b.node.name }) }

// reserveWord reserves a word of the operand segment.
func (u *unit) reserveWord(name string) string {
	first := fmt.Sprintf("%s.%s", u.name, variable(name))
	full := first
	for u.taken[full] > 0 {
		u.taken[first]++
		full = fmt.Sprintf("%s_%d", first, max(2, u.taken[first]))
	}
	u.addWord(full)
	return full
}

// addWord adds a word with a name of its own.
func (u *unit) addWord(full string) {
	u.taken[full] = 1
	u.words = append(u.words, full)
	u.countParts()
}

func (u *unit) countParts() {
	if !u.system && len(u.entries)+len(u.words) > mostLaid {
		u.tooLarge()
	}
}

// space is how many words a named word stands for.
func (u *unit) space(word string) int64 { return max(1, u.sizes[word]) }

// linkBlocks fills in from, leaves out blocks that nothing reaches, and numbers the others.
func (u *unit) linkBlocks() {
	var roots []*block
	for _, b := range u.blocks {
		if b.from = nil; b.node != nil || b.id == 0 {
			roots = append(roots, b)
		}
	}
	reached := make([]bool, len(u.blocks))
	for _, b := range u.postorder(roots, successors) {
		u.meter.countSteps(1)
		reached[b.id] = true
	}
	u.blocks = slices.DeleteFunc(u.blocks, func(b *block) bool { return !reached[b.id] })
	for i, b := range u.blocks {
		b.id = i
		for _, n := range b.next {
			n.from = append(n.from, b)
		}
	}
}

// split puts an empty block on every edge from a branch to a block with several
// ways in, so that loads and stores have a place there.
func (u *unit) split() {
	u.linkBlocks()
	for _, b := range slices.Clone(u.blocks) {
		for i, n := range b.next {
			if len(b.next) > 1 && (len(n.from) > 1 || n.node != nil) {
				e := u.newBlock(b.line)
				e.next, e.frame, e.depth = []*block{n}, b.frame, min(b.depth, n.depth)
				b.next[i] = e
			}
		}
	}
	u.linkBlocks()
}
