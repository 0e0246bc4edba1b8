// Package ref is an independent oracle for the EM-4 model: an untimed
// interpreter of the instruction set and of the dataflow rules.
//
//	          ┌───────── a bag of packets ◄────────┐
//	 host ──► │ lanes: one for each sender/receiver │
//	          └──┬──────────────────────────────────┘
//	             │ any lane, its oldest packet
//	             ▼
//	 match (segment, displacement) ──► run the block ──► packets, host words
//
//	machine.go  Options, New, Boot, Run: input and output
//	bag.go      the packets in flight and the order in which they arrive
//	match.go    operands, operand segments, structure memory
//	exec.go     blocks of instructions
//	arith.go    the arithmetic
//	special.go  special registers and the reverse circuit
//	near.go     PEs given by a relation in the code
//
// It runs the same object file as the machine. It shares with the timing model only the decoding of instruction words
// (package isa) and the layout of continuations (package packet). Matching, memory, arithmetic and topology are written
// independently, from the documents; a test checks the imports.
//
// The interpreter chooses at random, from a seed, everything that the hardware leaves open. This exposes programs whose
// result depends on it:
//
//   - the order of packets. Packets from one PE to another stay in order, as
//     the network keeps them: every pair has one path. Unordered drops even
//     this rule. MLPE packets take the reverse circuit, so they are in order
//     only among themselves.
//   - which free operand segment getseg returns, and where structures are placed.
//   - the PE and the load that an MLPE packet returns: any PE of its reverse
//     circuit [003 §4.1].
//   - the clock and load registers.
//   - the contents of a fresh operand segment or structure: rubbish.
//
// It is stricter than the machine in one respect: a program may load and store
// only its own words and words of operand segments in use and of allocated
// structures, but not a word where an operand waits for its partner.
package ref
