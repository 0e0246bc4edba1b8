package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A channel is a stream from one instance to another. Its receiver asks for
// every item: the question is a packet to the sender's node for it, and says
// where the item goes. So the receiving end of a channel is a word, the
// continuation of that node, and the sending end needs none. With two senders or
// two receivers the order of the items would depend on time, so the compiler
// refuses what could have them.

// channel is what the program does with a channel: a variable or a parameter.
type channel struct {
	obj           *types.Var
	made          *ast.AssignStmt // nil: a parameter
	by            *function       // that makes it
	sends, takes  ast.Node        // an operation of the function itself, or nil
	sendBy, taker ast.Node        // where it is handed to another function, or nil
	closed        ast.Stmt        // the statement that closes it
	deferred      bool            // with defer
	remote        bool            // the sender is a piece of an array
	refused       bool            // some use of it
}

// outEnd is a parameter that is the sending end of a channel.
type outEnd struct {
	index int // among the parameters of the function
	v     *types.Var
}

// questionNode returns the name of the sender's node for questions.
func (c *compiler) questionNode(f *function, v *types.Var) string {
	return f.name + ".want_" + c.plain(v.Name())
}

// chanOf returns a type as one of channels, or nil.
func chanOf(t types.Type) *types.Chan {
	if t == nil {
		return nil
	}
	c, _ := t.Underlying().(*types.Chan)
	return c
}

// chanParam reads a parameter that is an end of a channel.
func (c *compiler) chanParam(f *function, n ast.Node, index int, v *types.Var, ch *types.Chan) {
	c.goodValue(n, ch.Elem())
	switch ch.Dir() {
	case types.SendOnly:
		f.outs = append(f.outs, outEnd{index, v})
	case types.RecvOnly:
		f.params = append(f.params, v)
	default:
		c.errorf(n, "say which end of the channel %s is: chan<- %s to send, <-chan %[2]s to receive", v.Name(), ch.Elem())
	}
	c.chans[v] = &channel{obj: v}
}

// surveyChannels finds out who sends and who receives on every channel.
func (c *compiler) surveyChannels(f *function) {
	ast.PreorderStack(f.decl.Body, nil, func(n ast.Node, stack []ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok {
			return false // a function of its own
		}
		if call, ok := n.(*ast.CallExpr); ok {
			c.surveyGo(call, stack)
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
		if x := c.chans[v]; x != nil && (f.lit == nil || f.lit.Pos() <= v.Pos() && v.Pos() < f.lit.End()) {
			before := c.mistakes
			c.chanUse(f, x, id, stack)
			x.refused = x.refused || c.mistakes > before
		} // others are refused where they are declared
		return true
	})
}

// chanMade notes where a channel is made.
func (c *compiler) chanMade(f *function, id *ast.Ident, v *types.Var, stack []ast.Node) {
	a, ok := stack[len(stack)-1].(*ast.AssignStmt)
	var from ast.Expr
	if ok && len(a.Lhs) == len(a.Rhs) {
		from = a.Rhs[slices.Index(a.Lhs, ast.Expr(id))]
	}
	if v, ok := c.named(from).(*types.Var); ok && chanOf(v.Type()) != nil {
		return // which cannot be given another name: that is said of its use
	}
	remote := from != nil && c.isStream(from)
	if from == nil || !remote && !c.makesOnly(a) {
		c.errorf(id, "a channel has a statement of its own: write %s := make(chan %s)", id.Name, chanOf(v.Type()).Elem())
		return
	}
	if call := ast.Unparen(from).(*ast.CallExpr); !remote && len(call.Args) > 1 {
		c.errorf(call.Args[1], "the machine's streams hold nothing back: write make(chan %s), whose sender waits until an item is wanted", chanOf(v.Type()).Elem())
		return
	}
	if len(stack) > 2 {
		c.errorf(id, "a channel is made once for every call, outside of if and loops: move this, or write a function for what is inside")
		return
	}
	if !c.goodValue(id, chanOf(v.Type()).Elem()) {
		return
	}
	x := &channel{obj: v, made: a, by: f, remote: remote}
	c.chans[v], c.made = x, append(c.made, x)
}

// makesOnly reports a statement that only makes channels.
func (c *compiler) makesOnly(s *ast.AssignStmt) bool {
	return len(s.Lhs) == len(s.Rhs) && !slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool {
		x, ok := ast.Unparen(e).(*ast.CallExpr)
		return !ok || !c.isBuiltin(x, "make") || chanOf(c.info.TypeOf(e)) == nil
	})
}

// isStream reports a piece of an array, read as a channel.
func (c *compiler) isStream(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.CallExpr)
	return ok && c.byCall[x] != nil && c.byCall[x].array != nil
}

func (c *compiler) isBuiltin(x *ast.CallExpr, name string) bool {
	return c.named(x.Fun) == types.Universe.Lookup(name)
}

// looped reports a place inside of a loop of its function.
func looped(stack []ast.Node) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		_, isFor := n.(*ast.ForStmt)
		_, isRange := n.(*ast.RangeStmt)
		return isFor || isRange
	})
}

// chanUse notes one use of a channel.
func (c *compiler) chanUse(f *function, x *channel, id *ast.Ident, stack []ast.Node) {
	parent := stack[len(stack)-1]
	switch p := parent.(type) {
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
			x.takes = p
			return
		}
	case *ast.CallExpr:
		if c.isBuiltin(p, "close") {
			c.chanClose(f, x, p, stack)
			return
		}
		if g := c.callee(p); g != nil && g.lit == nil {
			c.chanGiven(x, g, p, id, stack)
			return
		}
	}
	c.errorf(id, "a channel can be sent to, received from, closed, and handed to a function of the program once; nothing else")
}

// chanGiven notes a channel that is an argument.
func (c *compiler) chanGiven(x *channel, g *function, call *ast.CallExpr, id *ast.Ident, stack []ast.Node) {
	if looped(stack) {
		c.errorf(id, "%s is handed to a function in every turn of the loop, and a channel has one sender and one receiver: make and use it in a function that the loop calls", id.Name)
		return
	}
	for _, o := range g.outs {
		if ast.Unparen(call.Args[o.index]) != id {
			continue
		}
		if len(stack) > 3 {
			c.errorf(call, "a sender is started once for every call, outside of if: move this, or write a function for what is inside")
			return
		}
		if x.sendBy != nil {
			c.errorf(id, "%s has a sender already: a channel has one", id.Name)
		}
		x.sendBy = id
		return
	}
	if x.taker != nil {
		c.errorf(id, "%s has a receiver already: a channel has one", id.Name)
	}
	x.taker = id
}

// chanClose notes close(x) or defer close(x).
func (c *compiler) chanClose(f *function, x *channel, call *ast.CallExpr, stack []ast.Node) {
	if x.closed != nil {
		c.errorf(call, "%s is closed twice: write defer close(%[1]s) once", x.obj.Name())
		return
	}
	var s ast.Stmt
	if n := len(stack) - 2; n >= 1 && stack[n-1] == f.decl.Body {
		s, _ = stack[n].(ast.Stmt)
	}
	_, x.deferred = s.(*ast.DeferStmt)
	if s == nil {
		c.errorf(call, "close(%s) may not be reached here: write defer close(%[1]s) behind its declaration, as a statement of the function itself", x.obj.Name())
		s = &ast.EmptyStmt{}
	}
	x.closed = s
	x.sends = call
}

// surveyGo checks how a function with a sending end is called.
func (c *compiler) surveyGo(call *ast.CallExpr, stack []ast.Node) {
	g := c.callee(call)
	_, isGo := stack[len(stack)-1].(*ast.GoStmt)
	switch {
	case g == nil:
	case isGo:
		g.started = true
	case len(g.outs) > 0:
		c.errorf(call, "%s sends while its caller receives: write go %[1]s(...)", g.decl.Name.Name)
	default:
		g.called = true
	}
}

// checkChannels refuses channels without exactly one sender and one receiver.
func (c *compiler) checkChannels() {
	for _, f := range c.order {
		for _, o := range f.outs {
			x := c.chans[o.v]
			if x.sendBy != nil {
				c.errorf(x.sendBy, "%s came as an argument and cannot be handed on: the function that gets a sending end sends itself", o.v.Name())
			}
			c.checkClosed(f, x)
		}
		for _, p := range f.params {
			if x := c.chans[p]; x != nil && x.takes != nil && x.taker != nil {
				c.errorf(x.taker, "%s receives from %s itself: a channel has one receiver", f.decl.Name.Name, p.Name())
			}
		}
	}
	for _, x := range c.made {
		name := x.obj.Name()
		sent := x.sends != nil || x.sendBy != nil
		switch {
		case x.refused:
		case !sent && !x.remote:
			c.errorf(x.made, "nobody sends on %s: hand it to a function, go NAME(%[1]s), or send here", name)
		case x.sends != nil && x.sendBy != nil && !x.remote:
			c.errorf(x.sendBy, "%s has two senders, this function and the one it is handed to: a channel has one", name)
		case x.takes == nil && x.taker == nil && !(sent && x.remote):
			c.errorf(x.made, "nobody receives from %s: write a loop, for x := range %[1]s, or hand it to a function", name)
		case x.takes != nil && x.taker != nil:
			c.errorf(x.taker, "%s has two receivers, this function and the one it is handed to: a channel has one", name)
		case x.remote:
		case x.sends != nil && x.takes != nil:
			c.errorf(x.sends, "this function would wait for itself: another one has to send on %s or receive from it", name)
		case x.sends != nil && x.by.lit != nil:
			c.errorf(x.sends, "the function of a parallel loop can receive, not send: start a function that sends, go NAME(%s)", name)
		case x.sends != nil:
			c.checkClosed(x.by, x)
		}
	}
}

// checkClosed demands that a sender closes its channel however it ends.
func (c *compiler) checkClosed(f *function, x *channel) {
	name := x.obj.Name()
	if x.closed == nil {
		at := ast.Node(f.decl.Name)
		if x.made != nil {
			at = x.made
		}
		c.errorf(at, "%s sends on %s and does not close it: write defer close(%[2]s) at its beginning", f.decl.Name.Name, name)
		return
	}
	known, done := x.made == nil, false // the channel is there, and closed
	for _, s := range f.decl.Body.List {
		switch {
		case s == x.made:
			known = true
		case s == x.closed:
			done = true
		case known && !done && c.returns(s), done && !x.deferred && c.sendsOn(s, x.obj):
			c.errorf(x.closed, "%s has to be closed on every way out, and behind the last item: write defer close(%[1]s) behind its declaration", name)
			return
		}
	}
}

// sendsOn reports a statement that sends on a channel.
func (c *compiler) sendsOn(n ast.Node, v *types.Var) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if s, ok := n.(*ast.SendStmt); ok {
			found = found || c.named(s.Chan) == v
		}
		return true
	})
	return found
}
