package em4

import (
	"fmt"
	"strings"

	"emsim/emcr"
	"emsim/omega"
	"emsim/packet"
	"emsim/trace"
)

// Operand is an operand that waits in memory for its partner.
type Operand struct {
	PE           packet.PE `json:"pe"`
	Segment      uint32    `json:"segment"`      // base of the operand segment
	Displacement uint32    `json:"displacement"` // of the node
	Have         string    `json:"have"`         // left or right
	Data         uint64    `json:"data"`

	Template emcr.CodeLocation `json:"template"` // template of the operand segment
	Node     emcr.CodeLocation `json:"node"`     // node that waits for the partner
}

// String says which operand waits, and which operand never came.
func (o Operand) String() string { return o.text(neverCame) }

// The words for the missing partner of a waiting operand: at the end of a run, and when a run was stopped.
const (
	neverCame  = "never came"
	notComeYet = "had not come yet"
)

func (o Operand) text(missed string) string {
	missing := packet.Left
	if o.Have == packet.Left.String() {
		missing = packet.Right
	}
	node := ""
	if o.Node.Name != "" {
		node = ", " + emcr.NodeText(&o.Node, &o.Template)
	}
	return fmt.Sprintf("PE %v%s, operand segment %#x, displacement %d: the %s operand %#x waits, the %v one %s", o.PE,
		node, o.Segment, o.Displacement, o.Have, o.Data, missing, missed)
}

// Wait is a unit that waits for something.
type Wait struct {
	PE   packet.PE `json:"pe"`
	Unit string    `json:"unit"` // EXU, OUT, FMU, IBU, SU in-group, SU out-of-group, SU own

	Status trace.Status `json:"status"` // as in traces
	For    string       `json:"for"`    // what the unit waits for

	// At is the unit's instruction, or the node that its packet is for. It is nil if neither is known.
	At *emcr.CodeLocation `json:"at,omitempty"`
}

// String prints the wait in one line.
func (w Wait) String() string {
	return fmt.Sprintf("PE %v, %s: %s%s", w.PE, w.Unit, w.For, w.At.NameAndSource())
}

// Hang lists the waiting units of a machine, and what they wait for.
type Hang struct {
	Clock    uint64 // in a NoResult or ClockLimit: since the start of the run; otherwise: of the machine
	InFlight int
	Waits    []Wait
	Cycle    []Wait    // a cycle of waits, each for the place that the next one occupies; empty if there is no cycle
	Starving []string  // packets that have long been ready while others took the place that they need
	Operands []Operand // operands that wait for their partners
	More     int       // number of waits and operands not listed
}

// String lists the cycle of waits, if there is one, then starving packets, waits and operands.
func (h Hang) String() string { return h.text(neverCame) }

// SoFar lists the same of a run that was stopped and could continue: a missing operand may still arrive.
func (h Hang) SoFar() string { return h.text(notComeYet) }

func (h Hang) text(missed string) string {
	var b strings.Builder
	if len(h.Cycle) > 0 {
		fmt.Fprintf(&b, "  a cycle of %d waits, each for the room of the next:\n", len(h.Cycle))
		for _, w := range h.Cycle {
			fmt.Fprintf(&b, "    %v\n", w)
		}
	}
	for _, s := range h.Starving {
		fmt.Fprintf(&b, "  starving: %s\n", s)
	}
	for _, w := range h.Waits {
		fmt.Fprintf(&b, "  %v\n", w)
	}
	for _, o := range h.Operands {
		fmt.Fprintf(&b, "  %s\n", o.text(missed))
	}
	if h.More > 0 {
		fmt.Fprintf(&b, "  and %d more\n", h.More)
	}
	return strings.TrimRight(b.String(), "\n")
}

// CodeLocations returns all code locations in h, so that a caller can fill in their names.
func (h *Hang) CodeLocations() []*emcr.CodeLocation {
	var list []*emcr.CodeLocation
	for _, waits := range [][]Wait{h.Waits, h.Cycle} {
		for _, w := range waits {
			if w.At != nil {
				list = append(list, w.At)
			}
		}
	}
	for i := range h.Operands {
		list = append(list, &h.Operands[i].Template, &h.Operands[i].Node)
	}
	return list
}

// Details returns the further keys of a JSON error.
func (h *Hang) Details() map[string]any {
	keys := map[string]any{
		"clock": h.Clock, "in_flight": h.InFlight, "waits": h.Waits, "cycle": h.Cycle,
		"half_matched": h.Operands, "more": h.More,
	}
	if len(h.Starving) > 0 {
		keys["starving"] = h.Starving
	}
	return keys
}

// Explain lists the waiting units and operands. Each list except Cycle has at most limit entries.
func (m *Machine) Explain(limit int) Hang {
	m.catchUpAll()
	h := Hang{Clock: m.clock, InFlight: m.InFlight(), Waits: []Wait{}, Cycle: []Wait{}}
	add := func(w Wait) {
		if len(h.Waits) < limit {
			h.Waits = append(h.Waits, w)
		} else {
			h.More++
		}
	}
	for i := range m.pe {
		at := m.Net.Address(i)
		units, slots := m.Preview(i)
		for _, x := range units {
			add(Wait{at, x.Unit, x.Status, x.String(), m.codeLocation(x.Code, x.Packet)})
		}
		for _, x := range slots {
			if x.Stuck() {
				add(m.switchWait(x))
			}
		}
		for _, x := range m.Net.Starving(i, m.clock) {
			if len(h.Starving) < limit {
				h.Starving = append(h.Starving, x.String())
			}
		}
		h.More += m.pe[i].CountWaitingOperands()
	}
	for _, x := range m.Net.WaitCycle(m.clock) {
		h.Cycle = append(h.Cycle, m.switchWait(x))
	}
	h.Operands = m.HalfMatched(limit)
	h.More -= len(h.Operands)
	return h
}

// Preview returns what will happen at PE i in the next clock: what its busy units do, and what the packets in its
// switch do. It does not change the machine.
func (m *Machine) Preview(i int) (units []emcr.UnitStatus, slots []omega.Slot) {
	m.catchUp(i, m.clock)
	slots = m.Net.Slots(i, m.clock)
	taken := false
	for _, x := range slots {
		taken = taken || x.Input == omega.Own && x.Status == trace.Move
	}
	return m.pe[i].Preview(m.clock, taken), slots
}

// codeLocation returns the location of an instruction, or of the node that a packet is for. It returns nil if neither
// is known.
func (m *Machine) codeLocation(code *uint32, p *packet.Packet) *emcr.CodeLocation {
	if code != nil {
		return &emcr.CodeLocation{Code: *code}
	}
	if p == nil {
		return nil
	}
	if node, ok := m.pe[m.Net.Index(p.Dest)].NodeAddress(p); ok {
		return &emcr.CodeLocation{Code: node}
	}
	return nil
}

func (m *Machine) switchWait(x omega.Slot) Wait {
	return Wait{
		m.Net.Address(x.Unit), "SU " + omega.PortName(x.Input), x.Status, x.String(),
		m.codeLocation(nil, &x.Packet),
	}
}

// HalfMatched returns at most limit operands that wait for their partners.
func (m *Machine) HalfMatched(limit int) []Operand {
	m.catchUpAll()
	list := []Operand{}
	for i := range m.pe {
		for _, w := range m.pe[i].WaitingOperands(limit - len(list)) {
			list = append(list, Operand{
				m.Net.Address(i), w.Segment, w.Displacement, w.Have.String(), w.Data,
				emcr.CodeLocation{Code: w.Template},
				emcr.CodeLocation{Code: w.Template + w.Displacement},
			})
		}
	}
	return list
}

// InFlight returns the number of packets that were made and not yet consumed: on pins, in banks and in buffers.
func (m *Machine) InFlight() int {
	m.catchUpAll()
	n := m.Net.InFlight()
	for i := range m.pe {
		n += m.pe[i].PacketsHeld()
	}
	return n
}
