// Package emcr is the EMC-R: one processing element of the EM-4 without its
// switching unit.
//
//	        In                 head              fired node
//	SU ──────────► IBU (ibu/) ──────► FMU ─────────────────► EXU ──► Out ──► SU
//	                │                  │                      │
//	                └───────────── MCU: one memory port ──────┘
//	                                   │
//	             template and operand segments, structure memory, MIB
//
//	pe.go       the PE: one clock of all its units, the four states
//	mcu.go      the memory port: which unit has it in this clock
//	fmu.go      fetch and matching: direct matching
//	exu.go      strongly connected blocks on registers
//	out.go      the output packet buffer that the EMC-R does not have
//	exec.go     what the instructions do that are no pure functions
//	prefetch.go prefetched operand segments
//	memory.go   memory words, paged in on first touch
//	segment.go  operand segments and structure memory
//	image.go    the program, decoded once for all PEs
//	fault.go    what stops the machine
//	watch.go    what the PE tells somebody who watches
//	state.go    the state, for hashing and checkpoints
//	check.go    what is true of every state
//	explain.go  what waits for what
//	look.go     the units' state, to look at
//
// paper: the units, direct matching, one memory port that the IBU takes from
// FMU and EXU, no interruption inside a block by other packets [003 §2,
// §4.2], no output packet buffer [EM-4 papers' abstracts]. chosen: the clocks
// of matching and of the instructions; docs/TIMING.md lists them.
//
// Within a clock every unit reads the state at the clock's start through the
// wires that mcu.go makes, and writes only its own: their order does not
// matter.
package emcr
