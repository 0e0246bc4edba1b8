// Package machines turns the knobs of a machine into the answer of its command,
// for 'emsim mnc run', 'emsim rhinet run', 'emsim spmd run', 'emsim pdes run',
// 'emsim net traffic' and for sweeps of them.
//
//	machines.go  a machine of any kind: run it; the numbers of its answer
//	mnc.go       the answer of each kind, in the keys of its JSON
//	rhinet.go
//	spmd.go
//	pdes.go
//	net.go       the network of the EM-4 alone, as a kind of machine
//	traffic.go   its clocks, until it is done or stuck
//	curve.go     its latency by load, up to saturation
//
// The EM-4 runs programs, so it has a package of its own: internal/run.
package machines
