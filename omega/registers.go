package omega

import (
	"math/bits"

	"emsim/packet"
)

// Registers holds the contents of a switching unit's registers at the start of a clock, as hardware has them: clock
// stamps are timers that count down to 0. Package rtl compares Registers with the unit in SystemVerilog.
type Registers struct {
	Bank            [slots]BankRegisters // in-group banks 0..2, out-of-group banks 0..2
	LastBank        [2]uint8             // bank from which each network input sent last
	LastInput       [3]uint8             // input that each output served last
	Reserved        uint8                // with fair arbitration: the slot 0..6 that has or had the reservation
	Keeps           bool                 // the unit keeps a bank or intake for Reserved
	OutBusy, InBusy [3]bool              // the port sends or receives a data word in this clock
}

// BankRegisters holds the registers of one bank.
type BankRegisters struct {
	Full    bool
	Timer   uint8         // clocks until its packet may be arbitrated or, if the bank is empty, until it can be filled
	Route   uint8         // output to which its packet is routed; only if Full
	Packet  packet.Packet // only if Full
	Arrived bool          // the data word has arrived, too
}

// Registers stores in r the contents of unit i's registers at the start of the next clock t.
func (n *Network) Registers(i int, t uint64, r *Registers) {
	su := &n.su[i]
	*r = Registers{LastBank: su.lastBank, LastInput: su.lastInput, Reserved: su.last, Keeps: su.held != 0}
	for s := range r.Bank {
		r.Bank[s].Timer = uint8(max(t, su.readyAt[s]) - t)
	}
	for m := su.full; m != 0; m &= m - 1 {
		s := bits.TrailingZeros8(m)
		b := &r.Bank[s]
		b.Full, b.Route, b.Packet = true, su.output[s], su.bank[s]
		b.Arrived = t+n.hopClocks >= su.readyAt[s]+portClocks
	}
	for p := range r.OutBusy {
		r.OutBusy[p], r.InBusy[p] = su.outFreeAt[p] > t, su.inFreeAt[p] > t
	}
}
