package compile

import (
	"fmt"
	"go/ast"
	"slices"

	"emsim/isa"
)

// reg is a virtual register: a variable or an intermediate value of one unit.
type reg int

// none stands for no register.
const none reg = -1

// argKind says what an operand of an instruction is.
type argKind uint8

const (
	isUse     argKind = iota // a register that the instruction reads
	isDef                    // a register that the instruction writes
	isMachine                // a register of the machine
	isSpecial                // a special register of the machine
	isNumber                 // a constant
	isLabel                  // an address: a label plus a number of words
	isWord                   // a displacement: a named word or node of a segment, plus a number of words
	isNode                   // the displacement of a node of the unit
	isPending                // the displacement of the node where a result or an item arrives
	isServer                 // the system block that is asked for a segment, which it sends to a node of the unit
)

// arg is one operand.
type arg struct {
	kind argKind
	reg  reg      // of isUse and isDef
	n    int64    // the number of a machine register, a constant, or words after a label or displacement
	name string   // of a label or a word
	node *node    // of isNode and isServer
	to   *pending // of isPending: its node is set late
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

// isReg reports whether an operand is a virtual register.
func (a arg) isReg() bool { return a.kind == isUse || a.kind == isDef }

// displaced returns the name of the word or node of a segment that an operand stands for, or "".
func (a arg) displaced() string {
	switch a.kind {
	case isWord:
		return a.name
	case isNode:
		return a.node.name
	case isPending:
		return a.to.node.node.name
	}
	return ""
}

// instr is one instruction or macro call.
type instr struct {
	op    opcode
	form  isa.Form // of send and cont, if their node is known
	args  []arg
	place string // the array or node whose address it uses, or ""
	line  int    // of the Go source
	frame *frame // the frame of the line; nil: a pass has inserted the instruction
	marks []mark // the statements that begin with it
}

// suffix returns the form of a send or cont.
func (x *instr) suffix() isa.Form {
	if n := len(x.args) - 1; n >= 0 && x.args[n].kind == isPending {
		return x.args[n].to.form
	}
	return x.form
}

// each calls f for the register of every argument of a kind: isUse for registers that are read, isDef for registers
// that are written.
func each(kind argKind, args []arg, f func(reg)) {
	for _, a := range args {
		if a.kind == kind {
			f(a.reg)
		}
	}
}

// block is a basic block. It ends with a branch, a jump, or the end of the strongly connected block.
type block struct {
	id   int
	code []instr

	// The end. With two successors in next, the branch leads to next[0] if its condition holds, and to next[1] if not.
	// With one successor, the code continues there. With none, the strongly connected block ends here, and the nodes of
	// wakes continue later with the words of the operand segment.
	branch opcode
	conds  []arg
	next   []*block
	wakes  []*block
	line   int
	frame  *frame
	marks  []mark    // the statements that begin after the code
	ways   [2][]mark // those that begin on the way to a successor
	first  []mark    // those that begin when the node begins
	awaits string    // what it waits for at its end, in words, if the nodes do not say it well enough

	cold     bool    // it runs at the end of a stream, or when the program panics
	depth    int     // number of loops around it
	panics   string  // why the block stops the machine, or ""
	waitsFor *gather // the block ends while results of this gather are outstanding
	second   bool    // the second chain of a loop begins here
	begun    bool    // the second chain has begun, so values that the loop does not change are in their words
	ended    bool    // its last macro ends the block
	node     *node   // this block begins a node
	in       []reg   // of a node: the registers that get the operands

	from []*block
}

// eachAccess calls f for every read and write of a register in a block, in order. The operands of a node have the index
// -1, and the operands of a branch have the index after the code.
func (b *block) eachAccess(f func(at int, r reg, writes bool)) {
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

// node is an entry of a template or of system code, where packets arrive.
type node struct {
	name    string
	why     string    // what arrives, for the comment in the text
	end     *block    // where the word before the node jumps to, or nil
	follows bool      // only the word before another node starts it
	known   bool      // other functions use its displacement
	gets    *function // the function whose segment arrives here, or nil
}

// unit is a template, or a part of the system code, while it is compiled.
type unit struct {
	name   string
	system bool // system code has no operand segment
	cut    bool // its strongly connected blocks also end where nothing has to be waited for
	merges bool // mergeMoves coalesces its registers
	blocks []*block
	regs   int
	words  []string         // named words of the operand segment
	sizes  map[string]int64 // of the words that are arrays
	home   map[reg]string   // the word of a register that lives across strongly connected blocks, or is spilled
	names  map[reg]string   // what the words of registers are called, mostly after variables
	short  map[reg]bool     // made by a spill
	banned uint16           // machine registers that it must not use
	only   map[reg]int      // the machine register that a register must get
	kept   []reg            // spilled registers
	scopes []*scope         // of the unit and of the calls that are inlined in it; its own is first
	title  string           // comment above it
	waits  []string         // notes about loops that wait in every iteration
	splits int              // the most often that one group splits its code
	depth  int              // number of loops around the next block
	fewer  bool             // a group splits less often because of its size
	begins []string         // nodes that get operands of a new instance, in the order of the text
	awaits []awaiting       // where it waits for the other ends of channels

	entries  []*block       // that begin nodes
	taken    map[string]int // names of words, and how often each was wanted
	meter    *meter
	tooLarge func() // refuses a template with too many words and nodes, or has it made again with fewer splits
}

// newUnit makes a unit. of is the function that an error about the unit's size points to.
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

// frequency estimates how often a block runs: a loop counts as four iterations, and a cold block as none [chosen].
func (b *block) frequency() int {
	if b.cold {
		return 0
	}
	return 1 << (2 * min(b.depth, 6))
}

// newNode returns a block that begins a new node, whose operands arrive in the registers of in.
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

// server returns the system block that is asked for a segment, which it sends to the node of b.
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

// linkBlocks fills in from, removes unreachable blocks, and numbers the others.
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

// split splits critical edges: it puts an empty block on every edge from a branch to a block with several predecessors,
// or to a node. Loads and stores can go there.
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
