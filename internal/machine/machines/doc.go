// Package machines drives the machines that run no programs: 'emsim mnc run',
// 'emsim rhinet run', 'emsim spmd run', 'emsim pdes run', 'emsim net traffic', 'emsim
// balance run', and sweeps of them. A Model describes a machine; flags, help, runs, means over seeds,
// tables, JSON and files of rows follow from it.
//
//	machines.go   what a Model is, the files of a user's own that it takes, and how it runs
//	checkpoint.go  a run's state in a file, and how its machine was put together
//	answer.go     what a run says: numbers with their meanings; the mean of several
//	em4.go        the EM-4's rows and words; the counters of --stats
//	mnc.go        a Model each
//	rhinet.go
//	spmd.go
//	pdes.go
//	ground.go     the common ground of the schemes; groundsetup.go: its knobs; groundfile.go: schemes and workloads of one's own
//	net.go        the network of the EM-4 alone
//	traffic.go    its clocks, until it is done or stuck; its latency by load, up to saturation
//
// The EM-4 runs programs, so it has a package of its own: internal/machine/run.
package machines
