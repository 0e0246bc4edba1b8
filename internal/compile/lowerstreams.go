package compile

import (
	"go/ast"
	"go/types"
	"slices"

	"emsim/internal/base/lists"
	"emsim/internal/compile/ir"
	"emsim/internal/compile/panics"
	"emsim/isa"
)

// streams lowers an operation on streams, except Receive and Next.
func (x *former) streams(i *ir.Instr) {
	x.line = i.Line
	switch i.Op {
	case ir.Open:
		x.open(i)
	case ir.Start:
		x.start(i)
	case ir.Send:
		x.sendItem(i)
	case ir.Close:
		x.token(x.outletOf(i), 0)
	case ir.Leave:
		o := x.outletOf(i)
		o.left = true
		x.token(o, siteLeft)
	case ir.Drop:
		x.askNoMore(x.heldEnds(i.Args))
	}
}

// endOf returns the register of a receiving end.
func (x *former) endOf(v *ir.Value) reg { return x.operand(v).r }

// heldEnds returns the receiving ends that the values are or may be.
func (x *former) heldEnds(values []*ir.Value) (held []heldEnd) {
	for _, v := range values {
		if state, varies := x.ends[v]; !varies || state&ir.MayBeOpen != 0 {
			held = append(held, heldEnd{x.endOf(v), state&ir.MayBeNone != 0})
		}
	}
	return held
}

// outletOf returns the outlet of the channel on which an instruction sends.
func (x *former) outletOf(i *ir.Instr) *outlet { return x.outlet(x.x.senders[i.Channel]) }

// open makes a channel on which the function itself sends.
func (x *former) open(i *ir.Instr) {
	obj := x.x.senders[i.Channel].(*types.Var)
	more := constOf(2)
	if x.lowerer.open != "" {
		more = x.binaryOp(isa.ADD, x.computed(isa.LD, fp, x.openWord()), constOf(1))
	}
	x.emit(isa.ST, x.registerArg(more), fp, x.openWord())
	node := x.newOutlet(x.c.chans[obj]).node
	x.cont(isa.FormRight, def(x.register(i.Results[0])), fp, displacement(node))
}

// start lowers a go statement. The receiving ends of the channels on which the started function sends are known when
// its segment is known.
func (x *former) start(i *ir.Instr) {
	f := x.c.callee(x.x.sites[i])
	args := x.argsOf(i, nil)
	x.cutBlock("before a call", false)
	connect := func(seg reg) {
		for n, o := range f.outs {
			x.cont(isa.FormRight, def(x.register(i.Results[n])), use(seg), wordArg(x.c.requestNode(f, o.v)))
		}
	}
	var got *block
	then := func() { got = x.cur }
	switch {
	case f.place == "own":
		connect(x.issue(f, args, nil, 0, nil))
		return
	case f.place == "policy" && slices.Contains(f.many, x.x.sites[i]):
		x.issueOn(x.nextPE(), f, args, nil, 0, then)
	default:
		if x.isLink(f) {
			x.byBit = &args[0]
		}
		x.issue(f, args, nil, 0, then)
		x.byBit = nil
	}
	x.endBlock(got)
	x.continueAt(got)
	connect(got.in[0])
}

// sendItem lowers a send. It waits for an item request for each word of the item.
func (x *former) sendItem(i *ir.Instr) {
	o, n := x.outletOf(i), i.Channel.Words
	ends := x.heldEnds(i.Args[n:])
	for _, v := range lists.Of(i.Args[:n], x.operand) {
		if v.lit {
			r := x.fresh(i.Channel.Name)
			x.moveInto(r, v)
			v = inReg(r)
		}
		after := x.block()
		o.after, o.items, o.ins = append(o.after, after), append(o.items, v.r), append(o.ins, ends)
		x.token(o, int64(len(o.after)))
		x.u.awaits = append(x.u.awaits, awaiting{site: panics.SendSite(o.node.node.name, len(o.after)), line: x.line})
		x.endBlock(o.node)
		x.continueAt(after)
	}
}

// receiveStep returns the step of a group that receives an item.
func (x *former) receiveStep(i *ir.Instr) step {
	s := step{at: x.x.sources[i], item: sourceText(x.x.sources[i]), from: func() reg { return x.endOf(i.Args[0]) }}
	for _, v := range i.Results {
		s.dst = append(s.dst, x.register(v))
	}
	return s
}

func sourceText(from ast.Expr) string { return types.ExprString(ast.Unparen(from)) }

// next lowers a receive that also says whether there is an item. rest and exit are what follows it.
func (x *former) next(i *ir.Instr, rest []ir.Node, exit *ir.Exit) {
	x.line = i.Line
	last := len(i.Results) - 1
	ok, ch, name := i.Results[last], x.endOf(i.Args[0]), sourceText(x.x.sources[i])
	words := lists.Of(i.Results[:last], x.register)
	item, got, end := x.receiveFrom(ch, itemOf(name))
	x.continueAt(got)
	x.moveInto(words[0], inReg(item))
	x.receiveRest(ch, name, words)
	if x.uses[ok] == 1 && ok.Name == "" {
		if yes, no := x.decision(ok, rest, exit); yes != nil {
			x.jumpTo(yes)
			x.continueAt(end)
			x.jumpTo(no)
			return
		}
	}
	is, done := x.register(ok), x.block()
	x.moveInto(is, constOf(1))
	x.jumpTo(done)
	x.continueAt(end)
	for _, r := range append(words, is) {
		x.moveInto(r, constOf(0))
	}
	x.goInto(done)
}
