package compile

import (
	"go/ast"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// The receiving end of a channel is a value. The sending one is known where it is used: a channel belongs to one function.

// channelOf returns the channel for which a variable stands on which the function sends.
func (b *builder) channelOf(v types.Object) *ir.Channel {
	ch := b.channels[v]
	if ch == nil {
		ch = &ir.Channel{Name: v.Name(), Words: int(b.c.wordsIn(chanOf(v.Type()).Elem()))}
		b.channels[v], b.x.senders[ch] = ch, v
	}
	return ch
}

// bindEnd gives a variable a receiving end, which this function asks or hands on.
func (b *builder) bindEnd(v types.Object, end *ir.Value) {
	end.Name = v.Name()
	b.slots[v] = b.newSlot(v, end)
	b.owned(end, b.slots[v])
	b.asks(v)
}

// defineChannel gives a variable that is a channel its value: the words of a piece of an array.
func (b *builder) defineChannel(name *ast.Ident, v *types.Var, values []*ir.Value) {
	if x := b.c.chans[v]; x == nil || !x.remote {
		b.refuse(name, noChannelHere, name.Name)
	}
	b.bindEnd(v, values[0])
}

// asks notes that the function itself asks for the items of a channel.
func (b *builder) asks(v types.Object) {
	if b.c.chans[v.(*types.Var)].taker == nil {
		b.ends = append(b.ends, b.env[b.slots[v]])
	}
}

// makeChannels builds x := make(chan T). The receiving end of what another function sends on is known when that is started.
func (b *builder) makeChannels(s *ast.AssignStmt) {
	for _, name := range s.Lhs {
		id, _ := name.(*ast.Ident)
		v, _ := b.c.info.Defs[id].(*types.Var)
		if x := b.c.chans[v]; x == nil {
			b.refuse(s, noChannelHere, "NAME")
		} else if x.sends != nil {
			end := b.f.NewValue(ir.End, v.Name())
			i := b.emit(ir.Open)
			i.Channel, i.Results = b.channelOf(v), []*ir.Value{end}
			b.slots[v] = b.newSlot(v, end)
			b.owned(end, b.slots[v])
		}
	}
}

// start builds a go statement.
func (b *builder) start(s *ast.GoStmt) {
	f := b.c.callee(s.Call)
	if f == nil || b.initing || !b.c.streams(f.decl.Type) {
		b.refuse(s, "go starts functions of the program that have a channel among their arguments; other calls that do not need each other's results run in parallel by themselves")
	}
	args := b.callArgs(s.Call, f)
	i := b.emit(ir.Start, args...)
	i.Callee, b.x.sites[i] = b.x.formed(f), s.Call
	for _, o := range f.outs {
		end := b.f.NewValue(ir.End, "")
		i.Results = append(i.Results, end)
		v := b.c.named(s.Call.Args[o.index])
		if v == nil {
			b.refuse(s.Call.Args[o.index], "a channel is a variable")
		}
		b.bindEnd(v, end)
	}
}

// send builds x <- value.
func (b *builder) send(s *ast.SendStmt) {
	values := b.words(s.Value)
	v := b.c.named(s.Chan)
	switch {
	case v == nil:
		b.refuse(s.Chan, "a channel is a variable")
	case b.channels[v] == nil:
		b.refuse(s, "the channel %s is not open for sending here", v.Name())
	}
	b.emit(ir.Send, slices.Concat(values, b.ends)...).Channel = b.channels[v]
}

// closeChannel builds close(x).
func (b *builder) closeChannel(x *ast.CallExpr) {
	if ch := b.closed(x); ch != nil {
		b.emit(ir.Close).Channel = ch
	}
}

// closed returns the channel that a call closes, or nil if that is no channel of this function.
func (b *builder) closed(x *ast.CallExpr) *ir.Channel {
	return b.channels[b.c.named(x.Args[0])]
}

// receive returns the words of the next item of a channel; Next gives whether there is one, too.
func (b *builder) receive(from ast.Expr, op ir.Op) []*ir.Value {
	v := b.c.named(from)
	slot, known := b.slots[v]
	if v == nil || !known {
		b.refuse(from, "this channel is not open for receiving here: a channel is a variable, and its sender has been started before")
	}
	line := b.line
	b.line = b.c.lineOf(from)
	i := b.emit(op, b.env[slot])
	i.Results = b.newValues(chanOf(v.Type()).Elem())
	if op == ir.Next {
		i.Results = append(i.Results, b.f.NewValue(ir.Bool, ""))
	}
	b.x.sources[i] = from
	b.line = line
	return i.Results
}

// rangeChannel builds a loop over the items of a channel.
func (b *builder) rangeChannel(s *ast.RangeStmt, label string) {
	var item []*ir.Value
	known := len(b.env)
	b.line = b.c.lineOf(s)
	b.loop(s, label, []ast.Node{s.Body}, nil, func() *ir.Value {
		b.mark(s)
		words := append(zeros(b.c.wordTypes(chanOf(b.typeOf(s.X)).Elem())), ir.Const(ir.Bool, 1))
		b.attempt(func() { words = b.receive(s.X, ir.Next) })
		item = words[:len(words)-1]
		return words[len(item)]
	}, func() {
		inside := len(b.env)
		b.rangeVariable(s, s.Key, item)
		b.scope(s.Body.List...)
		b.env = b.env[:inside]
	}, func() {})
	b.env = b.env[:known]
}

// endStreams closes what is to be closed at the end of the function, and asks no more.
func (b *builder) endStreams() {
	for _, ch := range b.deferred {
		b.emit(ir.Close).Channel = ch
	}
	if len(b.ends) > 0 {
		b.emit(ir.Drop, b.ends...)
	}
}
