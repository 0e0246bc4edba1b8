// Package ref is an independent oracle for the EM-4 model: an interpreter of
// the instruction set and of the dataflow rules that knows no time.
//
//	          ┌───────── a bag of packets ◄────────┐
//	 host ──► │ lanes: one for each sender/receiver │
//	          └──┬──────────────────────────────────┘
//	             │ any lane, its oldest packet
//	             ▼
//	 match (segment, displacement) ──► run the block ──► packets, host words
//
//	machine.go  Options, New, Boot, Run: what goes in and what comes out
//	bag.go      the packets in flight and the order in which they arrive
//	match.go    operands, operand segments, structure memory
//	exec.go     blocks of instructions
//	arith.go    the arithmetic
//	special.go  special registers and the reverse circuit
//
// It runs the same object file as the machine and shares with the timing model
// only the decoding of instruction words (package isa) and the layout of
// continuations (package packet); matching, memory, arithmetic and topology
// are written a second time, from the documents, and a test holds the imports
// to that.
//
// What the hardware leaves open is chosen at random here, from a seed, so that
// a program whose result depends on it shows itself:
//
//   - the order of packets. Packets from one PE to another stay in order, as
//     the network keeps them: every pair has one path. With Unordered not even
//     that holds. MLPE packets take the reverse circuit, so they are in order
//     only among themselves.
//   - which free operand segment getseg gives and where structures lie.
//   - the PE and the load that an MLPE packet comes home with: any PE of its
//     reverse circuit [003 §4.1].
//   - the clock and load registers.
//   - what stands in a fresh operand segment or structure: rubbish.
//
// It is stricter than the machine in one thing: a program may load and store
// only in its own words, in operand segments that are in use and in structures
// that are taken, and not in a word where an operand waits for its partner.
package ref
