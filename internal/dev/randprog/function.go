package randprog

import (
	"fmt"
	"strings"

	"emsim/internal/base/lists"
)

// maxFuel limits the depth of recursion. Fuel is in the three low bits of an argument.
const maxFuel = 4

// How an operand segment is released.
const (
	freesItself = iota // the last node releases it
	freedLater         // a packet to the instance itself releases it
	freedByCaller
	neverFreed
	releases
)

// function is one function of the program, with its template.
type function struct {
	name     string
	root     bool
	release  int
	retFinal bool             // the caller sends the return address to the last node, not the first
	cost     [maxFuel + 1]int // function instances in a call, by fuel
	calls    []callee         // the calls in the body
	nodes    []*node
	tokens   []*token // by number
	live     []*token // not yet taken by a node
	slots    []slot
	start    *node
}

type callee struct {
	fn   *function // nil means the function itself, with one less fuel, if any fuel is left
	fuel int
}

// node is a block that is started by operands.
type node struct {
	label  string
	lines  []line
	recent []string       // registers with values, the latest first
	seen   map[*node]bool // nodes that have finished when this one runs, and this one
}

// line is an instruction or a label.
type line struct {
	label, op, args string
	words           int
}

// token is a value on its way from one node to another. The destination is
// unknown until the token is taken.
type token struct {
	id   int
	seen map[*node]bool
	to   *node
	form string // 1, l, r
}

// slot is a word of the operand segment that one node writes.
type slot struct {
	at    int
	by    *node // if nil, the word must not be read as a value
	words int   // words of the structure to which it points, or 0 for a value
}

const (
	firstSlot = 44 // the displacements of nodes are below it
	fuelSlot  = 63
	freeSlots = fuelSlot - firstSlot - 8 // number of slots for values; the others are for calls
)

func (f *function) newNode(g *gen, kind string, takes ...*token) *node {
	n := &node{label: g.label(f.name + "_" + kind), seen: map[*node]bool{}, recent: []string{"r1", "r2"}[:len(takes)]}
	n.seen[n] = true
	forms := []string{"1"}
	if len(takes) == 2 {
		forms = []string{"l", "r"}
	}
	for i, t := range takes {
		t.to, t.form = n, forms[i]
		for m := range t.seen {
			n.seen[m] = true
		}
	}
	f.nodes = append(f.nodes, n)
	return n
}

func (n *node) addLine(op, format string, args ...any) {
	n.lines = append(n.lines, line{op: op, args: fmt.Sprintf(format, args...), words: 1})
}

func (n *node) addLabel(label string) { n.lines = append(n.lines, line{label: label}) }

// endBlock marks the last instruction as the end of the block.
func (n *node) endBlock() { n.lines[len(n.lines)-1].op += "!" }

func (n *node) words() int {
	return lists.Sum(n.lines, func(l line) int { return l.words })
}

// token returns a new token, which node n or a later node will send.
func (f *function) token(n *node) *token {
	t := &token{id: len(f.tokens), seen: n.seen}
	f.tokens = append(f.tokens, t)
	return t
}

func (f *function) takeToken(g *gen) *token {
	i := g.intBetween(0, len(f.live)-1)
	t := f.live[i]
	f.live = append(f.live[:i:i], f.live[i+1:]...)
	return t
}

// function emits a function: a start node, steps that take and make tokens, and an end node at which all tokens meet.
func (g *gen) function(name string, r functionRecipe, root bool) *function {
	g.useTape(r.head)
	f := &function{name: name, root: root}
	f.release = g.intBetween(0, releases-1)
	if f.release == freedByCaller && root {
		f.release = freesItself
	}
	f.retFinal = root || g.coinToss()
	f.start = &node{label: name + "_start", seen: map[*node]bool{}, recent: []string{"r1"}}
	f.start.seen[f.start] = true
	f.nodes = append(f.nodes, f.start)
	f.start.addLine("and", "r3, r1, 7")
	f.start.addLine("st", "r3, fp, %d", fuelSlot)
	f.start.addLine("shr", "r1, r1, 3")
	if !f.retFinal {
		f.start.addLine("send.r", "r2, fp, @%s_final", name)
		f.start.addLine("mov", "r2, 0")
	}
	g.useTape(r.start.head)
	g.ops = r.start.ops
	g.block(f, f.start, 1+g.intBetween(0, 2))
	for _, s := range r.steps {
		g.useTape(s.head)
		g.ops = s.ops
		g.drawStep(f)
	}
	g.useTape(r.tail)
	g.ops = nil
	for len(f.live) > 1 {
		g.block(f, f.newNode(g, "join", f.takeToken(g), f.takeToken(g)), 1)
	}
	g.finish(f)
	for fuel := range f.cost {
		f.cost[fuel] = f.costWith(fuel)
	}
	return f
}

// costWith returns the number of function instances in a call with a given amount of fuel.
func (f *function) costWith(fuel int) int {
	sum := 1
	for _, c := range f.calls {
		switch {
		case c.fn != nil:
			sum += c.fn.cost[c.fuel]
		case fuel > 0:
			sum += f.costWith(fuel - 1)
		}
	}
	return sum
}

// drawStep emits a step that takes one or two tokens and makes some.
func (g *gen) drawStep(f *function) {
	if len(f.nodes) > firstSlot-18 { // leaves room for joins and the end
		return
	}
	kinds := []string{"one", "two", "call", "recurse", "choice", "query", "call", "recurse", "call"}
	switch kind := pickOne(g, kinds...); {
	case kind == "call" && g.callStep(f), kind == "recurse" && g.recurse(f):
	case kind == "query":
		g.query(f)
	case kind == "choice":
		g.choice(f)
	case kind == "two" && len(f.live) > 1:
		g.block(f, f.newNode(g, "two", f.takeToken(g), f.takeToken(g)), 1+g.intBetween(0, 1))
	default:
		g.block(f, f.newNode(g, "one", f.takeToken(g)), 1+g.intBetween(0, 1))
	}
}

// block fills a node with operations, and between them sends of new tokens.
func (g *gen) block(f *function, n *node, tokens int) {
	g.operations(f, n, 0, 2)
	for i := range tokens {
		if i > 0 {
			g.operations(f, n, 1, 2)
		}
		t := f.token(n)
		g.sendToken(n, t, g.source(n))
		f.live = append(f.live, t)
	}
	if f.root && g.p.PairFIFO && g.chance(3) {
		g.putAndFetch(f, n)
	}
	if g.chance(3) {
		g.perhapsMore(n)
	}
	n.endBlock()
}

// perhapsMore emits a branch with an end mark. The block ends unless the branch is taken, because the end mark of a
// taken branch does not count.
func (g *gen) perhapsMore(n *node) {
	more := g.label(".x")
	n.addLine(g.branch(), "%s, %s, %s", g.source(n), g.source(n), more)
	n.endBlock()
	n.addLabel(more)
	r := g.source(n)
	g.place(n, r, true)
	n.addLine("send.d", "%s, r14, add%d", r, g.intBetween(0, sums-1))
}

// sendToken emits code that sends a register as a token, in one or two instructions.
func (g *gen) sendToken(n *node, t *token, r string) {
	if g.coinToss() {
		n.addLine(contMark(t), "r11, fp, %s", destMark(t))
		n.addLine("send", "%s, r11, 0", r)
		return
	}
	n.addLine("send."+formMark(t), "%s, fp, %s", r, destMark(t))
}

// Marks in the text stand for the properties of a token that are unknown until it is taken.
func formMark(t *token) string { return fmt.Sprintf("«%d»", t.id) }
func destMark(t *token) string { return fmt.Sprintf("@«%d»", t.id) }
func contMark(t *token) string { return "cont." + formMark(t) }

// settle returns the text with the marks replaced.
func (f *function) settle(text string, inOp bool) string {
	for {
		from := strings.Index(text, "«")
		if from < 0 {
			return text
		}
		to := strings.Index(text, "»")
		var id int
		if _, err := fmt.Sscanf(text[from+len("«"):to], "%d", &id); err != nil {
			panic(err)
		}
		t := f.tokens[id]
		with := t.to.label
		if inOp {
			with = t.form
		}
		text = text[:from] + with + text[to+len("»"):]
	}
}

// choice emits a branch that sends a token to one of two nodes; both send the same new token.
func (g *gen) choice(f *function) {
	n := f.newNode(g, "choose", f.takeToken(g))
	g.operations(f, n, 0, 3)
	other := g.label(".x")
	ta, tb := f.token(n), f.token(n)
	n.addLine(g.branch(), "%s, %s, %s", g.source(n), g.source(n), other)
	g.sendToken(n, ta, g.source(n))
	n.endBlock()
	n.addLabel(other)
	g.sendToken(n, tb, g.source(n))
	n.endBlock()
	out := f.token(n)
	for i, t := range []*token{ta, tb} {
		side := f.newNode(g, "side", t)
		slots := len(f.slots)
		g.operations(f, side, i+1, 3)
		for i := range f.slots[slots:] {
			f.slots[slots+i].by = nil // it may never be written
		}
		g.sendToken(side, out, g.source(side))
		side.endBlock()
	}
	f.live = append(f.live, out)
}

// query emits a request to a PE, chosen by the value, for one of its words.
func (g *gen) query(f *function) {
	n := f.newNode(g, "ask", f.takeToken(g))
	g.operations(f, n, 0, 1)
	t := f.token(n)
	g.place(n, g.source(n), true)
	n.addLine(contMark(t), "r11, fp, %s", destMark(t))
	n.addLine("send.d", "r11, r14, query")
	n.endBlock()
	f.live = append(f.live, t)
}

// finish emits the last node. When it runs, all other work of the instance is done.
func (g *gen) finish(f *function) {
	t := f.live[0]
	n := f.newNode(g, "final", t)
	n.label = f.name + "_final"
	if !f.root {
		t.form = "l"
	}
	if f.root {
		n.addLine("out", "r1")
		for range g.intBetween(0, 2) {
			g.operation(f, n, 0)
			n.addLine("out", "%s", g.source(n))
		}
	}
	for _, s := range f.slots {
		if s.words > 0 && s.by != nil && g.coinToss() {
			n.addLine("ld", "r11, fp, %d", s.at)
			n.addLine("relstr", "r11")
		}
	}
	if !f.root {
		n.addLine("send", "r1, r2, 0")
	}
	switch f.release {
	case freesItself:
		n.addLine("relseg", "fp")
	case freedLater:
		last := &token{id: len(f.tokens), seen: n.seen}
		f.tokens = append(f.tokens, last)
		n.addLine("send."+formMark(last), "r0, fp, %s", destMark(last))
		free := f.newNode(g, "free", last)
		free.addLine("relseg", "fp")
		free.endBlock()
	case neverFreed:
		if g.coinToss() {
			n.addLine("send."+pickOne(g, "l", "r"), "r1, fp, @%s_half", f.name)
			half := &node{label: f.name + "_half"}
			half.addLine("nop", "")
			half.endBlock()
			f.nodes = append(f.nodes, half)
		}
	}
	n.endBlock()
}
