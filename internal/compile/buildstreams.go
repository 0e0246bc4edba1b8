package compile

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"emsim/internal/compile/ir"
)

// The receiving end of a channel is a value, which belongs to one variable at a time. A variable without an end has one
// of two constants: unstarted, if no sender has been started yet, or handedOn, if the end is gone. The sending end
// needs no value, because each variable on which a function sends stands for a single channel.

// endUse is a place where a variable must have a receiving end.
type endUse struct {
	at    ast.Node
	v     *types.Var
	value *ir.Value
}

// channelOf returns the channel of a variable on which the function sends.
func (b *builder) channelOf(v types.Object) *ir.Channel {
	ch := b.channels[v]
	if ch == nil {
		ch = &ir.Channel{Name: v.Name(), Words: int(b.c.wordsIn(chanOf(v.Type()).Elem()))}
		b.channels[v], b.x.senders[ch] = ch, v
		b.sends, b.shut[ch] = append(b.sends, ch), b.newSlot(b.c.chans[v.(*types.Var)].shut, b.no)
	}
	return ch
}

// declareEnds makes slots for channels that are declared inside other statements. A loop may declare such a channel
// again, and the end of the function drops its receiving end.
func (b *builder) declareEnds(f *function) {
	for _, x := range b.c.made {
		if x.by == f && x.nested {
			b.endSlot(x.obj)
		}
	}
}

// endSlot returns the slot of a variable that is a channel.
func (b *builder) endSlot(v types.Object) int {
	slot, known := b.slots[v]
	if !known {
		slot = b.newSlot(v, b.handedOn)
		b.slots[v], b.ends = slot, append(b.ends, slot)
	}
	return slot
}

// setEnd gives a variable another receiving end, or takes its end away. It drops the old end.
func (b *builder) setEnd(v types.Object, end *ir.Value) {
	slot := b.endSlot(v)
	if old := b.env[slot]; !old.Constant && old != end {
		b.emit(ir.Drop, old)
	}
	if b.env[slot] = end; !end.Constant {
		if end.Name == "" {
			end.Name = v.Name()
		}
		b.owned(end, slot)
	}
}

// endOf returns the receiving end that a variable has.
func (b *builder) endOf(at ast.Expr) *ir.Value {
	v, _ := b.c.objectOf(at).(*types.Var)
	slot, known := b.slots[v]
	if v == nil || !known {
		if b.c.chans[v] != nil && b.c.failed() { // the declaration has been refused
			panic(mistake{})
		}
		b.refuse(at, channelPlace)
	}
	end := b.env[slot]
	switch use := (endUse{at, v, end}); {
	case end.Constant:
		b.noEnd(use)
		panic(mistake{})
	case !b.unreached:
		b.used = append(b.used, use)
	}
	return end
}

// checkEnds refuses uses of receiving ends that may be missing: handed on before, or without a sender.
func (b *builder) checkEnds() {
	if len(b.used) == 0 || b.c.failed() {
		return
	}
	states := b.f.EndStates()
	for _, use := range b.used {
		if states[use.value]&ir.MayBeNone != 0 {
			b.noEnd(use)
		}
	}
}

// noEnd reports that a channel variable may have no receiving end where it is used. It reports each channel once.
func (b *builder) noEnd(use endUse) {
	name, x := use.v.Name(), b.c.chans[use.v]
	if x.refused {
		return
	}
	x.refused = true
	i := slices.IndexFunc(x.given, func(at ast.Node) bool { return at != use.at })
	switch {
	case i >= 0:
		b.c.reject(use.at, receivers, name, b.c.lineName(b.c.lineOf(x.given[i])))
	case use.value == b.unstarted || len(x.given) == 0:
		b.c.reject(use.at, noSender, name)
	default:
		b.c.reject(use.at, receivers, name, "every iteration of the loop")
	}
}

// makeChannels builds x := make(chan T). If another function sends on the channel, its receiving end is known when that
// function is started.
func (b *builder) makeChannels(s *ast.AssignStmt) {
	for _, name := range s.Lhs {
		id, _ := name.(*ast.Ident)
		v, _ := b.c.info.ObjectOf(id).(*types.Var)
		x := b.c.chans[v]
		switch {
		case x == nil:
			b.refuse(s, channelPlace)
		case x.sends != nil:
			end := b.f.NewValue(ir.End, v.Name())
			i := b.emit(ir.Open)
			i.Channel, i.Results = b.channelOf(v), []*ir.Value{end}
			b.setEnd(v, end)
		default:
			b.setEnd(v, b.unstarted)
		}
	}
}

// defineChannel gives a variable that is a channel its value.
func (b *builder) defineChannel(id *ast.Ident, end *ir.Value) {
	v := b.c.info.ObjectOf(id)
	if x, ok := v.(*types.Var); !ok || b.c.chans[x] == nil {
		b.refuse(id, channelPlace)
	}
	b.setEnd(v, end)
}

// takeEnds takes the receiving ends away from the variables on the right side of an assignment, which gives the ends to
// other variables.
func (b *builder) takeEnds(s *ast.AssignStmt) {
	taken := map[int]bool{}
	for i, e := range s.Rhs {
		if !b.c.isChannel(e) || isBlank(s.Lhs[i]) {
			continue
		}
		v := b.c.objectOf(e).(*types.Var)
		slot := b.endSlot(v)
		if taken[slot] {
			b.noEnd(endUse{e, v, b.handedOn})
			panic(mistake{})
		}
		taken[slot], b.env[slot] = true, b.handedOn
	}
}

// start builds a go statement. Each channel variable on which the started function sends gets the receiving end.
func (b *builder) start(s *ast.GoStmt) {
	f := b.c.callee(s.Call)
	if f == nil || b.initing || !b.c.streams(f.decl.Type) {
		b.refuse(s.Call, plainGo)
	}
	args := b.callArgs(s.Call, f)
	for _, o := range f.outs {
		at := s.Call.Args[o.index]
		v, _ := b.c.objectOf(at).(*types.Var)
		if v == nil {
			b.refuse(at, channelPlace)
		}
		slot, known := b.slots[v]
		if !known || b.env[slot] != b.unstarted {
			if x := b.c.chans[v]; x != nil {
				x.refused = true
			}
			b.refuse(at, senders, v.Name(), chanOf(v.Type()).Elem())
		}
		b.env[slot] = b.handedOn // refused as another argument, because the channel would have two senders
	}
	i := b.emit(ir.Start, args...)
	i.Callee, b.x.sites[i] = b.x.formed(f), s.Call
	for _, o := range f.outs {
		end := b.f.NewValue(ir.End, "")
		i.Results = append(i.Results, end)
		b.setEnd(b.c.objectOf(s.Call.Args[o.index]), end)
	}
}

// send builds x <- value.
func (b *builder) send(s *ast.SendStmt) {
	values := b.words(s.Value)
	v := b.c.objectOf(s.Chan)
	ch := b.channels[v]
	switch {
	case v == nil:
		b.refuse(s.Chan, channelPlace)
	case ch == nil:
		b.refuse(s, channelPlace)
	}
	if b.unlessShut(ch, "send", s.Arrow) {
		b.emit(ir.Send, slices.Concat(values, b.openEnds())...).Channel = ch
	}
}

// unlessShut builds a panic for the case that a channel has been closed. It reports whether the code after it is
// reachable.
func (b *builder) unlessShut(ch *ir.Channel, panics string, at token.Pos) bool {
	b.branch(b.env[b.shut[ch]], func() {
		x := b.emit(ir.Panic)
		x.Panics, x.At = panics, b.c.lineAt(at)
		b.cur = nil
	}, func() {})
	return b.cur != nil || b.unreached
}

// closeChannel builds the close of a channel.
func (b *builder) closeChannel(ch *ir.Channel, at token.Pos) {
	if ch != nil && b.unlessShut(ch, "close", at) {
		b.emit(ir.Close).Channel = ch
		b.env[b.shut[ch]] = b.yes
	}
}

// closed returns the channel that a call closes, or nil if the function does not send on it.
func (b *builder) closed(x *ast.CallExpr) *ir.Channel {
	return b.channels[b.c.objectOf(x.Args[0])]
}

// receive returns the words of the next item of a channel. With op Next, the last word says whether there is an item.
func (b *builder) receive(from ast.Expr, op ir.Op) []*ir.Value {
	end := b.endOf(from)
	line := b.line
	b.line = b.c.lineOf(from)
	i := b.emit(op, end)
	i.Results = b.newValues(chanOf(b.typeOf(from)).Elem())
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

// openEnds returns the receiving ends that the function may have, in the order in which their values were defined.
func (b *builder) openEnds() (ends []*ir.Value) {
	for _, slot := range b.ends {
		if end := b.env[slot]; !end.Constant {
			ends = append(ends, end)
		}
	}
	slices.SortFunc(ends, func(x, y *ir.Value) int { return x.ID - y.ID })
	return ends
}

// endStreams closes channels whose close is deferred, leaves channels that are still open, and drops receiving ends.
func (b *builder) endStreams(at token.Pos) {
	for _, ch := range b.deferred {
		b.closeChannel(ch, at)
	}
	for _, ch := range b.sends {
		b.branch(b.env[b.shut[ch]], func() {}, func() { b.emit(ir.Leave).Channel = ch })
	}
	if ends := b.openEnds(); len(ends) > 0 {
		b.emit(ir.Drop, ends...)
	}
}
