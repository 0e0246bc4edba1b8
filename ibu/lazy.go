package ibu

import "emsim/packet"

// The methods in this file are called by the PE's scheduler (emcr/lazy.go).

// AtRest reports whether the buffer does nothing until a packet arrives or the FMU takes a packet.
func (u *IBU) AtRest() bool {
	return u.transfer == None && (u.mibCount == 0 || u.fifoCount > 0 && !u.bursting)
}

// CanTakeIn reports whether the FIFO is not full and the MIB is empty, so that the buffer does not request the memory
// port, whether or not a packet arrives.
func (u *IBU) CanTakeIn() bool {
	return u.mibCount == 0 && u.fifoCount < u.fifoCap && u.transfer == None
}

// TakeIn moves the packet in the intake to the FIFO. It is equivalent to a Step if CanTakeIn, a packet has arrived, and
// there are no urgent packets.
func (u *IBU) TakeIn(pins *packet.Pins) {
	u.pushFIFO(&pins.In)
	pins.InFull = false
}

// CommittedClocks returns the number of clocks for which the buffer will certainly request the memory port: the clocks
// of the due refill, and of a transfer that has begun.
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

// EmptiesIntake returns the first clock at whose start the intake can be empty again. It applies to a packet in the
// intake, and to a buffer at the start of clock t. The packet may be usable only after that clock (InReady), but no
// other packet arrives before it.
func (u *IBU) EmptiesIntake(pins *packet.Pins, t uint64) uint64 {
	if u.transfer == Spill {
		return t + 1
	}
	if u.urgent.level != 0 || pins.In.FillsPrefetch() {
		return max(t, pins.InReady) + 1
	}
	refills := 0 // refills that certainly go before a spill
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
		return t + PacketWords // two clocks of a spill; or the FMU frees a slot in t, and the packet enters in t+1
	}
	return max(t, pins.InReady) + 1
}

// Pop removes the packet that Head returns. It is equivalent to a Step with pop, if the buffer is at rest and no packet
// arrives.
func (u *IBU) Pop() { u.pop() }

// StepTransfer simulates clocks t and t+1 if a transfer begins in clock t, and reports whether one does. It is
// equivalent to two Steps with the memory port and without pop.
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
