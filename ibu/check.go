package ibu

import (
	"fmt"

	"emsim/packet"
)

// Check says what is wrong with the state at the start of clock t, if
// anything: what is true of every buffer that got there by clocks. What its
// packets are is for the caller to look at.
func (u *IBU) Check(pins *packet.Pins, t uint64) error {
	full := u.count == u.fifoCap
	switch {
	case u.doing > Refill:
		return fmt.Errorf("the input buffer does %d", u.doing)
	case u.doing == Spill && (!pins.InFull || pins.InReady > t || u.mibCount == u.mibCap):
		return fmt.Errorf("the input buffer spills what is not there")
	case u.doing == Refill && (u.mibCount == 0 || full):
		return fmt.Errorf("the input buffer refills what is not there")
	case u.bursting && (!u.burst || u.mibCount == 0 || full):
		return fmt.Errorf("the input buffer refills in a burst with %d packets in the FIFO and %d behind it", u.count, u.mibCount)
	case u.FIFOPeak < uint64(u.FIFOWords()) || u.FIFOPeak > uint64(u.fifoCap*wordsPerPacket),
		u.MIBPeak < uint64(u.MIBWords()) || u.MIBPeak > uint64(u.mibCap*wordsPerPacket):
		return fmt.Errorf("the input buffer held at most %d + %d words and holds %d + %d", u.FIFOPeak, u.MIBPeak, u.FIFOWords(), u.MIBWords())
	}
	return nil
}
