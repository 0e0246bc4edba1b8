package ref

import (
	"emsim/isa"
	"emsim/packet"
)

// regs is the register file. Register 0 stays 0.
type regs [isa.Registers]uint64

func (r *regs) setRegister(i uint8, v uint64) {
	if i != isa.R0 {
		r[i] = v
	}
}

// block runs a strongly connected block to its end mark. Nothing interrupts a block on its PE, and PEs share no memory,
// so running a whole block at once is a valid order.
func (m *Machine) block(p *pe, pc uint32, left, right, fp uint64) error {
	m.counts.Blocks++
	var r regs
	r[isa.R1], r[isa.R2], r[isa.FP] = left, right, fp
	for {
		in, ok := m.code[pc]
		if !ok {
			return p.fault(programError, pc, "there is no instruction")
		}
		if m.counts.Instructions++; m.counts.Instructions > m.Limit {
			return p.fault(limitReached, pc, "more than %d instructions", m.Limit)
		}
		taken, err := m.instruction(p, pc, in, &r)
		switch {
		case err != nil:
			return err
		case taken:
			pc = uint32(in.Imm)
		case in.End:
			return nil
		default:
			pc++
		}
	}
}

// instruction executes one instruction and reports whether it is a taken branch.
func (m *Machine) instruction(p *pe, pc uint32, in isa.Inst, r *regs) (taken bool, err error) {
	a, b := r[in.A], r[in.B]
	if in.Lit {
		b = m.truncate(uint64(int64(in.Imm)))
	}
	addr := func(v uint64) uint32 { return m.format.Cont(v).Addr }
	offset := func(v uint64) uint32 { return uint32(int64(addr(v))+int64(in.Imm)) % (1 << packet.AddrBits) }
	switch in.Op {
	case isa.BEQ, isa.BNE, isa.BLT, isa.BLTU, isa.FBLT:
		return m.condition(in.Op, a, b), nil
	case isa.LD:
		if !m.owned(p, offset(a)) {
			return false, p.fault(programError, pc, "load from %#x, which is not the program's", offset(a))
		}
		r.setRegister(in.D, m.readWord(p, offset(a)))
	case isa.ST:
		_, code := m.code[offset(a)]
		if code || !m.owned(p, offset(a)) {
			return false, p.fault(programError, pc, "store to %#x, which is not the program's", offset(a))
		}
		p.mem[offset(a)] = b
	case isa.CONT:
		c := m.format.Cont(a)
		c.Addr = offset(a)
		switch in.Form() {
		case isa.FormOne:
			c.Match = packet.One
		case isa.FormLeft:
			c.Match = packet.Left
		case isa.FormRight:
			c.Match = packet.Right
		case isa.FormDirect:
			c.Match, c.Addr = packet.Block, uint32(in.Imm)
		}
		r.setRegister(in.D, m.format.Payload(c))
	case isa.SEND:
		return false, m.sendPacket(p, pc, in, a, b, offset(a))
	case isa.OUT:
		m.counts.Sent++
		m.bag.putPacket(lane{from: p.index, to: toHost}, message{data: b})
	case isa.MLPE:
		m.counts.Sent++
		m.counts.MLPESent++
		m.bag.putPacket(lane{from: p.index, to: p.index, round: true},
			message{addr: uint32(in.Imm), data: m.leastLoad(p), direct: true})
	case isa.GETSEG, isa.RELSEG, isa.GETSTR, isa.RELSTR:
		return false, m.storage(p, pc, in, r, addr(a), b)
	case isa.RDS:
		r.setRegister(in.D, m.truncate(m.readSpecial(p, isa.Special(in.Imm))))
	case isa.MOVPE:
		r.setRegister(in.D, m.format.Payload(packet.Cont{PE: m.near(p.at, in.Relation())}))
	case isa.WRS:
		if isa.Special(in.Imm) != isa.SpecialMLPE {
			return false, p.fault(programError, pc, "only the special register mlpe can be written")
		}
		m.prefetch(p, a)
	default:
		r.setRegister(in.D, m.arithmetic(in.Op, a, b))
	}
	return false, nil
}

// sendPacket makes a packet for the node at a continuation, or for a system
// block.
func (m *Machine) sendPacket(p *pe, pc uint32, in isa.Inst, to, data uint64, addr uint32) error {
	c := m.format.Cont(to)
	msg := message{addr: addr, data: data, match: c.Match}
	switch in.Form() {
	case isa.FormOne:
		msg.match = packet.One
	case isa.FormLeft:
		msg.match = packet.Left
	case isa.FormRight:
		msg.match = packet.Right
	case isa.FormDirect:
		msg = message{addr: uint32(in.Imm), data: data, direct: true}
	case isa.FormCont:
		if c.Match == packet.Block {
			msg.direct, msg.match = true, packet.One
		}
	}
	if int(c.PE.GA) >= 1<<m.k || int(c.PE.CA) > m.k {
		return p.fault(programError, pc, "a packet for %v: %#x is not a continuation", c.PE, to)
	}
	m.counts.Sent++
	m.bag.putPacket(lane{from: p.index, to: int(c.PE.GA)*(m.k+1) + int(c.PE.CA)}, msg)
	return nil
}

// storage executes instructions for operand segments and structure memory.
func (m *Machine) storage(p *pe, pc uint32, in isa.Inst, r *regs, addr uint32, b uint64) error {
	switch in.Op {
	case isa.GETSEG:
		base, ok := m.getSegment(p, b%(1<<packet.AddrBits))
		if !ok {
			return p.fault(segmentOverflow, pc, "all %d operand segments are in use", m.Segments)
		}
		r.setRegister(in.D, m.continuation(p, base))
	case isa.GETSTR:
		if b == 0 {
			return p.fault(programError, pc, "a structure of 0 words")
		}
		start, ok := m.getStructure(p, b)
		if !ok {
			return p.fault(structureOverflow, pc, "no run of %d words of structure memory is free", b)
		}
		r.setRegister(in.D, m.continuation(p, start))
	case isa.RELSEG:
		return m.releaseSegment(p, pc, addr)
	case isa.RELSTR:
		return m.releaseStructure(p, pc, addr)
	}
	return nil
}
