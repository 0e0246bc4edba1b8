package compile

import (
	"errors"

	"emsim/packet"
)

// exec is a strongly connected block that runs.
type exec struct {
	*trial
	unit int
	id   int32
	pe   int32
	at   uint64

	spare uint64 // clocks in which the memory port was free
}

// Continuations of the host, and of a result that nobody waits for. Others name
// an instance, counted from 1, a node and a side of it; none is 0.
const (
	hostSide = 1
	nowhere  = 2
)

// contOf packs a continuation into a word.
func contOf(id int32, at place) uint64 {
	return uint64(id+1)<<8 | uint64(at.node)<<2 | uint64(at.side)
}

// segmentOf is the address of an instance's operand segment.
func segmentOf(id int32) uint64 { return uint64(id) * segmentWords }

// Bits of the address of a PE; the address where a structure memory begins, and
// the bits of an address inside of a part of it.
const (
	memberPos       = 18
	groupPos        = memberPos + 4
	structureMemory = 1 << 24
	partBits        = packet.AddrBits
)

// run runs from a block on, until the strongly connected block ends.
func (x *exec) run(block int) error {
	u := &x.units[x.unit]
	x.count.Blocks++
	for {
		b := &u.blocks[block]
		x.at += b.enter
		for i := range b.steps {
			s := &b.steps[i]
			x.at += s.clocks
			x.spare += s.spare
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
			x.at += b.end
			return nil
		case 1:
			x.at += b.way[0]
			block = b.next[0]
		default:
			way := 1 - b.cond(width, x.value(b.a), x.value(b.b))
			x.at += b.slow + b.way[way]
			block = b.next[way]
		}
	}
}

func (x *exec) value(v value) uint64 {
	switch v.reg {
	case none:
		return v.imm
	case own.reg:
		return segmentOf(x.id)
	}
	return x.regs[v.reg]
}

func (x *exec) step(s *trialStep) error {
	switch s.op {
	case doMove:
		x.regs[s.dst] = x.value(s.a)
	case doLoadWord, doStoreWord, doLoad, doStore:
		return x.memory(s)
	case doSend:
		x.toNode(int32(x.value(s.b)/segmentWords), s.at, x.value(s.a))
	case doReturn:
		x.answer(x.at-sendClocks, x.value(s.b), x.value(s.a), x.pe, s.at.side)
	case doCont:
		x.regs[s.dst] = contOf(int32(x.value(s.a)/segmentWords), s.at)
	case doOneSide:
		x.regs[s.dst] = x.value(s.a)&^3 | uint64(sideOne)
	case doSegment:
		x.regs[s.dst] = segmentOf(x.instance(s.at.unit, x.pe, x.id))
	case doCall:
		x.call(s)
	case doAsk:
		pe := x.value(s.b)
		to := x.topo.Index(packet.PE{GA: uint16(pe >> groupPos), CA: uint8(pe >> memberPos & (1<<(groupPos-memberPos) - 1))})
		x.request(int32(to), s.unit, x.value(s.a))
	case doRelease:
		x.release(x.id)
	case doGetWords:
		return x.getWords(s.dst, x.value(s.a))
	case doFreeWords:
		x.pes[x.pe].parts[(x.value(s.a)-structureMemory)>>partBits] = nil
	case doRead:
		p := x.topo.Address(int(x.pe))
		x.regs[s.dst] = map[string]uint64{"k": uint64(x.topo.K), "gapos": groupPos, "ga": uint64(p.GA), "ca": uint64(p.CA)}[s.special]
	case doOut:
		x.send(x.at-sendClocks, message{kind: hostGets, to: x.pe, data: x.value(s.a)}, x.pe)
	case doPanic:
		return errors.New("it panics")
	}
	return nil
}

// memory loads or stores.
func (x *exec) memory(s *trialStep) error {
	w := x.word(s)
	switch {
	case w == nil:
		return errors.New("it reads outside of its memory")
	case s.op == doLoad || s.op == doLoadWord:
		x.regs[s.dst] = *w
	default:
		*w = x.value(s.a)
	}
	return nil
}

// word is a word of an instance or of the PE, or nil.
func (x *exec) word(s *trialStep) *uint64 {
	at := width.Trunc(s.addr + x.value(s.b))
	list := x.mem
	switch p := &x.pes[x.pe]; {
	case s.op == doLoadWord || s.op == doStoreWord:
		list, at = x.inst[at/segmentWords].words, at%segmentWords
	case at >= structureMemory:
		at -= structureMemory
		list, at = p.parts[at>>partBits], at&(1<<partBits-1)
	case at < uint64(x.private):
		list = p.own
	}
	if at >= uint64(len(list)) {
		return nil
	}
	return &list[at]
}

// getWords takes structure memory.
func (x *exec) getWords(to reg, n uint64) error {
	p := &x.pes[x.pe]
	all, at := n, len(p.parts)
	for i, part := range p.parts {
		if all += uint64(len(part)); part == nil {
			at = i
		}
	}
	if all > uint64(x.machine.StructureWords) {
		return errors.New("a PE runs out of structure memory")
	}
	if at == len(p.parts) {
		p.parts = append(p.parts, nil)
	}
	p.parts[at] = make([]uint64, n)
	x.regs[to] = structureMemory + uint64(at)<<partBits
	x.left -= int(n)
	return nil
}

func (x *exec) toNode(id int32, at place, data uint64) {
	o := &x.inst[id]
	x.send(x.at-sendClocks, message{kind: toNode, to: o.pe, who: id, node: at, data: data}, x.pe)
}

// answer sends data through a continuation, or to the word before its node.
func (t *trial) answer(now, cont, data uint64, from int32, before uint8) {
	switch cont {
	case hostSide:
		t.send(now, message{kind: hostGets, data: data}, from)
		return
	case nowhere:
		t.send(now, message{kind: ignored, to: from}, from)
		return
	}
	id := int32(cont>>8) - 1
	o := &t.inst[id]
	at := place{unit: o.unit, node: int(cont >> 2 & (segmentWords - 1)), side: max(uint8(cont&3), before)}
	t.send(now, message{kind: toNode, to: o.pe, who: id, node: at, data: data}, from)
}

// request asks a PE for an instance, whose segment goes to a continuation.
func (x *exec) request(to int32, unit int, cont uint64) {
	x.send(x.at-sendClocks, message{kind: request, to: to, who: x.id, from: x.pe, unit: unit, data: cont}, x.pe)
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
			x.toNode(x.id, s.at, segmentOf(id))
			return
		}
		if !p.asked {
			x.ask(p)
		}
	}
	to, clocks := x.choose(p, s.which)
	x.at += clocks
	x.spare += sendSpare
	x.request(to, s.unit, contOf(x.id, s.at))
}

// ask begins a search for MLPE.
func (x *exec) ask(p *trialPE) {
	p.asked = true
	x.inject(x.at-sendClocks, message{kind: search, to: x.pe, who: x.pe, data: uint64(x.load(x.pe)), path: x.routes.round[x.pe]}, x.pe)
}
