package omega

import (
	"fmt"
	"math/bits"

	"emsim/internal/base/plural"
	"emsim/packet"
)

// Overtaken is a packet that waited in a switch, with the number of times that other packets took the place that it
// needs: the bank downstream of its output, or the PE's intake.
type Overtaken struct {
	PE     packet.PE      `json:"pe"`     // PE to which the switch belongs
	Input  int            `json:"input"`  // network input, or Own for the packet that the EXU holds
	Bank   int            `json:"bank"`   // bank of that input
	Packet packet.Packet  `json:"-"`      // the packet
	Clocks uint64         `json:"clocks"` // clocks in which it was ready and did not move
	Times  uint64         `json:"times"`  // how often another packet took the place
	By     *packet.Packet `json:"-"`      // the packet that took the place last, or nil
}

// String says where the packet waited, and which packet went before it.
func (o Overtaken) String() string {
	if o.Clocks == 0 {
		return "none"
	}
	where := "at the port"
	if o.Input != Own {
		where = fmt.Sprintf("in bank %d of the %s input", o.Bank, PortName(o.Input))
	}
	text := fmt.Sprintf("%v %s of the switch of PE %v: %s", o.Packet, where, o.PE, plural.Of(o.Clocks, "clock"))
	if o.By != nil {
		text += ", overtaken"
		if o.Times > 0 {
			text += " " + plural.Of(o.Times, "time")
		}
		text += fmt.Sprintf(", last by %v", *o.By)
	}
	return text
}

// Overtakings describes how long packets wait in switches, and how often other packets go first.
type Overtakings struct {
	Longest Overtaken `json:"longest"` // the packet that waited longest in one switch
	Most    Overtaken `json:"most"`    // the packet that was overtaken most often in one switch
}

// Starved returns the packet that was overtaken most often up to the start of clock t, and reports whether it waited so
// long that it starved.
func (n *Network) Starved(t uint64) (Overtaken, bool) {
	most := n.Overtakings(t).Most
	return most, most.Clocks >= starvedClocks
}

// overtakings is what has been counted for one unit.
type overtakings struct {
	now [slots + 1]Overtaken // the packets in its slots
	Overtakings
}

// CountOvertakings starts counting overtakings, from 0. While they are counted, every unit is evaluated in every clock.
// The counts are not part of the state.
func (n *Network) CountOvertakings() { n.passed = make([]overtakings, n.N) }

// Overtakings returns the counts up to the start of clock t, including packets that still wait. Without
// CountOvertakings it returns the zero value.
func (n *Network) Overtakings(t uint64) (sum Overtakings) {
	for i := range n.passed {
		x := n.passed[i].Overtakings
		for r := n.ready(i, t); r != 0; r &= r - 1 {
			x.add(n.waited(i, bits.TrailingZeros8(r), t))
		}
		sum.add(x.Longest)
		sum.add(x.Most)
	}
	return sum
}

// add takes a packet into account: the packet replaces Longest or Most if it exceeds them.
func (x *Overtakings) add(o Overtaken) {
	if o.Clocks > x.Longest.Clocks {
		x.Longest = o
	}
	if o.Times > x.Most.Times {
		x.Most = o
	}
}

// waited returns the packet of slot s of unit i, which has been ready until clock t, with its wait.
func (n *Network) waited(i, s int, t uint64) Overtaken {
	o, since := n.passed[i].now[s], n.pins[i].OutReady
	if s != ownSlot {
		since = n.su[i].readyAt[s]
	}
	o.PE, o.Input, o.Bank, o.Packet, o.Clocks = n.su[i].address(), s/Banks, s%Banks, *n.packetIn(i, s), t-since
	return o
}

// countOvertakings is called before the granted packets of unit i move in clock t. It takes account of how long they
// waited, and counts an overtaking for each packet that needs the same bank or intake as one of them.
func (n *Network) countOvertakings(i int, t uint64) {
	granted := n.su[i].wire.granted
	if granted == 0 {
		return
	}
	x, waiting := &n.passed[i], n.ready(i, t)&^granted
	for g := granted; g != 0; g &= g - 1 {
		s := bits.TrailingZeros8(g)
		x.add(n.waited(i, s, t))
		x.now[s] = Overtaken{}
		for w := waiting; w != 0; w &= w - 1 {
			if r := bits.TrailingZeros8(w); n.sameTarget(i, s, r) {
				x.now[r].Times++
				by := *n.packetIn(i, s)
				x.now[r].By = &by
			}
		}
	}
}

// sameTarget reports whether the packets of two slots need the same bank or intake.
func (n *Network) sameTarget(i, s, r int) bool {
	su := &n.su[i]
	if su.output[s] != su.output[r] {
		return false
	}
	if su.output[s] == Own {
		return !n.packetIn(i, s).ToHost && !n.packetIn(i, r).ToHost
	}
	return su.behind[s%Banks] == su.behind[r%Banks]
}

// starvedClocks is the number of clocks for which a packet must have been ready before reports call it starving: a
// hundred times the transit time to the farthest of 80 PEs [chosen].
const starvedClocks = 1000

// Starving lists the packets of unit i that have been ready for 1,000 clocks or more at the start of clock t, while
// others took the place that they need. The list follows from the state. The state does not say how often others took
// the place, so Times is 0.
func (n *Network) Starving(i int, t uint64) (list []Overtaken) {
	su := &n.su[i]
	for r := n.ready(i, t); r != 0; r &= r - 1 {
		s := bits.TrailingZeros8(r)
		since := n.pins[i].OutReady
		if s != ownSlot {
			since = su.readyAt[s]
		}
		by, took := n.lastThere(i, s)
		if t-since < starvedClocks || took <= since {
			continue
		}
		list = append(list, Overtaken{
			PE: su.address(), Input: s / Banks, Bank: s % Banks, Packet: *n.packetIn(i, s), Clocks: t - since, By: by,
		})
	}
	return list
}

// lastThere returns the packet that is, or was last, in the place that the packet of slot s of unit i needs. For a
// bank, clock is when that packet was sent there or, if it has already left, when it left; for the intake, it is when
// both words of that packet had come.
func (n *Network) lastThere(i, s int) (p *packet.Packet, clock uint64) {
	o := int(n.su[i].output[s])
	if o == Own {
		pins := &n.pins[i]
		return &pins.In, pins.InReady
	}
	next, slot := n.downstream(i, o, s%Banks)
	to := &n.su[next]
	if to.full>>slot&1 == 1 {
		return &to.bank[slot], max(to.readyAt[slot], n.hopClocks) - n.hopClocks
	}
	return &to.bank[slot], max(to.readyAt[slot], n.bankClocks) - n.bankClocks
}
