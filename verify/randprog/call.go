package randprog

// call takes a token and calls an earlier function with it; the result is a
// new token. It reports false if no function is small enough.
func (g *gen) call(f *function) bool {
	var list []callee
	spent := f.costWith(maxFuel)
	for _, c := range g.fns {
		for fuel := range c.cost {
			if c.cost[fuel]*g.weight(f)+spent <= g.size.Calls {
				list = append(list, callee{c, fuel})
			}
		}
	}
	if len(list) == 0 {
		return false
	}
	c := pick(g, list...)
	f.calls = append(f.calls, c)
	n := f.node(g, "call", f.take(g))
	g.operations(f, n, 0, 1)
	n.add("shl", "r3, %s, 3", g.source(n))
	n.add("or", "r3, r3, %d", c.fuel)
	g.invoke(f, n, c.fn)
	return true
}

// weight is how often the body may run in one call of f with full fuel.
func (g *gen) weight(f *function) int {
	again := 0
	for _, c := range f.calls {
		if c.fn == nil {
			again++
		}
	}
	if again == 0 {
		return 1
	}
	n, level := 1, 1
	for range maxFuel {
		level *= again
		n += level
	}
	return n
}

// recurse takes a token and calls the function itself with one less fuel, or
// passes the token on if there is no fuel.
func (g *gen) recurse(f *function) bool {
	f.calls = append(f.calls, callee{})
	if f.root || f.costWith(maxFuel) > g.size.Calls {
		f.calls = f.calls[:len(f.calls)-1]
		return false
	}
	n := f.node(g, "again", f.take(g))
	g.operations(f, n, 0, 1)
	base := g.label(".x")
	n.add("ld", "r11, fp, %d", fuelSlot)
	n.add("beq", "r11, r0, %s", base)
	n.add("sub", "r11, r11, 1")
	n.add("shl", "r3, %s, 3", g.source(n))
	n.add("or", "r3, r3, r11")
	t := g.invoke(f, n, f)
	n.mark(base)
	g.send(n, t, "r1")
	n.end()
	return true
}

// invoke calls function c with r3: it gets an operand segment on this or
// another PE, sends the argument and the return address, and makes the token
// of the result. The node ends here.
func (g *gen) invoke(f *function, n *node, c *function) *token {
	t := f.token(n)
	f.live = append(f.live, t)
	result, back := t, n
	keep := 0
	if c.release == freedByCaller {
		// The result goes through a node that releases the segment.
		result = f.token(n)
		back = nil
		keep = f.newSlot(nil, 0)
	}
	if g.p.Dynamic && c == g.fns0() {
		static := g.label(".x")
		n.add("rds", "r12, mlpe")
		n.add("beq", "r12, r0, %s", static)
		g.arguments(n, c, "r3", "r12", result, keep)
		n.add("mlpe", "found")
		n.end()
		n.mark(static)
	}
	if g.bool() {
		n.add("getseg", "r12, %s", c.name)
		g.arguments(n, c, "r3", "r12", result, keep)
		n.end()
	} else {
		g.place(n, "r3", false)
		arg, seg := f.token(n), f.token(n)
		n.add(cont(seg), "r11, fp, %s", dest(seg))
		n.add("send.d", "r11, r14, new_%s", c.name)
		g.send(n, arg, "r3")
		n.end()
		got := f.node(g, "got", arg, seg)
		g.arguments(got, c, "r1", "r2", result, keep)
		got.end()
	}
	if back == nil {
		rel := f.node(g, "rel", result)
		rel.add("ld", "r12, fp, %d", keep)
		g.send(rel, t, "r1")
		rel.add("send.d", "r12, r12, release")
		rel.end()
	}
	return t
}

// fns0 is the function whose segments MLPE prefetches.
func (g *gen) fns0() *function {
	if len(g.fns) == 0 {
		return nil
	}
	return g.fns[0]
}

// arguments sends them to the operand segment in register seg.
func (g *gen) arguments(n *node, c *function, arg, seg string, result *token, keep int) {
	if keep > 0 {
		n.add("st", "%s, fp, %d", seg, keep)
	}
	n.add(cont(result), "r11, fp, %s", dest(result))
	if c.retFinal {
		n.add("send.1", "%s, %s, @%s_start", arg, seg, c.name)
		n.add("send.r", "r11, %s, @%s_final", seg, c.name)
		return
	}
	n.add("send.r", "r11, %s, @%s_start", seg, c.name)
	n.add("send.l", "%s, %s, @%s_start", arg, seg, c.name)
}

// newSlot gives a frame word to a node.
func (f *function) newSlot(by *node, words int) int {
	at := firstSlot + len(f.slots)
	f.slots = append(f.slots, slot{at, by, words})
	return at
}

// place makes r14 the continuation of a PE: this PE, [0,0], or one chosen by
// the value of register r. If MLPE places instances, values may depend only
// on the latter two.
func (g *gen) place(n *node, r string, value bool) {
	kinds := []string{"own", "zero", "computed", "computed"}
	if value && !g.special {
		kinds = kinds[1:]
	}
	switch pick(g, kinds...) {
	case "own":
		n.add("rds", "r14, pe")
	case "zero":
		n.add("mov", "r14, 0")
	case "computed":
		n.lines = append(n.lines, line{op: "place", args: "r14, " + r, words: placeWords})
	}
}

// putAndFetch stores a value in a PE and reads it back with two packets to
// the same PE, in that order.
func (g *gen) putAndFetch(f *function, n *node) {
	t := f.token(n)
	r := g.source(n)
	g.place(n, r, true)
	n.add(cont(t), "r11, fp, %s", dest(t))
	n.add("send.d", "%s, r14, put%d", r, g.puts)
	n.add("send.d", "r11, r14, fetch%d", g.puts)
	g.puts++
	f.live = append(f.live, t)
}
