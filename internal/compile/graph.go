package compile

import (
	"maps"
	"slices"
	"strings"

	"emsim/internal/compile/cut"
	"emsim/isa"
)

// NewGraph compiles a program and returns the graph of its strongly connected blocks, without own forms.
func NewGraph(name string, src []byte, opt Options) (*cut.Graph, error) {
	fits, _, err := fitted(name, src, opt)
	if err != nil {
		return nil, err
	}
	c, err := lowered(name, src, opt, fits.splits)
	if err != nil {
		return nil, err
	}
	g := &cut.Graph{Entry: c.entry.decl.Name.Name, Blocks: string(c.opt.Blocks), Guards: string(c.opt.Guards)}
	for _, u := range c.units {
		f := c.order[slices.IndexFunc(c.order, func(f *function) bool { return f.name == u.name })]
		if f.of != nil {
			continue
		}
		u.linkBlocks()
		x := &grapher{c: c, u: u, at: map[string]int{}, conts: map[reg]int{}, words: map[arg]int{}, chans: map[reg]bool{}}
		_, line := c.where(c.lineOf(f.decl))
		x.f.Name, x.f.Line, x.f.Does, x.ends = u.name, line, c.describe(f), f.answers()
		x.f.Waits = slices.Concat(fits.sizes[u.name], u.waits, c.readsOf(f))
		x.f.Farther = c.farther(f)
		x.graph()
		g.Functions = append(g.Functions, x.f)
	}
	return g, nil
}

// grapher makes the graph of a template.
type grapher struct {
	c  *compiler
	u  *unit
	f  cut.Function
	at map[string]int // the nodes by name

	ends  bool         // its instances send a result
	conts map[reg]int  // the template's node that the continuation in a register leads to
	words map[arg]int  // the same, for a continuation in a word of the segment
	chans map[reg]bool // registers that hold channels, or item requests

	waits []cut.Edge // edges to nodes that continue after the end of a block
	call  int        // the node of the call that the block is making, or 0
}

func (g *grapher) graph() {
	var roots []*block
	for _, b := range g.u.blocks {
		if b.node != nil {
			g.at[b.node.name] = len(g.f.Nodes)
			n := cut.Node{Name: strings.TrimPrefix(b.node.name, g.u.name+"."), Waits: b.node.why}
			if strings.HasPrefix(n.Name, "step") {
				n.Waits, n.Cut = "", b.node.why
			}
			if !b.node.follows {
				n.Begins = []string{b.node.name}
			}
			g.f.Nodes = append(g.f.Nodes, n)
			roots = append(roots, b)
			if strings.HasPrefix(n.Name, "want") {
				g.chans[b.in[len(b.in)-1]] = true
			}
		}
	}
	for i, b := range roots {
		if end := b.node.end; end != nil {
			n := &g.f.Nodes[g.at[end.node.name]]
			n.Begins = append(n.Begins, endLabel(b.node))
		}
		g.followBlock(i, b)
	}
	for _, e := range g.waits {
		if !slices.ContainsFunc(g.f.Edges, func(x cut.Edge) bool { return x.To == e.To }) {
			g.addEdge(e.From, e.To, e.Kind)
		}
	}
}

// followBlock follows the code of a strongly connected block.
func (g *grapher) followBlock(at int, root *block) {
	seen := map[*block]bool{}
	lines := map[int]bool{}
	g.call = 0
	var walk func(b *block)
	walk = func(b *block) {
		if seen[b] || b.panics != "" {
			return
		}
		seen[b] = true
		for i := range b.code {
			x := &b.code[i]
			lines[x.line] = true
			g.f.Nodes[at].Words++
			g.instr(at, x)
		}
		if len(b.next) == 2 {
			lines[b.line] = true
			g.f.Nodes[at].Words++
		}
		for _, n := range b.next {
			walk(n)
		}
		for _, n := range b.wakes {
			kind := cut.EdgeValue
			if n.node.follows {
				kind = cut.EdgeItem
			}
			g.waits = append(g.waits, cut.Edge{From: at, To: g.at[n.node.name], Kind: kind})
		}
	}
	walk(root)
	for _, n := range slices.Sorted(maps.Keys(lines)) {
		if n >= 1 && n <= len(g.c.lines) {
			_, local := g.c.where(n)
			g.f.Nodes[at].Lines = append(g.f.Nodes[at].Lines, cut.Line{Number: local, Text: strings.TrimSpace(g.c.lines[n-1])})
		}
	}
}

func (g *grapher) addEdge(from, to int, kind cut.EdgeKind) {
	e := cut.Edge{From: from, To: to, Kind: kind}
	if !slices.Contains(g.f.Edges, e) {
		g.f.Edges = append(g.f.Edges, e)
	}
}

// ownNode finds the template's node that a displacement names.
func (g *grapher) ownNode(a arg) (int, bool) {
	i, ok := g.at[a.displaced()]
	return i, ok
}

// instr records what an instruction does with other blocks.
func (g *grapher) instr(at int, x *instr) {
	switch x.op {
	case callGo, callMLPE:
		if to, ok := g.ownNode(x.args[1]); ok {
			g.addEdge(at, to, cut.EdgeSegment)
		}
	case isa.CONT:
		if to, ok := g.ownNode(x.args[2]); ok {
			g.conts[x.args[0].reg] = to
		}
	case isa.ST, isa.LD: // a continuation waits in a word until the segment of a call arrives
		r, word := x.args[0].reg, x.args[2]
		if to, ok := g.conts[r]; ok && x.op == isa.ST {
			g.words[word] = to
		}
		if to, ok := g.words[word]; ok && x.op == isa.LD {
			g.conts[r] = to
		}
	case isa.SEND:
		g.noteSend(at, x)
	}
}

// noteSend records where a packet goes.
func (g *grapher) noteSend(at int, x *instr) {
	back, known := 0, false
	if x.args[0].kind == isUse {
		back, known = g.conts[x.args[0].reg]
	}
	to := x.args[1]
	far := x.form == isa.FormCont && x.args[2].kind != isPending // to a continuation
	switch {
	case x.form == isa.FormDirect:
		if to, ok := g.at[x.place]; ok {
			back = to
		}
		g.addEdge(at, back, cut.EdgeRemote)
	case far && known: // an item request
		g.chans[to.reg] = true
		g.addEdge(at, back, cut.EdgeItem)
	case far && !g.chans[to.reg]:
		g.f.Nodes[at].Ends = g.ends
	case far:
		g.f.Nodes[at].Items = g.f.Nodes[at].Items || x.args[0].kind == isUse
	case to == fp:
		if n, ok := g.ownNode(x.args[2]); ok {
			g.addEdge(at, n, cut.EdgeToken)
		}
	default:
		callee, _, _ := strings.Cut(x.args[2].displaced(), ".")
		if g.call == 0 {
			g.call = len(g.f.Nodes)
			g.f.Nodes = append(g.f.Nodes, cut.Node{Name: callee, Call: true})
		}
		g.addEdge(at, g.call, cut.EdgeArgs)
		switch {
		case known && strings.HasPrefix(g.f.Nodes[back].Name, "want"):
			g.addEdge(g.call, back, cut.EdgeItem)
		case known:
			g.addEdge(g.call, back, cut.EdgeResult)
		}
		if strings.HasSuffix(x.args[2].displaced(), ".start") && x.form != isa.FormLeft {
			g.call = 0 // the last packet of the call
		}
	}
}
