package ibu

import (
	"fmt"

	"emsim/packet"
)

// Check returns an error if the buffer's state at the start of clock t breaks an invariant, so that no sequence of
// steps can lead to it. The caller checks the packets themselves.
func (u *IBU) Check(pins *packet.Pins, t uint64) error {
	fifoFull := u.fifoCount == u.fifoCap
	switch {
	case u.transfer > Refill:
		return fmt.Errorf("the input buffer has no operation %d", u.transfer)
	case u.transfer == Spill && (!pins.InFull || pins.InReady > t || pins.In.FillsPrefetch() || u.mibCount == u.mibCap):
		return fmt.Errorf("the input buffer spills, but no packet is in the intake or the MIB is full")
	case u.transfer == Refill && (u.mibCount == 0 || fifoFull):
		return fmt.Errorf("the input buffer refills, but the MIB is empty or the FIFO is full")
	case u.bursting && (!u.burstRefill || u.mibCount == 0 || fifoFull):
		return fmt.Errorf("the input buffer refills in a burst with %d packets in the FIFO and %d in the MIB",
			u.fifoCount, u.mibCount)
	case u.FIFOPeak < uint64(u.FIFOWords()) || u.FIFOPeak > uint64(u.fifoCap*PacketWords),
		u.MIBPeak < uint64(u.MIBWords()) || u.MIBPeak > uint64(u.mibCap*PacketWords):
		return fmt.Errorf("FIFO and MIB held at most %d + %d words, but hold %d + %d", u.FIFOPeak, u.MIBPeak,
			u.FIFOWords(), u.MIBWords())
	}
	return nil
}
