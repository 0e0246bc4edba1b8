package ibu

import "emsim/packet"

// What the scheduler of a PE asks of its input buffer (emcr/lazy.go).

// AtRest reports whether the buffer does nothing until a packet comes or the FMU
// takes one.
func (u *IBU) AtRest() bool {
	return u.transfer == None && (u.mibCount == 0 || u.fifoCount > 0 && !u.bursting)
}

// HasRoom reports whether the FIFO is enough: whether or not a packet comes, the
// buffer does not request the memory port.
func (u *IBU) HasRoom() bool {
	return u.mibCount == 0 && u.fifoCount < u.fifoCap && u.transfer == None
}

// TakeIn takes the packet in the intake into the FIFO. It equals a Step of a buffer
// that HasRoom, to which a packet has come, without urgent packets.
func (u *IBU) TakeIn(pins *packet.Pins) {
	u.pushFIFO(&pins.In)
	pins.InFull = false
}

// CommittedClocks returns the number of clocks for which the buffer will request
// the memory port whatever happens: for the due refill and for the transfer
// that has begun.
func (u *IBU) CommittedClocks() uint64 {
	clocks := 0
	if u.mibCount > 0 && (u.fifoCount == 0 || u.bursting) {
		n := 1
		if u.burstRefill {
			n = min(u.mibCount, u.fifoCap-u.fifoCount)
		}
		clocks = 2 * n
	}
	switch u.transfer {
	case Refill:
		clocks--
	case Spill:
		clocks++
	}
	return uint64(clocks)
}

// EmptiesIntake returns the first clock at whose start the intake can be empty
// again, for a packet that is in it and a buffer at the start of clock t. The
// packet may come later than that clock (InReady), but no other one before it.
func (u *IBU) EmptiesIntake(pins *packet.Pins, t uint64) uint64 {
	if u.transfer == Spill {
		return t + 1
	}
	if u.urgent.level != 0 || pins.In.FillsPrefetch() {
		return max(t, pins.InReady) + 1
	}
	refills := 0 // those that go before a spill, whatever happens
	if u.refillFirst && u.mibCount > 0 && (u.fifoCount == 0 || u.bursting) || u.transfer == Refill {
		refills = 1
		if u.burstRefill && u.refillFirst {
			refills = min(u.mibCount, u.fifoCap-u.fifoCount)
		}
		t += uint64(2 * refills)
		if u.transfer == Refill {
			t--
		}
	}
	spillQ := u.mibCount > refills || u.fifoCount == u.fifoCap
	if spillQ && pins.InReady <= t {
		return t + PacketWords // a full FIFO that loses a packet in clock t takes this one in the next
	}
	return max(t, pins.InReady) + 1
}

// Pop removes the packet that Head returns. It equals a Step with a pop of a
// buffer at rest to which no packet comes.
func (u *IBU) Pop() { u.pop() }

// StepTransfer simulates clocks t and t+1 if a transfer begins in clock t, and
// reports whether one does. It equals two Steps with the memory port and without
// a pop.
func (u *IBU) StepTransfer(pins *packet.Pins, t uint64) bool {
	if u.transfer != None || u.urgent.level != 0 && pins.InFull {
		return false
	}
	o := u.nextOp(u.arrivedQ(pins, t))
	if !o.UsesMemory() {
		return false
	}
	u.firstWord(o)
	u.secondWord(pins)
	return true
}
