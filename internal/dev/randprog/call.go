package randprog

// callStep emits a node that takes a token and calls an earlier function with it; the result is a new token. It returns
// false if no function is small enough.
func (g *gen) callStep(f *function) bool {
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
	c := pickOne(g, list...)
	f.calls = append(f.calls, c)
	n := f.newNode(g, "call", f.takeToken(g))
	g.operations(f, n, 0, 1)
	n.addLine("shl", "r3, %s, 3", g.source(n))
	n.addLine("or", "r3, r3, %d", c.fuel)
	g.invoke(f, n, c.fn)
	return true
}

// weight returns the number of times that the body may run in one call of f with full fuel.
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

// recurse emits code that takes a token and calls the function itself with one less fuel, or passes the token on if no
// fuel is left. It returns false if the call would be too large.
func (g *gen) recurse(f *function) bool {
	f.calls = append(f.calls, callee{})
	if f.root || f.costWith(maxFuel) > g.size.Calls {
		f.calls = f.calls[:len(f.calls)-1]
		return false
	}
	n := f.newNode(g, "again", f.takeToken(g))
	g.operations(f, n, 0, 1)
	base := g.label(".x")
	n.addLine("ld", "r11, fp, %d", fuelSlot)
	n.addLine("beq", "r11, r0, %s", base)
	n.addLine("sub", "r11, r11, 1")
	n.addLine("shl", "r3, %s, 3", g.source(n))
	n.addLine("or", "r3, r3, r11")
	t := g.invoke(f, n, f)
	n.addLabel(base)
	g.sendToken(n, t, "r1")
	n.endBlock()
	return true
}

// invoke emits a call of function c with r3. The code gets an operand segment on this or another PE, sends the argument
// and the return address, and ends the node. invoke returns the token of the result.
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
	if g.p.Dynamic && c == g.firstFunction() {
		static := g.label(".x")
		n.addLine("rds", "r12, mlpe")
		n.addLine("beq", "r12, r0, %s", static)
		g.arguments(n, c, "r3", "r12", result, keep)
		n.addLine("mlpe", "found")
		n.endBlock()
		n.addLabel(static)
	}
	if g.coinToss() {
		n.addLine("getseg", "r12, %s", c.name)
		g.arguments(n, c, "r3", "r12", result, keep)
		n.endBlock()
	} else {
		g.place(n, "r3", false)
		arg, seg := f.token(n), f.token(n)
		n.addLine(contMark(seg), "r11, fp, %s", destMark(seg))
		n.addLine("send.d", "r11, r14, new_%s", c.name)
		g.sendToken(n, arg, "r3")
		n.endBlock()
		got := f.newNode(g, "got", arg, seg)
		g.arguments(got, c, "r1", "r2", result, keep)
		got.endBlock()
	}
	if back == nil {
		rel := f.newNode(g, "rel", result)
		rel.addLine("ld", "r12, fp, %d", keep)
		g.sendToken(rel, t, "r1")
		rel.addLine("send.d", "r12, r12, release")
		rel.endBlock()
	}
	return t
}

// firstFunction returns the function whose segments are prefetched by MLPE.
func (g *gen) firstFunction() *function {
	if len(g.fns) == 0 {
		return nil
	}
	return g.fns[0]
}

// arguments emits code that sends the arguments to the operand segment in register seg.
func (g *gen) arguments(n *node, c *function, arg, seg string, result *token, keep int) {
	if keep > 0 {
		n.addLine("st", "%s, fp, %d", seg, keep)
	}
	n.addLine(contMark(result), "r11, fp, %s", destMark(result))
	if c.retFinal {
		n.addLine("send.1", "%s, %s, @%s_start", arg, seg, c.name)
		n.addLine("send.r", "r11, %s, @%s_final", seg, c.name)
		return
	}
	n.addLine("send.r", "r11, %s, @%s_start", seg, c.name)
	n.addLine("send.l", "%s, %s, @%s_start", arg, seg, c.name)
}

// newSlot assigns a frame word to a node, and returns its displacement.
func (f *function) newSlot(by *node, words int) int {
	at := firstSlot + len(f.slots)
	f.slots = append(f.slots, slot{at, by, words})
	return at
}

// place emits code that sets r14 to the continuation of a PE: this PE, [0,0], or one chosen by the value of register r.
// If MLPE places instances, values may depend only on the latter two.
func (g *gen) place(n *node, r string, value bool) {
	kinds := []string{"own", "zero", "computed", "computed"}
	if value && !g.special {
		kinds = kinds[1:]
	}
	switch pickOne(g, kinds...) {
	case "own":
		n.addLine("rds", "r14, pe")
	case "zero":
		n.addLine("mov", "r14, 0")
	case "computed":
		n.lines = append(n.lines, line{op: "place", args: "r14, " + r, words: placeWords})
	}
}

// putAndFetch emits code that stores a value in a PE and reads it back, with two packets to the same PE, in that order.
func (g *gen) putAndFetch(f *function, n *node) {
	t := f.token(n)
	r := g.source(n)
	g.place(n, r, true)
	n.addLine(contMark(t), "r11, fp, %s", destMark(t))
	n.addLine("send.d", "%s, r14, put%d", r, g.puts)
	n.addLine("send.d", "r11, r14, fetch%d", g.puts)
	g.puts++
	f.live = append(f.live, t)
}
