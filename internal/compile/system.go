package compile

import (
	"fmt"
	"go/ast"
	"slices"

	"emsim/isa"
)

// lowerRoot lowers the system block that the last argument starts. It runs the entry's guards, and makes the first
// instance.
func (c *compiler) lowerRoot() {
	f := c.entry
	u := c.newUnit("main", f.decl)
	u.system = true
	u.title = "Arguments, and the first instance"
	l := c.newLowerer(u, nil)
	l.line = c.lineOf(f.decl)
	b := l.here()
	b.node = &node{name: "main.start"}
	var args []operand
	for i, p := range f.params {
		r, name := l.fresh(p.Name()), c.argName(p.Name())
		u.taken["main."+name] = 1
		if i < len(f.params)-1 {
			l.emit(isa.LD, def(r), r0, labelArg("go.arg_"+name))
		} else {
			b.in, b.node.name = []reg{r}, "main."+name
		}
		args = append(args, inReg(r))
	}
	out := func(values ...operand) {
		l.emit(isa.OUT, l.registerArg(values[0]))
		l.endBlock()
	}
	if f.inlined {
		l.inline(f, args, out, f.decl.Body, (*former).all)
	} else {
		dst, known := l.fresh("answer"), l.block()
		if f.front > 0 {
			args = l.front(f, args, []reg{dst}, known)
			asked := l.cur
			l.continueAt(known)
			out(inReg(dst))
			l.continueAt(asked)
		}
		if l.cur != nil {
			l.issueHere(f, args, nil)
			l.endBlock()
		}
	}
	c.roots = append(c.roots, u)
}

// isCalled reports whether the program calls a function.
func (c *compiler) isCalled(f *function) bool { return len(c.places.names[f.obj]) > 1 } // one is the declaration

// lowerInit lowers the init block: it stops machines with wider words, fills the tables, and finds the PEs of the
// policy.
func (c *compiler) lowerInit() {
	u := c.newUnit("init", c.entry.decl)
	u.system = true
	u.title = "On every PE, before the start"
	l := c.newLowerer(u, nil)
	l.line = 1
	if len(c.inits) > 0 {
		l.line = c.lineOf(c.inits[0])
	}
	l.here().node = &node{name: "init"}
	l.stopIfWide()
	for _, f := range c.forms.p.Inits {
		end := l.block()
		l.ret = func(...operand) { l.jumpTo(end) }
		x := l.newFormer(f)
		x.inlined = true
		x.all()
		l.releaseArrays(0)
		l.continueAt(end)
	}
	u.merges = true
	l.lowerPerColumn()
	l.emit(placeInit)
	if c.seeking() {
		c.static = append(c.static, "own.full: .space 1", fmt.Sprintf("own.seeks: .word %d", mostSeeking))
	}
	l.emit(placeSearch)
	l.cur.ended = true
	l.endBlock()
	c.roots = append(c.roots, u)
}

// stopIfWide emits a check that stops machines with words of more than 32 bits.
func (l *lowerer) stopIfWide() {
	one := l.fresh("one")
	l.moveInto(one, constOf(1))
	l.stopIf(isa.BNE, l.binaryOp(isa.SHL, inReg(one), constOf(32)), inReg(one), "wide")
}

// mlpeFunction marks the function whose instances MLPE places: the one with //emsim:at mlpe, or else the first one that
// calls itself, or else the first one that is called.
func (c *compiler) mlpeFunction() {
	var chosen *function
	for _, f := range c.order {
		if f.place != "mlpe" {
			continue
		}
		if chosen != nil {
			c.errorf(f.decl.Name, "MLPE serves one function, because a prefetched segment belongs to one template, and %s has //emsim:at mlpe already: take one of the lines away", chosen.decl.Name.Name)
		}
		chosen = f
	}
	if chosen != nil {
		return
	}
	ofPolicy := func(f *function) bool { return f.place == "policy" }
	again := func(f *function) bool {
		return ofPolicy(f) && slices.ContainsFunc(f.calls, func(x *ast.CallExpr) bool { return c.callee(x) == f })
	}
	called := func(f *function) bool {
		return ofPolicy(f) && f != c.entry && !f.inlined && c.isCalled(f) && len(f.many) == 0
	}
	i := slices.IndexFunc(c.order, again)
	if i < 0 {
		i = slices.IndexFunc(c.order, called)
	}
	if i >= 0 {
		c.order[i].place = "mlpe"
	}
}

// argLines returns the .arg directives, and the blocks of all arguments but the last.
func (c *compiler) argLines() (directives, blocks []string) {
	f := c.entry
	if len(f.params) == 0 {
		return []string{".start main.start"}, nil
	}
	for i, a := range f.args {
		a.name = c.argName(a.name)
		directives = append(directives, fmt.Sprintf(".arg %s, %d, %d, main.%s", a.name, a.min, a.max, a.name))
		if i < len(f.args)-1 {
			c.static = append(c.static, "go.arg_"+a.name+": .space 1")
			blocks = append(blocks, fmt.Sprintf("main.%s:", a.name), assemblyLine("st!", "r1, r0, go.arg_"+a.name))
		}
	}
	return directives, blocks
}
