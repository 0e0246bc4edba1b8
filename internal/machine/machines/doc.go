// Package machines drives the machines that run no programs, and sweeps of them: 'emsim mnc run', 'emsim rhinet run',
// 'emsim spmd run', 'emsim pdes run', 'emsim net traffic' and 'emsim balance run'. A Model describes a machine. Flags,
// help, runs, means over seeds, tables, JSON and files of rows are derived from it.
//
//	machines.go     Models, the files that they take from users, and runs
//	checkpoint.go   files with a run's state and the construction of its machine
//	answer.go       the numbers of a run's answer with their meanings; imbalance
//	em4.go          the EM-4's rows and terms; the counters of --stats
//	mnc.go          one Model in each of these files
//	rhinet.go
//	spmd.go
//	pdes.go
//	ground.go       the common ground of the policies
//	groundsetup.go  its knobs
//	groundfile.go   users' own policies and workloads
//	net.go          the network of the EM-4 alone
//	traffic.go      its clocks, until it is done or stuck; its latency as a function of load, up to saturation
//
// The EM-4 runs programs, so it has a package of its own: internal/machine/run.
package machines
