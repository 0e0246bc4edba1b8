package compile

import (
	"fmt"
	"go/ast"
	"slices"

	"emsim/isa"
)

// reg is a virtual register: a variable or an intermediate value of one unit.
type reg int

// none is no register.
const none reg = -1

// argKind says what an operand of an instruction is.
type argKind uint8

const (
	isUse     argKind = iota // a register that the instruction reads
	isDef                    // a register that the instruction writes
	isMachine                // a register of the machine
	isSpecial                // a special register of the machine
	isNumber                 // a constant
	isLabel                  // an address: a label, and words after it
	isWord                   // a displacement: a named word or node of a segment, and words after it
	isNode                   // the displacement of a node of the unit
	isComing                 // the displacement of the node to which a result comes
	isServer                 // the system block that is asked for the segment which comes to a node
)

// arg is one operand.
type arg struct {
	kind argKind
	reg  reg      // of isUse and isDef
	n    int64    // the number of a register, a constant, or words
	name string   // of a label or a word
	node *node    // of isNode and isServer: it gets its name late
	to   *pending // of isComing: it gets its node late
}

// The machine's registers that the code names.
var (
	r0 = arg{kind: isMachine, n: isa.R0}
	fp = arg{kind: isMachine, n: isa.FP}
)

func use(r reg) arg            { return arg{kind: isUse, reg: r} }
func def(r reg) arg            { return arg{kind: isDef, reg: r} }
func number(v int64) arg       { return arg{kind: isNumber, n: v} }
func labelArg(name string) arg { return arg{kind: isLabel, name: name} }
func wordArg(name string) arg  { return arg{kind: isWord, name: name} }

// machineArg returns an operand that is a register of the machine.
func machineArg(r int) arg { return arg{kind: isMachine, n: int64(r)} }

func specialArg(s isa.Special) arg { return arg{kind: isSpecial, n: int64(s)} }

// isReg reports whether an operand gets a register of the machine.
func (a arg) isReg() bool { return a.kind == isUse || a.kind == isDef }

// displaced returns the word or the node of a segment that an operand names, or "".
func (a arg) displaced() string {
	switch a.kind {
	case isWord:
		return a.name
	case isNode:
		return a.node.name
	case isComing:
		return a.to.node.node.name
	}
	return ""
}

// instr is one instruction or macro call.
type instr struct {
	op    opcode
	form  isa.Form // of send and cont, if their node is known
	args  []arg
	place string // the array of which it makes an address, or ""
	line  int    // of the Go source
	frame *frame // whose line that is; nil: some pass has put it in
}

// suffix returns the form of a send or cont.
func (x *instr) suffix() isa.Form {
	if n := len(x.args) - 1; n >= 0 && x.args[n].kind == isComing {
		return x.args[n].to.form
	}
	return x.form
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

	// The end: with two next blocks the code goes to next[0] if the condition holds and else to
	// next[1]; otherwise to next[0]; without next the strongly connected block ends here, and
	// the nodes of wakes continue with what is in the operand segment.
	branch opcode
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
// at -1, and the operands of a branch after the code.
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
	merges bool // registers that moves connect become one
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
	awaits []awaiting       // where it waits for the other ends of channels

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

// often returns about how often a block runs: a loop counts as four turns [chosen].
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

// displacement returns the displacement of a node.
func displacement(b *block) arg { return arg{kind: isNode, node: b.node} }

// server returns the system block that is asked for the segment which comes to a node.
func (b *block) server() arg { return arg{kind: isServer, node: b.node} }

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

// space returns how many words a named word stands for.
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
