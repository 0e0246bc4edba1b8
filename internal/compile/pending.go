package compile

import (
	"cmp"
	"strings"

	"emsim/isa"
)

// pending is a call in progress, or an item that has been requested.
type pending struct {
	dst  reg
	node *block   // where the result arrives
	form isa.Form // as which operand it arrives there
	item string   // the channel of the item, or "" for a call; a channel may have ended instead
	call string   // the call, as text; only for the first word of its result

	asked bool // requested before the other results, on every path

	rest []*pending // the other words of the result
}

// pendingIn returns a call in progress whose result goes to registers.
func pendingIn(dst []reg) *pending {
	p := &pending{dst: dst[0]}
	for _, r := range dst[1:] {
		p.rest = append(p.rest, &pending{dst: r})
	}
	return p
}

// word returns one word of the result.
func (p *pending) word(i int) *pending {
	if i == 0 {
		return p
	}
	return p.rest[i-1]
}

// describe returns in words what p waits for: a result, or an item of a channel.
func (p *pending) describe() string {
	if p.item != "" {
		return itemOf(p.item)
	}
	return "a result"
}

// describeBoth returns in words what two calls or requests wait for.
func describeBoth(a, b *pending) string {
	if a.item == "" && b.item == "" {
		return "two results"
	}
	return a.describe() + ", " + b.describe()
}

// emitTo emits an instruction with the displacement of the node where p arrives. The node may not exist yet.
func (l *lowerer) emitTo(p *pending, op opcode, args ...arg) {
	l.emit(op, append(args, arg{kind: isPending, to: p})...)
}

// await ends the strongly connected block. When all results have arrived, the code continues at the block end. If under
// is empty, it continues there at once.
func (l *lowerer) await(under []*pending, end *block) {
	wait := func(n *block, from int) {
		var what []string
		for _, p := range under[from:] {
			if p.call != "" || p.item != "" {
				what = append(what, cmp.Or(p.call, p.describe()))
			}
		}
		l.here().awaits = strings.Join(what, " and ")
		l.endBlock(n)
		l.continueAt(n)
	}
	switch len(under) {
	case 0:
	case 1:
		n := l.u.newNode("join", under[0].describe(), l.line, under[0].dst)
		under[0].node, under[0].form = n, isa.FormOne
		if under[0].item != "" {
			n.node.end = n // a channel's end is a 0
		}
		wait(n, 0)
	default:
		for i := 1; i < len(under); i++ {
			from, left, why := i, none, "the one before and "+under[i].describe()
			if i == 1 {
				left, why = under[0].dst, describeBoth(under[0], under[1])
			}
			n := l.u.newNode("join", why, l.line, left, under[i].dst)
			if i == 1 {
				from, under[0].node, under[0].form = 0, n, isa.FormLeft
			} else {
				l.send(isa.FormLeft, r0, fp, displacement(n))
			}
			under[i].node, under[i].form = n, isa.FormRight
			wait(n, from)
		}
	}
	l.jumpTo(end)
}
