package emcr

import (
	"emsim/internal/state"
	"emsim/isa"
	"emsim/packet"
	"emsim/trace"
)

// exuState is what the EXU does next.
type exuState uint8

const (
	exuIdle   exuState = iota // waits for a node that can fire
	exuRun                    // fetches the instruction at pc
	exuMemory                 // wants the memory for its instruction, left more clocks
	exuBusy                   // works left more clocks without memory
	exuPort                   // wants to put out a packet and there is no room: the host's stands on the port, or the output buffer is full
	exuOut                    // holds a packet on Out until the switch takes it
)

// exu is the execution unit: it runs strongly connected blocks on a register
// file that does not survive them. Other packets cannot interrupt a block; the
// IBU may take the memory port from it.
type exu struct {
	reg   [isa.Registers]uint64
	state exuState
	left  uint8  // clocks to go in exuMemory, exuBusy
	end   bool   // the block ends with the instruction in progress
	found bool   // the block was started by an MLPE packet or an Answer; kept only with Answers
	pc    uint32 // the instruction to fetch next
	now   uint32 // the instruction in progress
}

// exuClock advances the EXU, and the output buffer behind it, and reports
// whether the EXU did anything.
func (p *PE) exuClock(w *wires, t uint64) bool {
	moved := p.execute(w, t)
	if p.out.count > 0 {
		p.drain(t)
	}
	return moved
}

// execute acts on the EXU's verdict.
func (p *PE) execute(w *wires, t uint64) bool {
	e := &p.exu
	if w.fire {
		f := &p.fmu
		e.reg = [isa.Registers]uint64{}
		e.reg[isa.R1], e.reg[isa.R2], e.reg[isa.FP] = f.left, f.right, f.fp
		e.pc = f.pc
		e.found = p.cfg.Answers && f.pkt.Kind != packet.Data
		p.Blocks++
	}
	if w.exu != trace.Run {
		if w.exu == trace.WaitPort {
			e.state = exuPort
		}
		return false
	}
	switch e.state {
	case exuIdle, exuRun, exuPort:
		return p.fetch(t)
	case exuMemory:
		if e.left--; e.left == 0 {
			p.finishMemory(t)
			e.done()
		}
	case exuBusy:
		if e.left--; e.left == 0 {
			e.done()
		}
	case exuOut:
		e.done()
	}
	return true
}

// waits reports whether the EXU holds a packet that the switch has not taken,
// or for which there is no room.
func (e *exu) waits() bool { return e.state == exuOut || e.state == exuPort }

// done goes on behind the instruction in progress.
func (e *exu) done() {
	e.state = exuRun
	if e.end {
		e.state = exuIdle
	}
}

// fetch reads an instruction and begins it: the one clock that every
// instruction takes. What needs the memory again is done in its last clock.
func (p *PE) fetch(t uint64) bool {
	e := &p.exu
	if int(e.pc) >= len(p.image.code) || !p.image.code[e.pc].ok {
		p.failAt(t, e.pc, ProgramError, "there is no instruction here; does a block lack its end mark (!), or a packet address the wrong node?")
		return false
	}
	in := &p.image.code[e.pc]
	p.Instructions++
	e.now = e.pc
	e.pc++
	e.end = in.End
	a, b := e.operands(in)
	next := exuRun
	switch in.class {
	case isa.ClassALU:
		e.set(in.D, p.word.Trunc(in.eval(p.word, a, b)))
	case isa.ClassBranch:
		if in.eval(p.word, a, b) == 1 {
			e.pc, e.end = uint32(in.Imm), false
		}
	case isa.ClassCont:
		e.set(in.D, p.continuation(in, a))
	case isa.ClassSend:
		p.send(t, in, a, b)
		next = exuOut
	case isa.ClassSpecial:
		p.special(t, in, a)
	}
	switch {
	case in.mem > 0:
		e.state, e.left = exuMemory, in.mem
	case in.extra > 0:
		e.state, e.left = exuBusy, in.extra
	case next == exuOut && p.cfg.OutPackets > 0:
		e.state, e.left = exuBusy, 1 // the second word, into the buffer
	case next == exuOut:
		e.state = exuOut
	default:
		e.done()
	}
	return true
}

// operands reads the two operands of an instruction.
func (e *exu) operands(in *op) (a, b uint64) {
	if in.Lit {
		return e.reg[in.A], in.lit
	}
	return e.reg[in.A], e.reg[in.B]
}

// set writes a register; r0 stays 0.
func (e *exu) set(r uint8, v uint64) {
	if r != isa.R0 {
		e.reg[r] = v
	}
}

func (e *exu) stateWalk(c *state.Codec) {
	state.Nums(c, e.reg[:])
	state.Num(c, &e.state)
	state.Num(c, &e.left)
	state.Bool(c, &e.end)
	state.Bool(c, &e.found)
	state.Num(c, &e.pc)
	state.Num(c, &e.now)
}
