package compile

import "errors"

// exec is a strongly connected block that runs.
type exec struct {
	*trial
	unit int
	id   int32
	pe   int32
	at   uint64
}

// hostSide is the continuation of the answer; others name an instance and a node.
const hostSide = 1 << 62

// run runs from a block on, until the strongly connected block ends.
func (x *exec) run(block int) error {
	u := &x.units[x.unit]
	x.count.Blocks++
	for {
		b := &u.blocks[block]
		for i := range b.steps {
			s := &b.steps[i]
			x.at += s.clocks
			if s.op == doEval {
				x.regs[s.dst] = width.Trunc(s.eval(width, x.value(s.a), x.value(s.b)))
			} else if err := x.step(s); err != nil {
				return err
			}
		}
		if x.left -= len(b.steps) + 1; x.left < 0 {
			return errSize
		}
		switch len(b.next) {
		case 0:
			return nil
		case 1:
			block = b.next[0]
		default:
			x.at += b.slow
			if block = b.next[1]; b.cond(width, x.value(b.a), x.value(b.b)) == 1 {
				block = b.next[0]
			}
		}
	}
}

func (x *exec) value(v value) uint64 {
	switch v.reg {
	case none:
		return v.imm
	case own.reg:
		return uint64(x.id)
	}
	return x.regs[v.reg]
}

func (x *exec) step(s *trialStep) error {
	switch s.op {
	case doMove:
		x.regs[s.dst] = x.value(s.a)
	case doLoadWord:
		x.regs[s.dst] = *x.word(s.addr)
	case doStoreWord:
		*x.word(s.addr) = x.value(s.a)
	case doLoad, doStore:
		at := s.addr + width.Trunc(x.value(s.b))
		if at >= uint64(len(x.mem)) {
			return errors.New("it reads outside of its tables")
		}
		if s.op == doStore {
			x.mem[at] = x.value(s.a)
			return nil
		}
		x.regs[s.dst] = x.mem[at]
	case doSend:
		x.toNode(int32(x.value(s.b)), s.at, x.value(s.a))
	case doReturn:
		x.giveBack(x.value(s.b), x.value(s.a))
	case doCont:
		x.regs[s.dst] = contOf(x.id, s.at)
	case doSegment:
		x.regs[s.dst] = uint64(x.instance(s.at.unit, x.pe, x.id))
	case doCall:
		x.call(s)
	case doRelease:
		x.release(x.id)
	case doSize:
		x.regs[s.dst] = uint64(x.topo.K)
	case doOut:
		x.send(x.at, message{kind: hostGets, to: x.pe, data: x.value(s.a)}, x.pe)
	case doPanic:
		return errors.New("it panics")
	}
	return nil
}

// word is a word of the instance, or of the PE in system code.
func (x *exec) word(at uint64) *uint64 { return &x.inst[x.id].words[at] }

// contOf packs a continuation into a register.
func contOf(id int32, at place) uint64 {
	if at.unit < 0 {
		return hostSide
	}
	c := uint64(id)<<24 | uint64(at.block)<<1
	if at.right {
		c |= 1
	}
	return c
}

func (x *exec) toNode(id int32, at place, data uint64) {
	o := &x.inst[id]
	x.at += x.send(x.at, message{kind: toNode, to: o.pe, who: id, node: at, data: data}, x.pe)
}

func (x *exec) giveBack(cont, data uint64) {
	if cont == hostSide {
		x.send(x.at, message{kind: hostGets, data: data}, x.pe)
		return
	}
	id := int32(cont >> 24)
	x.toNode(id, place{unit: x.inst[id].unit, block: int(cont >> 1 & (1<<23 - 1)), right: cont&1 == 1}, data)
}

// call asks for an instance.
func (x *exec) call(s *trialStep) {
	p := &x.pes[x.pe]
	if s.mlpe && x.mlpe && s.which == 1 {
		x.at += searchClocks
		if n := len(p.ready); n > 0 {
			id := p.ready[0]
			p.ready = p.ready[1:]
			x.inst[id].caller, x.inst[id].depth = x.id, x.inst[x.id].depth+1
			x.ask(p)
			x.toNode(x.id, s.at, uint64(id))
			return
		}
		if !p.asked {
			x.ask(p)
		}
	}
	to, clocks := x.choose(p, s.which)
	x.at += clocks
	x.at += x.send(x.at, message{kind: request, to: to, who: x.id, from: x.pe, call: s}, x.pe)
}

// ask begins a search for MLPE.
func (x *exec) ask(p *trialPE) {
	p.asked = true
	x.seq++
	m := message{at: x.at + injectClocks, seq: x.seq, kind: search, to: x.pe, who: x.pe, data: uint64(x.load(x.pe, x.at)), path: x.routes.round[x.pe]}
	x.queue.put(m)
}
