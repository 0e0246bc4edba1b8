package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A channel is a stream from one instance to another. Its receiver requests every item. An item request is a packet to
// a node of the sender, and has the continuation to which the item goes. So the receiving end of a channel is one word,
// the continuation of that node, and the sending end needs no word. Between two items no packet is in flight, so the
// word can be handed on: whichever instance has it is the receiver. With two senders, or two receivers at a time, the
// order of the items would depend on time. The compiler refuses programs in which that could happen.

// channel records what the program does with a variable of channel type.
type channel struct {
	obj     *types.Var
	made    ast.Node    // the statement that declares it; nil: a parameter
	by      *function   // the function whose variable it is
	nested  bool        // declared inside an if, a loop or a block
	sends   ast.Node    // a send or close in the function itself, or nil
	takes   ast.Node    // a receive in the function itself, or nil
	started []ast.Node  // uses that hand its sending end to a function
	given   []ast.Node  // uses that hand on its receiving end, or assign it to another variable
	renamed []token.Pos // assignments of another channel to the variable
	shut    *types.Var  // the variable that says whether the function has closed it
	own     bool        // it is the result of make
	remote  bool        // the sender is a piece of an array of package df
	refused bool        // some use of it has been refused
}

// outEnd is a parameter that is the sending end of a channel.
type outEnd struct {
	index int // among the parameters of the function
	v     *types.Var
}

// requestNode returns the name of the sender's node for item requests.
func (c *compiler) requestNode(f *function, v *types.Var) string {
	return f.name + ".want_" + c.plain(v.Name())
}

// chanOf returns a type as a channel type, or nil.
func chanOf(t types.Type) *types.Chan {
	if t == nil {
		return nil
	}
	c, _ := t.Underlying().(*types.Chan)
	return c
}

// chanParam records a parameter that is an end of a channel.
func (c *compiler) chanParam(f *function, n ast.Node, index int, v *types.Var, ch *types.Chan) {
	c.goodValue(n, ch.Elem())
	switch ch.Dir() {
	case types.SendOnly:
		f.outs = append(f.outs, outEnd{index, v})
	case types.RecvOnly:
		f.params = append(f.params, v)
	default:
		c.reject(n, channelEnd, v.Name(), ch.Elem())
	}
	c.chans[v] = c.newChannel(f, v)
}

func (c *compiler) newChannel(f *function, v *types.Var) *channel {
	return &channel{obj: v, by: f, shut: types.NewVar(v.Pos(), c.pkg, "", types.Typ[types.Bool])}
}

// surveyChannels records the channels that a function declares, and how it uses channels.
func (c *compiler) surveyChannels(f *function) {
	ast.PreorderStack(f.decl.Body, nil, func(n ast.Node, stack []ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false // a function of its own
		}
		if call, ok := n.(*ast.CallExpr); ok {
			c.surveyGo(f, call, stack)
		}
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.info.ObjectOf(id).(*types.Var)
		if !ok || chanOf(v.Type()) == nil {
			return true
		}
		if c.info.Defs[id] != nil {
			c.chanMade(f, id, v, stack)
			return true
		}
		if x := c.chans[v]; x != nil { // others are refused where they are declared
			before := c.mistakes
			captured := f.lit != nil && (v.Pos() < f.lit.Pos() || f.lit.End() <= v.Pos()) // which has been refused
			if !captured {
				c.chanUse(x, id, stack)
			}
			x.refused = x.refused || captured || c.mistakes > before
		}
		return true
	})
}

// looped reports whether a place is inside a loop of its function.
func looped(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		_, isFor := n.(*ast.ForStmt)
		_, isRange := n.(*ast.RangeStmt)
		return isFor || isRange
	})
}

// chanMade records the declaration of a channel variable.
func (c *compiler) chanMade(f *function, id *ast.Ident, v *types.Var, stack []ast.Node) {
	a, ok := stack[len(stack)-1].(*ast.AssignStmt)
	var from ast.Expr
	if ok && len(a.Lhs) == len(a.Rhs) {
		from = a.Rhs[slices.Index(a.Lhs, ast.Expr(id))]
	}
	x := c.newChannel(f, v)
	x.made, x.nested = a, len(stack) > 2
	switch {
	case from != nil && c.isStream(from):
		x.remote = true
	case from != nil && c.isChannel(from):
	case from == nil || !c.makesOnly(a):
		c.ownStatement(id, ":=", v)
		return
	default:
		if x.own = true; !c.unbuffered(from, v) {
			return
		}
	}
	if c.goodValue(id, chanOf(v.Type()).Elem()) {
		c.chans[v], c.made = x, append(c.made, x)
	}
}

// ownStatement refuses a channel that is made together with other values.
func (c *compiler) ownStatement(at *ast.Ident, op string, v *types.Var) {
	c.reject(at, channelAlone, at.Name, op, chanOf(v.Type()).Elem())
}

// unbuffered reports whether a call of make has no buffer size. It refuses any size, even 0.
func (c *compiler) unbuffered(made ast.Expr, v *types.Var) bool {
	args := ast.Unparen(made).(*ast.CallExpr).Args
	if len(args) > 1 {
		c.reject(args[1], buffered, chanOf(v.Type()).Elem())
	}
	return len(args) == 1
}

// isChannel reports whether an expression is a variable of channel type.
func (c *compiler) isChannel(e ast.Expr) bool {
	v, ok := c.objectOf(e).(*types.Var)
	return ok && chanOf(v.Type()) != nil
}

// makesOnly reports whether a statement does nothing but make channels.
func (c *compiler) makesOnly(s *ast.AssignStmt) bool {
	return len(s.Lhs) == len(s.Rhs) && !slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.CallExpr)
		return !ok || !c.isBuiltin(x, "make") || chanOf(c.info.TypeOf(e)) == nil
	})
}

// isStream reports whether an expression is a piece of an array that is read as a channel.
func (c *compiler) isStream(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && c.byCall[x] != nil && c.byCall[x].array != nil
}

func (c *compiler) isBuiltin(x *ast.CallExpr, name string) bool {
	return c.objectOf(x.Fun) == types.Universe.Lookup(name)
}

// chanUse records one use of a channel.
func (c *compiler) chanUse(x *channel, id *ast.Ident, stack []ast.Node) {
	switch p := stack[len(stack)-1].(type) {
	case *ast.SendStmt:
		if p.Chan == id {
			x.sends = p
			return
		}
	case *ast.UnaryExpr:
		if p.Op == token.ARROW {
			x.takes = p
			return
		}
	case *ast.RangeStmt:
		if p.X == id {
			if x.takes = p; c.assigned(p.Body, x.obj) {
				c.reject(id, rangeChanges, id.Name)
			}
			return
		}
	case *ast.AssignStmt:
		if c.chanAssigned(x, p, id) {
			return
		}
	case *ast.CallExpr:
		if c.isBuiltin(p, "close") {
			c.chanClose(x, p, stack)
			return
		}
		if g := c.callee(p); g != nil && g.lit == nil {
			c.chanGiven(x, g, p, id)
			return
		}
	}
	c.reject(id, channelUse)
}

// chanAssigned records a channel that gets another name, and a name that gets another channel. It reports whether an
// assignment does one of these.
func (c *compiler) chanAssigned(x *channel, s *ast.AssignStmt, id *ast.Ident) bool {
	if len(s.Lhs) != len(s.Rhs) {
		return false
	}
	i := slices.Index(s.Lhs, ast.Expr(id))
	if i < 0 {
		if i = slices.Index(s.Rhs, ast.Expr(id)); i < 0 {
			return false
		}
		if !isBlank(s.Lhs[i]) {
			x.given = append(x.given, id)
			c.chanChanges(x.obj, id)
		}
		return true
	}
	switch from := s.Rhs[i]; {
	case c.makesOnly(s):
		c.unbuffered(from, x.obj)
		x.own = true
	case !c.isStream(from) && !c.isChannel(from):
		c.ownStatement(id, "=", x.obj)
	}
	x.renamed = append(x.renamed, id.Pos())
	return true
}

// chanChanges records a position where the value of a variable changes.
func (c *compiler) chanChanges(v *types.Var, n ast.Node) {
	sets := c.places.sets
	at, _ := slices.BinarySearch(sets[v], n.Pos())
	sets[v] = slices.Insert(sets[v], at, n.Pos())
}

// chanGiven records a channel that is an argument.
func (c *compiler) chanGiven(x *channel, g *function, call *ast.CallExpr, id *ast.Ident) {
	c.chanChanges(x.obj, id)
	for _, o := range g.outs {
		if ast.Unparen(call.Args[o.index]) == id {
			x.started = append(x.started, id)
			return
		}
	}
	x.given = append(x.given, id)
}

// chanClose records close(x) or defer close(x).
func (c *compiler) chanClose(x *channel, call *ast.CallExpr, stack []ast.Node) {
	x.sends = call
	if x.shut != nil {
		c.chanChanges(x.shut, call)
	}
	if _, deferred := stack[len(stack)-2].(*ast.DeferStmt); deferred && len(stack) > 3 {
		c.reject(call, otherDefer)
	}
}

// surveyGo notes whether a call starts its callee with go or calls it. It rejects a plain call of a function that sends
// on a channel.
func (c *compiler) surveyGo(f *function, call *ast.CallExpr, stack []ast.Node) {
	g := c.callee(call)
	_, isGo := stack[len(stack)-1].(*ast.GoStmt)
	switch {
	case g == nil:
	case isGo:
		g.started = true
		if looped(stack) {
			g.many, f.startsMany = append(g.many, call), true
		}
	case len(g.outs) > 0:
		c.reject(call, plainSender, g.decl.Name.Name)
	default:
		g.called = true
	}
}

// checkChannels refuses channels that are wrong on every path: without a receiver, with two senders, or in a function
// that would wait for itself. It also refuses a channel on which a function sends, if the channel is made inside
// another statement or a literal, changes, or is handed on. Receivers without a sender are found later, by checkEnds.
func (c *compiler) checkChannels() {
	for _, f := range c.order {
		for _, o := range f.outs {
			x := c.chans[o.v]
			for _, at := range slices.Concat(x.started, x.given) {
				c.reject(at, handedOn, o.v.Name())
			}
			c.checkRenamed(x)
		}
	}
	for _, x := range c.made {
		name := x.obj.Name()
		sent := x.sends != nil || len(x.started) > 0
		taken := x.takes != nil || len(x.given) > 0
		switch {
		case x.refused:
		case x.sends != nil && len(x.started) > 0:
			c.reject(x.started[0], senders, name, chanOf(x.obj.Type()).Elem())
		case !taken && !(sent && x.remote):
			c.reject(x.made, noReceiver, name)
		case x.remote || x.sends == nil:
		case x.takes != nil:
			c.reject(x.sends, ownReceiver, name)
		case x.by.lit != nil || x.nested:
			c.reject(x.made, sendInLoop)
		default:
			c.checkRenamed(x)
		}
	}
}

// checkRenamed refuses a variable on which the function sends if it can stand for several channels.
func (c *compiler) checkRenamed(x *channel) {
	if len(x.renamed) > 0 || x.made != nil && !x.own {
		at := ast.Node(&ast.Ident{NamePos: x.obj.Pos(), Name: x.obj.Name()})
		if len(x.renamed) > 0 {
			at = &ast.Ident{NamePos: x.renamed[0], Name: x.obj.Name()}
		}
		c.reject(at, renamed, x.obj.Name())
	}
}
