// Package emcr is the EMC-R: one processing element of the EM-4 without its switching unit.
//
//	        In                 head              fired node
//	SU ──────────► IBU (ibu/) ──────► FMU ─────────────────► EXU ──► Out ──► SU
//	                │                  │                      │
//	                └───────────── MCU: one memory port ──────┘
//	                                   │
//	             template and operand segments, structure memory, MIB
//
// The hardware:
//
//	pe.go       the PE: one clock of all its units, and its activity
//	mcu.go      the memory port: which unit has it in a clock
//	fmu.go      the fetch and matching unit: direct matching
//	exu.go      the execution unit: strongly connected blocks on registers
//	exec.go     instructions that are not pure functions: the sends, by which
//	            arguments and results leave, special registers, memory
//	out.go      the output packet buffer (only the successor chip has one)
//	prefetch.go registers for prefetched operand segments
//	segment.go  operand segments and structure memory
//	memory.go   the external memory
//	image.go    the program, decoded once for all PEs
//	fault.go    what stops the machine
//
// Inspection:
//
//	watch.go    trace events
//	explain.go  what waits for what
//	inspect.go  the units' state
//	state.go    the state, for hashes and checkpoints
//	check.go    invariants of the state
//	kept.go     words that a program keeps, for em4's search for leaks
//	registers.go  the registers as hardware has them
//
// The simulator's part:
//
//	lazy.go      a PE that is simulated later than its clock
//	leap.go      how such a PE is simulated from event to event
//	lookahead.go how long a program is certain not to send
//
// paper: the units, direct matching, one memory port that the IBU takes from FMU and EXU, no interruption inside a
// block by other packets [003 §2, §4.2], no output packet buffer [EM-4 papers' abstracts]. chosen: the clocks of
// matching and of the instructions; docs/TIMING.md lists them.
//
// Within a clock every unit reads the state at the clock's start through the wires that mcu.go drives, and writes only
// its own state, so the order of the units does not matter. A name that ends in Q is a value at the clock's start, one
// that ends in D the value after it; other state changes in place, because no other unit reads it.
package emcr
