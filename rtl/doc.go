// Package rtl is an EMC-R in SystemVerilog; its tests compare it with the model at every clock.
//
//	*.sv             the chip, one module a file: docs/RTL.md
//	sources.go       their text
//	sim/             the program around the verilated chip: memories, links, host
//	probe_test.go    the place of each register in the probe of a PE
//	build_test.go    runs Verilator
//	chips_test.go    a running simulation: commands and answers over a pipe
//	machine_test.go  a whole machine next to the model
//	traffic_test.go  switches alone next to the model, under random traffic
//	straps_test.go   a chip's place in the network and its knobs
//
// Every PE has a probe of 37 words that holds all its registers. At every clock both sides reduce the probes and the
// sums of the memories to one number. If the numbers differ, the run is repeated up to that clock, and all registers
// are compared one by one.
package rtl
