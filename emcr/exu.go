package emcr

import (
	"emsim/internal/base/state"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// exuState is a state of the EXU's state machine.
type exuState uint8

const (
	exuIdle    exuState = iota // waits for a node from the FMU
	exuFetch                   // fetches the instruction at pc
	exuMemory                  // needs the memory for clocksLeft more clocks of its instruction
	exuBusy                    // works for clocksLeft more clocks without the memory
	exuOutFull                 // cannot begin a send: the host's packet is on the port, or the output buffer is full
	exuHold                    // holds its packet on the port until the switch accepts it
)

// exu is the execution unit. "When the data are complete, the EXU executes"
// [003 §2]: it runs the strongly connected block of a fired node from its first
// instruction to its end mark, on a register file that is cleared before every
// block. No other packet interrupts a block; the IBU may take the memory port.
type exu struct {
	state       exuState
	clocksLeft  uint8  // in exuMemory and exuBusy
	lastInBlock bool   // the block ends with the current instruction
	bySearch    bool   // an MLPE packet or an Answer started the block; only with MarkAnswers
	pc          uint32 // instruction to fetch next
	current     uint32 // instruction in progress
	reg         [isa.Registers]uint64
}

// stepEXU simulates one clock of the EXU, and then of the output packet buffer. It reports whether the EXU did
// anything.
func (p *PE) stepEXU(w *wires, t uint64) bool {
	moved := p.execute(w, t)
	if p.out.count > 0 {
		p.drain(t)
	}
	return moved
}

// execute carries out the EXU's decision for clock t, as given in w, and reports whether the EXU did anything.
func (p *PE) execute(w *wires, t uint64) bool {
	e := &p.exu
	if w.fire {
		p.takeNode()
	}
	if w.exu != trace.Run {
		if w.exu == trace.WaitPort {
			e.state = exuOutFull
		}
		return false
	}
	switch e.state {
	case exuIdle, exuFetch, exuOutFull:
		return p.fetch(t)
	case exuMemory:
		if e.clocksLeft--; e.clocksLeft == 0 {
			p.finishMemory(t)
			e.retire()
		}
	case exuBusy:
		if e.clocksLeft--; e.clocksLeft == 0 {
			p.finishBusy()
			e.retire()
		}
	case exuHold:
		e.retire()
	}
	return true
}

// takeNode takes the node that the FMU offers, and begins the node's block.
func (p *PE) takeNode() {
	e, f := &p.exu, &p.fmu
	e.reg = [isa.Registers]uint64{}
	e.reg[isa.R1], e.reg[isa.R2], e.reg[isa.FP] = f.left, f.right, f.fp
	e.pc = f.pc
	e.bySearch = p.cfg.MarkAnswers && f.pkt.Kind != packet.Data
	p.Blocks++
}

// blocked reports whether the EXU holds a packet that the switch has not accepted, or has no free place for its next
// packet. The EMC-R has no output packet buffer [EM-4 papers' abstracts].
func (e *exu) blocked() bool { return e.state == exuHold || e.state == exuOutFull }

// retire ends the current instruction.
func (e *exu) retire() {
	e.state = exuFetch
	if e.lastInBlock {
		e.state = exuIdle
	}
}

// fetch simulates the clock in which an instruction is read from memory and begins. Every instruction takes this clock;
// an instruction that takes more clocks is completed in the last of them. If there is no instruction, fetch records a
// fault and returns false.
func (p *PE) fetch(t uint64) bool {
	e := &p.exu
	if int(e.pc) >= len(p.image.code) || !p.image.code[e.pc].ok {
		p.failAt(t, e.pc, ProgramError, "there is no instruction here; does a block lack its end mark (!), or a "+
			"packet address the wrong node?")
		if e.state == exuIdle { // the first instruction: the packet that started the block led here
			p.fault.notePacket(p, &p.fmu.pkt)
		}
		return false
	}
	p.begin(&p.image.code[e.pc], t)
	return true
}

// begin begins an instruction. The caller has checked that it can begin.
func (p *PE) begin(in *op, t uint64) {
	e := &p.exu
	p.Instructions++
	e.current = e.pc
	e.pc++
	e.lastInBlock = in.End
	a, b := e.operands(in)
	stateD := exuFetch
	switch in.class {
	case isa.ClassALU, isa.ClassBranch:
		if in.extra == 0 {
			p.evaluate(in, a, b)
		}
	case isa.ClassCont:
		e.setRegister(in.D, p.cfg.Format.Payload(p.continuation(in, a)))
	case isa.ClassSend:
		p.send(t, in, a, b)
		stateD = exuHold
	case isa.ClassSpecial:
		p.special(t, in, a)
	case isa.ClassConstant:
		e.setRegister(in.D, p.image.constantOf(p.index, in))
	}
	switch {
	case in.mem > 0:
		e.state, e.clocksLeft = exuMemory, p.accesses(in)
	case in.extra > 0:
		e.state, e.clocksLeft = exuBusy, in.extra
	case stateD == exuHold && p.cfg.OutPackets > 0:
		e.state, e.clocksLeft = exuBusy, 1 // the second word goes into the buffer
	case stateD == exuHold:
		e.state = exuHold
	default:
		e.retire()
	}
}

// accesses returns the number of clocks for which an instruction uses the memory after its fetch.
func (p *PE) accesses(in *op) uint8 {
	if in.Op == isa.GETSEG {
		return uint8(p.cfg.GetsegClocks - 1)
	}
	return in.mem
}

// evaluate writes the result of a pure instruction, or takes its branch if the condition is true.
func (p *PE) evaluate(in *op, a, b uint64) {
	e := &p.exu
	r := in.eval(p.width, a, b)
	if in.class == isa.ClassALU {
		e.setRegister(in.D, p.width.Trunc(r))
	} else if r == 1 {
		e.pc, e.lastInBlock = uint32(in.Imm), false
	}
}

// finishBusy does the last clock of an instruction that takes several clocks without the memory. The result is
// available only now, as in a divider that produces one bit per clock.
func (p *PE) finishBusy() {
	in := &p.image.code[p.exu.current]
	if in.eval == nil {
		return // it was a send into the output packet buffer
	}
	a, b := p.exu.operands(in)
	p.evaluate(in, a, b)
}

// operands reads an instruction's two operands.
func (e *exu) operands(in *op) (a, b uint64) {
	if in.Lit {
		return e.reg[in.A], in.lit
	}
	return e.reg[in.A], e.reg[in.B]
}

// setRegister writes a register, except r0, which stays 0.
func (e *exu) setRegister(r uint8, v uint64) {
	if r != isa.R0 {
		e.reg[r] = v
	}
}

func (e *exu) stateWalk(c *state.Codec) {
	state.Nums(c, e.reg[:])
	state.Num(c, &e.state)
	state.Num(c, &e.clocksLeft)
	state.Bool(c, &e.lastInBlock)
	state.Bool(c, &e.bySearch)
	state.Num(c, &e.pc)
	state.Num(c, &e.current)
}
