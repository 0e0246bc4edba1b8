package trace

// Status is what a unit does in one clock, or what it waits for.
type Status uint8

// The activities of a PE. A clock counts as the first one that applies [003 §4.2, fig. 8].
const (
	ExuFmu      Status = iota // FMU or EXU advanced
	IbuOnly                   // the IBU used the memory port, FMU and EXU did not advance
	NetworkWait               // the EXU holds a packet that the switch has not accepted, or cannot send its next one
	Idle                      // the PE, or a single unit, has nothing to do
)

// The things that a unit can do.
const (
	Run    Status = iota + Idle + 1 // EXU: executes; IBU: moves a packet without using the memory
	Match                           // FMU: works on a packet
	Fire                            // FMU: hands its node to the EXU
	Spill                           // IBU: writes a packet to the MIB
	Refill                          // IBU: reads a packet from the MIB
	Hop                             // SU: a packet is on its way into the slot
	Move                            // SU: the packet in the slot moves on
)

// The things that a unit, or a packet in a slot of a switch, can wait for.
const (
	WaitIBU     Status = iota + Move + 1 // EXU, FMU: the IBU has the memory port
	WaitMemory                           // FMU, IBU: the EXU has the memory port
	WaitSwitch                           // EXU: the switch has not accepted the packet on the port
	WaitPort                             // EXU: the host's packet is on the port, or the output packet buffer is full
	WaitFMU                              // EXU: the FMU matches the next node; IBU: it has not taken the head packet
	WaitMIB                              // EXU, FMU: all packets are in the MIB; IBU: the MIB is full
	WaitOperand                          // EXU: operands wait in memory whose partners have not arrived
	WaitEXU                              // FMU: the EXU runs another block
	WaitInject                           // SU: the EXU's packet is on its way to the arbiter
	WaitBank                             // SU: the bank downstream is not free
	WaitIntake                           // SU: the PE's intake register is not free
	WaitOutput                           // SU: another packet occupies the output port
	WaitInput                            // SU: another packet occupies the input port
	WaitTurn                             // SU: another packet won the arbitration
	statuses
)

// The names are in lower case without blanks, as VCD requires.
var statusNames = [statuses]string{
	"exu_fmu", "ibu_only", "network_wait", "idle",
	"run", "match", "fire", "spill", "refill", "hop", "move",
	"wait_ibu", "wait_memory", "wait_switch", "wait_port", "wait_fmu", "wait_mib", "wait_operand", "wait_exu",
	"wait_inject", "wait_bank", "wait_intake", "wait_output", "wait_input", "wait_turn",
}

// String returns the status's name in traces.
func (s Status) String() string { return nameOf(statusNames[:], s, "status") }

// MarshalText returns the status's name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// IsWait reports whether the status is a wait.
func (s Status) IsWait() bool { return s >= WaitIBU && s < statuses || s == NetworkWait }

// Statuses lists all statuses.
func Statuses() []Status {
	list := make([]Status, statuses)
	for i := range list {
		list[i] = Status(i)
	}
	return list
}
