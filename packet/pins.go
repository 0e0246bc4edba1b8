package packet

// Pins are the wires between one PE and its switching unit. Each field has one driver, except the valid bits OutFull
// and InFull: one side sets them, the other clears them.
//
//	EXU --Out----> SU        the EMC-R has no output packet buffer: the EXU
//	                         holds Out until the SU has accepted it
//	IBU <--In----- SU        the intake register of the input buffer
//	PE  --LoadQ--> SU        for the comparison with passing MLPE packets
//
// Clock stamps (OutReady, AcceptedAt, InReady) allow either side to be evaluated first: they show each side the state
// of the pins at the clock's start.
type Pins struct {
	Out        Packet // register of the EXU; valid while OutFull
	OutReady   uint64 // clock from which the SU may arbitrate Out
	In         Packet // intake register; valid while InFull
	AcceptedAt uint64 // driven by the SU's arbiter: the last clock in which it accepted Out, or Never
	InReady    uint64 // clock from which the IBU may use In: both words are in the register
	OutFull    bool   // set by the EXU; cleared by the SU at the end of the clock in which it accepts Out
	InFull     bool   // set by the SU; cleared by the IBU
	LoadQ      uint8  // load register of the PE, 0..F [003 fig. 3]
}

// Never is a clock that is never reached.
const Never = ^uint64(0)

// NewPins returns pins without packets.
func NewPins() Pins { return Pins{AcceptedAt: Never} }

// OutFreeQ reports whether Out was free at the start of clock t, so that the EXU may send. In this clock the SU may
// already have accepted a packet.
func (p *Pins) OutFreeQ(t uint64) bool {
	return !p.OutFull && (p.AcceptedAt < t || p.AcceptedAt == Never)
}
