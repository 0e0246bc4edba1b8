// Package pdes models the parallel discrete-event simulation of paper 004 on the machines that it
// names: logical processes (LPs) on physical processors (PPs), joined by an HXB, a TORUS or an HCB,
// and the migration that moves LPs to shorten their messages' paths.
//
//	             +------------------- PP ------------------+
//	inj <-- send | operation: receive | LP slot | migrate  | receive <-- ej
//	             |   inbox (FIFO)  -->  input channels     |
//	             |   LP: switch, credits, sequence numbers |
//	             +-----------------------------------------+
//	      network: ports with contention (package network)
//
// A PP does one operation at a time: it receives the oldest packet of its inbox, or runs a slot
// of the runnable LP with the lowest (slot, id); the packets that the operation sends enter the
// network when it ends. Every channel carries exactly one message per slot, a cell or a null
// message, so an LP runs a slot when every input holds a message and every output a credit:
// conservative synchronisation with a lookahead of one slot. Results therefore depend only on
// the program itself, not on map, network, window, timing, disturbance or migration.
//
//	errors.go      what can go wrong
//	config.go      parameters with units and sources
//	message.go     the messages: cells, nulls, credits, control
//	process.go     an LP with its channels
//	program.go     what LPs simulate: the banyan, or a user's own graph
//	parsemap.go    a map as text
//	processor.go   a PP: operations, receiving, sending
//	machine.go     the machine: event loop, end, results
//	migrate.go     the nine-step migration [004 §3]: the coordinator's side
//	mover.go       the migration: every PP's side
//	watch.go       samples over time
//	record.go      which LPs moved, and what PP 0 knew
//	knobs.go       every parameter with unit, range and source
//	state.go       the content of a checkpoint
//	background.go  other programs' traffic, slower PPs
//	banyan/        the simulated program
//	lpgraph/       a user's own program: LPs with loads, channels with rates
//	network/       the interconnections
//	mapping/       cost function and minimisers
//	oracle/        the banyan run sequentially, to check against
//	study/         the paper's tables and ours, measured
//
// Paper [004]: networks, cost function, greedy minimiser, the nine steps, load 0.8, 3 and 4 stages,
// run times. Chosen: slots and null messages (results cannot depend on timing), credits (memory is
// bounded and latency matters), all clock counts of Timing. Only ratios can be compared with the
// paper: its unit of virtual time is unknown.
package pdes
