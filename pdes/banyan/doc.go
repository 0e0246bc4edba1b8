// Package banyan models the program of paper 004 [004 §4]: an n-stage banyan
// network of 2x2 switches in slotted time. Every switch is one logical
// process (LP). The package does not depend on the machine.
//
//	source --> | switch | --> wiring --> | switch | --> ... --> sink
//	source --> | queues |               | queues |
//
// A cell sent in slot t is input of slot t of the next stage. A switch takes
// its two inputs, puts each cell in the queue of the output that its address
// bit names, or drops it if that queue is full, and sends the head of each
// queue, or nothing.
//
//	model.go   parameters, numbering, wiring
//	switch.go  one switch: a slot, its queues, its fingerprint; the sources
//
// Paper: banyan, 3 and 4 stages, load 0.8. Chosen: sources live in the LPs of
// the first stage and sinks in the LPs of the last, so that 3 stages are 12 LPs
// and 4 stages 32; 2x2 switches with output queues of 8 cells; the wirings.
package banyan
