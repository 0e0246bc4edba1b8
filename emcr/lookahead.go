package emcr

import "emsim/isa"

// This file computes, once when a program is loaded, for how many clocks the program is certain not to send. Only
// the deadlines of Lazy use the results. Distances of 0 would be safe, but PEs would be simulated more often than
// necessary.

// MeasureDistances computes the distances of every instruction: the fewest clocks to the first instruction that can
// send, and to the end of the block.
func (m *Image) MeasureDistances() {
	for i := range m.code {
		if m.code[i].ok {
			m.code[i].toSend, m.code[i].toEnd = maxLookahead, maxLookahead
		}
	}
	for changed := true; changed; {
		changed = false
		for i := range m.code {
			if !m.code[i].ok {
				continue
			}
			in := &m.code[i]
			if send, end := m.distancesFrom(uint32(i)); send < in.toSend || end < in.toEnd {
				in.toSend, in.toEnd, changed = send, end, true
			}
		}
	}
}

// distancesFrom computes the distances of one instruction from the distances of its
// successors.
func (m *Image) distancesFrom(pc uint32) (send, end uint8) {
	in := &m.code[pc]
	if in.End {
		send, end = maxLookahead, 0
	} else {
		send, end = m.distances(pc + 1)
	}
	if in.class == isa.ClassBranch {
		s, e := m.distances(uint32(in.Imm))
		send, end = min(send, s), min(end, e)
	}
	clocks := 1 + in.mem + in.extra
	send, end = min(maxLookahead, send+clocks), min(maxLookahead, end+clocks)
	if in.class == isa.ClassSend {
		send = 0
	}
	return send, end
}

// distances returns the distances of the instruction at pc that have been computed so far.
func (m *Image) distances(pc uint32) (send, end uint8) {
	if int(pc) >= len(m.code) {
		return 0, 0
	}
	return m.code[pc].toSend, m.code[pc].toEnd
}

// clocksToSend returns the fewest clocks from the fetch of the instruction at pc to the fetch of an instruction that
// can send. That instruction is in this block, or in a later block that can send no earlier than `next` clocks after
// the end of this one.
func (m *Image) clocksToSend(pc uint32, next uint64) uint64 {
	send, end := m.distances(pc)
	return min(uint64(send), uint64(end)+next)
}
