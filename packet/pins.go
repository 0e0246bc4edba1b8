package packet

// Pins are the wires between one PE and its switching unit. Each field has
// one driver; the other side reads what the last clock left there.
//
//	EXU --Out--> SU          the EMC-R has no output packet buffer: the EXU
//	                         holds Out until the SU has taken it
//	IBU <--In--- SU          the intake register of the input buffer
//	PE  --Load-> SU          for the comparison with passing MLPE packets
type Pins struct {
	Out        Packet // held by the EXU; valid while OutFull
	OutReady   uint64 // clock from which the SU may arbitrate it
	In         Packet // held for the IBU; valid while InFull
	AcceptedAt uint64 // driven by the SU's arbiter: the last clock in which it took Out, Never before
	InReady    uint64 // clock from which the IBU may use In: its second word arrives then
	OutFull    bool   // set by the EXU, cleared by the SU at the end of the clock in which it takes Out
	InFull     bool   // set by the SU, cleared by the IBU
	LoadQ      uint8  // load value 0..F of the PE at the start of the clock [003 fig. 3]
}

// Never is a clock that does not come.
const Never = ^uint64(0)

// NewPins returns pins on which nothing stands.
func NewPins() Pins { return Pins{AcceptedAt: Never} }

// Free reports whether the EXU may put a packet on Out in clock t: there was
// none at the start of the clock, whichever side is evaluated first, and
// however much later the PE is.
func (p *Pins) OutFreeQ(t uint64) bool {
	return !p.OutFull && (p.AcceptedAt < t || p.AcceptedAt == Never)
}
