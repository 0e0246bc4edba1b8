// Package machines turns the knobs of a machine into the answer of its command,
// for 'emsim mnc run', 'emsim rhinet run', 'emsim spmd run', 'emsim pdes run' and
// for sweeps of them.
//
//	machines.go  a machine of any kind: run it; the numbers of its answer
//	mnc.go       the answer of each kind, in the keys of its JSON
//	rhinet.go
//	spmd.go
//	pdes.go
//
// The EM-4 runs programs, so it has a package of its own: internal/run.
package machines
