package emcr

import "emsim/internal/base/state"

// MaxPrefetch is the largest number of prefetch registers of a PE.
const MaxPrefetch = 8

// prefetchRegisters hold what a read of the special register mlpe returns: operand segments for the next calls, oldest
// first. "The EMC-R has a special register that holds the identifier (operand segment number) of a function instance
// acquired in advance" [003 §4.1]: the EMC-R has one such register.
type prefetchRegisters struct {
	seg   [MaxPrefetch]uint64
	count uint8
}

// pop removes and returns the oldest segment. It returns 0 if the registers are empty.
func (r *prefetchRegisters) pop() uint64 {
	if r.count == 0 {
		return 0
	}
	v := r.seg[0]
	copy(r.seg[:], r.seg[1:r.count])
	r.count--
	return v
}

// push adds a segment. If all registers are full, the segment replaces the newest one. If v is 0, push empties the
// registers.
func (r *prefetchRegisters) push(v uint64, registers int) {
	if v == 0 {
		r.count = 0
		return
	}
	if int(r.count) < registers {
		r.count++
	}
	r.seg[r.count-1] = v
}

// fillPrefetch moves the packet in the intake to the prefetch register, at the end of a clock. An instruction that
// reads or writes the register in the same clock comes first: it reads the old content, and a segment that it writes is
// older than the packet.
func (p *PE) fillPrefetch() {
	p.prefetch.push(p.pins.In.Data, p.cfg.PrefetchRegisters)
	p.pins.InFull = false
	p.Consumed++
}

func (r *prefetchRegisters) stateWalk(c *state.Codec, registers int) {
	state.Num(c, &r.count)
	if int(r.count) > registers {
		c.Fail("%d of %d prefetch registers are full", r.count, registers)
		r.count = 0
	}
	state.Nums(c, r.seg[:r.count])
}
