package compile

import (
	"cmp"
	"fmt"
	"go/types"
	"path/filepath"

	"emsim/isa"
)

// operand is a register, a constant, or a word of an array that has not been loaded.
type operand struct {
	r     reg
	imm   int64
	lit   bool
	array *spot // the word that has not been loaded, or nil
}

func inReg(r reg) operand      { return operand{r: r} }
func constOf(v int64) operand  { return operand{imm: int64(int32(v)), lit: true, r: none} }
func (o operand) isZero() bool { return o.lit && o.imm == 0 }

// lowerer makes the blocks of one unit.
type lowerer struct {
	c   *compiler
	u   *unit
	f   *function // nil in system code and inlined code
	cur *block    // nil after the end of a block

	vars       map[types.Object]reg
	ret        func(values ...operand) // lowers a return
	again      *block                  // the target of tail calls of the function itself, or nil
	line       int
	callNumber int                    // number of calls so far or in a group; its lowest bit selects a policy's choice
	arrays     map[types.Object]*spot // where the arrays lie
	passing    []*spot                // temporaries of the statement, which have no name
	free       map[int64][]string     // free temporaries, by number of words
	outlets    []*outlet              // the channels that the unit sends on
	open       string                 // the word that counts what keeps a sender alive
	starts     string                 // the word with the PE where a loop has started a function
	byBit      *operand               // if not nil, its lowest bit selects the choice of the policy
	sums       *gather                // the gather of the innermost reduction loop
	pieces     []placed               // pieces whose PEs and addresses are known
	slots      reg                    // has the number of free answer slots, if a group has reserved its slots; or none
	portRet    reg                    // has the destination of the first word of the result
	frame      *frame                 // of the code that is lowered
	many       bool                   // more than two calls of a group are made together
	own        bool                   // the own form of a function is lowered
	quiet      bool                   // the code runs once more: no statements begin
	whole      bool                   // no cuts: the code is inlined, or another chain would see half an iteration

	panicsAt int // the line that a panic names, or 0 if it is line
	together int // number of calls and receives of the current group; 0: not known
}

func (c *compiler) newLowerer(u *unit, f *function) *lowerer {
	l := &lowerer{c: c, u: u, f: f, slots: none, vars: map[types.Object]reg{}, arrays: map[types.Object]*spot{}, free: map[int64][]string{}}
	l.enterFrame()
	return l
}

// emit adds an instruction to the current block.
func (l *lowerer) emit(op opcode, args ...arg) *instr {
	b := l.here()
	l.c.meter.countWord(op)
	b.code = append(b.code, instr{op: op, args: args, line: l.line, frame: l.frame, marks: b.marks})
	b.marks = nil
	return &b.code[len(b.code)-1]
}

// here returns the current block, or a new one for unreachable code.
func (l *lowerer) here() *block {
	if l.cur == nil {
		l.cur = l.block()
	}
	return l.cur
}

// end ends the current block and returns it.
func (l *lowerer) end() *block {
	b := l.here()
	b.line, b.frame, l.cur = l.line, l.frame, nil
	return b
}

func (l *lowerer) continueAt(b *block) { l.cur = b }

func (l *lowerer) block() *block {
	b := l.u.newBlock(l.line)
	b.frame = l.frame
	return b
}

func (l *lowerer) jumpTo(b *block) {
	if l.cur != nil {
		l.end().next = []*block{b}
	}
}

// goInto continues in a block that others jump to as well.
func (l *lowerer) goInto(b *block) {
	l.jumpTo(b)
	l.continueAt(b)
}

// choose emits a test, code for each outcome, and the join. test ends the block with the branch.
func (l *lowerer) choose(test func(yes, no *block), yes, no func()) {
	a, b, end := l.block(), l.block(), l.block()
	test(a, b)
	l.continueAt(a)
	yes()
	l.jumpTo(end)
	l.continueAt(b)
	no()
	l.goInto(end)
}

// repeat emits a loop that runs code as long as a condition holds. test ends the block with the branch on the
// condition.
func (l *lowerer) repeat(test func(body, end *block), code func()) {
	head, body, end := l.block(), l.block(), l.block()
	l.goInto(head)
	test(body, end)
	l.continueAt(body)
	code()
	l.jumpTo(head)
	l.continueAt(end)
}

// test returns a function that ends a block with a branch on a condition.
func (l *lowerer) test(op opcode, a, b operand) func(yes, no *block) {
	return func(yes, no *block) { l.branch(op, a, b, yes, no) }
}

// branchIf emits code that runs only if a condition holds.
func (l *lowerer) branchIf(test opcode, a, b operand, then func()) {
	yes, end := l.block(), l.block()
	l.branch(test, a, b, yes, end)
	l.continueAt(yes)
	then()
	l.goInto(end)
}

// stopIf emits a check that stops the machine if a condition holds. what selects the message of package panics.
func (l *lowerer) stopIf(test opcode, a, b operand, what string) {
	ok := l.block()
	l.branch(test, a, b, l.panics(what), ok)
	l.continueAt(ok)
}

// demand emits a check that stops the machine unless 0 <= i < n. what selects the message of package panics.
func (l *lowerer) demand(i, n operand, what string) {
	ok := l.block()
	l.branch(isa.BLTU, i, n, ok, l.panics(what))
	l.continueAt(ok)
}

// answerIn returns a function that lowers a return in inlined code: it moves the values to dst and jumps to next.
func (l *lowerer) answerIn(dst []reg, next *block) func(...operand) {
	return func(values ...operand) {
		for i, v := range values {
			l.moveInto(dst[i], v)
		}
		l.jumpTo(next)
	}
}

// branch ends the block with a conditional branch.
func (l *lowerer) branch(test opcode, a, b operand, yes, no *block) {
	conds := []arg{l.registerArg(a), l.registerArg(b)}
	end := l.end()
	end.branch, end.conds, end.next = test, conds, []*block{yes, no}
}

// endBlock ends the strongly connected block. The nodes continue later.
func (l *lowerer) endBlock(nodes ...*block) { l.end().wakes = nodes }

// fresh returns a new register. If it gets a word, the word is named after name.
func (l *lowerer) fresh(name string) reg {
	r := l.u.newReg()
	l.u.names[r] = l.c.plain(name)
	return r
}

// registerArg returns an argument for an instruction that accepts only a register there.
func (l *lowerer) registerArg(o operand) arg {
	switch {
	case o.array != nil:
		return use(l.load(o).r)
	case o.isZero():
		return r0
	case o.lit:
		t := l.u.newReg()
		l.constant(t, o.imm)
		return use(t)
	}
	return use(o.r)
}

// argOrConst returns an argument for an instruction that accepts a register or a constant there.
func (l *lowerer) argOrConst(o operand) arg {
	if o.lit && fitsConstant(o.imm) {
		return number(o.imm)
	}
	return l.registerArg(o)
}

func fitsConstant(v int64) bool { return -262144 <= v && v <= 262143 }

// constant emits the load of a constant.
func (l *lowerer) constant(dst reg, v int64) {
	if fitsConstant(v) {
		l.emit(move, def(dst), number(v))
		return
	}
	l.emit(isa.LD, def(dst), r0, labelArg(l.c.constLabel(v)))
}

// constLabel returns the label of the word with a large constant.
func (c *compiler) constLabel(v int64) string {
	v = int64(uint32(v))
	if c.consts[v] == "" {
		c.consts[v] = fmt.Sprintf("go.c%x", v)
		c.pool = append(c.pool, v)
	}
	return c.consts[v]
}

// moveInto emits a move of an operand to a register.
func (l *lowerer) moveInto(dst reg, o operand) {
	switch {
	case o.array != nil:
		l.moveInto(dst, l.load(o))
	case o.lit:
		l.constant(dst, o.imm)
	case o.r != dst:
		l.emit(move, def(dst), use(o.r))
	}
}

// binaryOp emits an instruction with two operands, and returns the register of its result.
func (l *lowerer) binaryOp(op opcode, a, b operand) operand {
	return l.computed(op, l.registerArg(a), l.argOrConst(b))
}

// computed emits an instruction, and returns the register of its result.
func (l *lowerer) computed(op opcode, args ...arg) operand {
	t := l.u.newReg()
	l.emit(op, append([]arg{def(t)}, args...)...)
	return inReg(t)
}

// copied copies a register into a new one, because the register's variable may change. It returns constants and words
// of arrays unchanged.
func (l *lowerer) copied(o operand) operand {
	if o.lit || o.array != nil {
		return o
	}
	t := l.u.newReg()
	l.moveInto(t, o)
	return inReg(t)
}

// panics returns a block that stops the machine. what selects the message of package panics.
func (l *lowerer) panics(what string) *block {
	b := l.block()
	b.panics, b.cold = what, true
	b.code = []instr{{op: isa.RELSTR, args: []arg{r0}, line: cmp.Or(l.panicsAt, l.line), frame: l.frame}}
	return b
}

// lower lowers the system code and all functions that are needed.
func (c *compiler) lower() {
	c.lowerInit()
	c.lowerRoot()
	for again := true; again; {
		again = false
		for _, f := range c.order {
			if (f.made || f.of != nil && f.of.made) && !f.lowered {
				f.lowered, again = true, true
				c.lowerFunction(f)
			}
		}
	}
}

// lowerFunction lowers a function to its template.
func (c *compiler) lowerFunction(f *function) {
	u := c.newUnit(f.name, f.decl)
	file, line := c.where(c.lineOf(f.decl))
	u.title = fmt.Sprintf("%s, line %d of %s", f.decl.Name.Name, line, filepath.Base(file))
	l := c.newLowerer(u, f)
	f.unit = u
	if f.of != nil {
		l.f, l.own = f.of, true
	}
	l.line = c.lineOf(f.decl)
	for _, p := range f.params {
		l.vars[p] = l.fresh(p.Name())
	}
	for _, p := range f.arrays {
		l.arrays[p] = l.newArray(p.Name(), c.wordsIn(p.Type()))
	}
	var ret []reg
	for range f.answerWords() {
		ret = append(ret, l.fresh("ret"))
	}
	l.entryNodes(f, ret)
	l.ret = func(values ...operand) { l.returns(f, values, ret) }
	l.beginStreams(f)
	if f.startsMany {
		l.beginStarts()
	}
	l.again = l.block()
	l.goInto(l.again)
	l.portRet = ret[0]
	c.units = append(c.units, u)
	if f.body != nil {
		f.body(l)
	} else {
		l.instance(f)
	}
}

// entryNodes makes the nodes where the operands of an instance arrive: the arguments and the destinations of the
// result. The first operand meets each of the others in turn. The name of the last node ends in .start.
func (l *lowerer) entryNodes(f *function, ret []reg) {
	var in []reg
	var why []string
	for _, p := range f.params {
		in, why = append(in, l.vars[p]), append(why, p.Name())
	}
	for i := range f.returnWords() {
		in, why = append(in, ret[i]), append(why, "where the result goes")
	}
	if len(in) == 0 {
		in, why = []reg{none}, []string{"a token"}
	}
	if len(in) == 1 {
		l.continueAt(l.u.newNode("", why[0], l.line, in[0]))
		l.cur.node.name, l.cur.node.known = entryOf(f, 0), true
		l.keepWord(f, 0)
	}
	for i := 1; i < len(in); i++ {
		b := l.u.newNode("", why[0]+", "+why[i], l.line, in[0], in[i])
		b.node.name, b.node.known = entryOf(f, i), true
		if l.cur != nil {
			l.send(isa.FormLeft, use(in[0]), fp, displacement(b))
			l.endBlock(b)
		}
		if l.continueAt(b); i == 1 {
			l.keepWord(f, 0)
		}
		l.keepWord(f, i)
	}
}

// returns emits the code that sends the results and ends the instance.
func (l *lowerer) returns(f *function, values []operand, ret []reg) {
	l.cutBlock("return", false)
	for i := range f.returnWords() {
		l.send(isa.FormCont, l.registerArg(values[i]), use(ret[i]), number(0))
	}
	l.leave(1)
}

// cutBlock ends the strongly connected block here, unless the option blocks is largest or this code must not be cut.
// With medium, an empty block ends only if always is set.
func (l *lowerer) cutBlock(why string, always bool) {
	if l.u.system || l.whole || l.cur == nil || l.c.opt.Blocks == Largest || !always && l.c.opt.Blocks == Medium && len(l.cur.code) == 0 {
		return
	}
	n := l.u.newNode("step", why, l.line, none)
	l.send(isa.FormOne, r0, fp, displacement(n))
	l.endBlock(n)
	l.continueAt(n)
}
