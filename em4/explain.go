package em4

import (
	"fmt"
	"math/bits"
	"strings"

	"emsim/omega"
	"emsim/packet"
)

// Operand is one that waits in memory for its partner.
type Operand struct {
	PE           packet.PE `json:"pe"`
	Segment      uint32    `json:"segment"`      // base of the operand segment
	Displacement uint32    `json:"displacement"` // of the node
	Have         string    `json:"have"`         // left or right
	Data         uint64    `json:"data"`
}

// String says what is there and what never came.
func (o Operand) String() string {
	missing := packet.Left
	if o.Have == packet.Left.String() {
		missing = packet.Right
	}
	return fmt.Sprintf("PE %v, operand segment %#x, displacement %d: the %s operand %#x waits, the %v one never came", o.PE, o.Segment, o.Displacement, o.Have, o.Data, missing)
}

// Wait is one unit that waits for something.
type Wait struct {
	PE   packet.PE `json:"pe"`
	Unit string    `json:"unit"` // EXU, FMU, IBU, SU in-group, SU out-of-group
	For  string    `json:"for"`  // what it waits for
}

// String prints the wait in one line.
func (w Wait) String() string { return fmt.Sprintf("PE %v, %s: %s", w.PE, w.Unit, w.For) }

// Hang says who waits for what.
type Hang struct {
	InFlight int
	Waits    []Wait
	Cycle    []Wait // a closed chain of waits, each for the next one's room; empty when there is none
	Operands []Operand
	More     int // waits and operands beyond those listed
}

// String lists the waits, and the cycle when there is one.
func (h Hang) String() string {
	var b strings.Builder
	if len(h.Cycle) > 0 {
		fmt.Fprintf(&b, "  a cycle of %d waits, each for the room of the next:\n", len(h.Cycle))
		for _, w := range h.Cycle {
			fmt.Fprintf(&b, "    %v\n", w)
		}
	}
	for _, w := range h.Waits {
		fmt.Fprintf(&b, "  %v\n", w)
	}
	for _, o := range h.Operands {
		fmt.Fprintf(&b, "  %v\n", o)
	}
	if h.More > 0 {
		fmt.Fprintf(&b, "  and %d more\n", h.More)
	}
	return strings.TrimRight(b.String(), "\n")
}

func (m *Machine) deadlock() error {
	return &Deadlock{Clock: m.clock, Hang: m.Explain(maxListed)}
}

// Explain names the units that wait, at most limit of each list.
func (m *Machine) Explain(limit int) Hang {
	h := Hang{InFlight: m.InFlight()}
	add := func(w Wait) {
		if len(h.Waits) < limit {
			h.Waits = append(h.Waits, w)
		} else {
			h.More++
		}
	}
	for i := range m.pe {
		at := m.Net.Address(i)
		m.pe[i].Waits(m.clock, func(unit, what string) { add(Wait{at, unit, what}) })
		for _, b := range m.Net.Blocked(i, m.clock) {
			add(m.switchWait(b))
		}
	}
	for _, b := range m.Net.WaitCycle(m.clock) {
		h.Cycle = append(h.Cycle, m.switchWait(b))
	}
	h.Operands = m.HalfMatched(limit)
	return h
}

func (m *Machine) switchWait(b omega.Block) Wait {
	return Wait{m.Net.Address(b.Unit), "SU " + omega.PortName(b.Input), b.String()}
}

// HalfMatched lists operands that wait for their partner, at most limit.
func (m *Machine) HalfMatched(limit int) []Operand {
	list := []Operand{}
	for i := range m.pe {
		for _, w := range m.pe[i].Waiting(limit - len(list)) {
			list = append(list, Operand{m.Net.Address(i), w.Segment, w.Displacement, w.Have.String(), w.Data})
		}
	}
	return list
}

// InFlight counts the packets made and not consumed: on pins, in banks, in
// input buffers.
func (m *Machine) InFlight() int {
	n := m.Net.InFlight()
	for i := range m.pe {
		if m.pins[i].OutFull {
			n++
		}
		if m.pins[i].InFull {
			n++
		}
		n += m.pe[i].Holds()
	}
	return n
}

func ones(w uint64) int { return bits.OnesCount64(w) }
