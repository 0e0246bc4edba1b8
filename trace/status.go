package trace

import "fmt"

// Status is what a unit does in one clock, or what it waits for.
type Status uint8

// The states of a PE, exclusive, in the order in which they count
// [003 §4.2, fig. 8].
const (
	ExuFmu      Status = iota // FMU or EXU advanced
	IbuOnly                   // the IBU used the memory port, FMU and EXU stood still
	NetworkWait               // the EXU holds a packet that the switch has not taken
	Idle                      // of a PE or a unit: there is nothing to do
)

// What a unit does.
const (
	Run    Status = iota + Idle + 1 // EXU: executes; IBU: moves a packet on without memory
	Match                           // FMU: works on a packet
	Fire                            // FMU: hands its node to the EXU
	Spill                           // IBU: writes a packet to the MIB
	Refill                          // IBU: reads a packet from the MIB
	Hop                             // SU: a packet is on its way into the bank
	Move                            // SU: the packet in the slot moves on
)

// What a unit, or a packet in a slot of a switch, waits for.
const (
	WaitIBU     Status = iota + Move + 1 // EXU, FMU: the IBU has the memory port
	WaitMemory                           // FMU, IBU: the EXU has the memory port
	WaitSwitch                           // EXU: the switch has not taken the packet on Out
	WaitPort                             // EXU: the host's packet stands on Out, or the output buffer is full
	WaitFMU                              // EXU: no node yet, the FMU works on one; IBU: the FMU has not taken the head
	WaitMIB                              // EXU, FMU: packets are there, but in the MIB; IBU: the MIB is full
	WaitOperand                          // EXU: operands are there whose partners have not come
	WaitEXU                              // FMU: the EXU runs another block
	WaitInject                           // SU, own packet: it is on its way to the arbiter
	WaitBank                             // SU: the bank downstream is not free
	WaitIntake                           // SU: the PE's intake register is not free
	WaitOutput                           // SU: another packet holds the output port
	WaitInput                            // SU: another packet holds the input port
	WaitTurn                             // SU: another packet won the arbitration
	statuses
)

// Names are lower case without blanks: VCD wants them so.
var statusNames = [statuses]string{
	"exu_fmu", "ibu_only", "network_wait", "idle",
	"run", "match", "fire", "spill", "refill", "hop", "move",
	"wait_ibu", "wait_memory", "wait_switch", "wait_port", "wait_fmu", "wait_mib", "wait_operand", "wait_exu",
	"wait_inject", "wait_bank", "wait_intake", "wait_output", "wait_input", "wait_turn",
}

// String returns the name in traces.
func (s Status) String() string {
	if s < statuses {
		return statusNames[s]
	}
	return fmt.Sprintf("status%d", uint8(s))
}

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Waits reports whether the status is a wait.
func (s Status) IsWait() bool { return s >= WaitIBU && s < statuses || s == NetworkWait }

// Statuses lists all of them.
func Statuses() []Status {
	list := make([]Status, statuses)
	for i := range list {
		list[i] = Status(i)
	}
	return list
}
