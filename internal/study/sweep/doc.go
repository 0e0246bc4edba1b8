// Package sweep runs a grid of machines, or of programs on the EM-4, and writes the results as a table.
//
//	FILE.toml ──► Plan ──► Survey ──► Store.Run ──► CSV, sidecar
//	              points    what is    side by side
//	              in order  missing        │
//	                           ▲           ▼
//	                        one result file a point, by rename
//
//	read.go     the file's keys, variants, parameters and knobs, with checks
//	grid.go     one [[grid]], with checks
//	policy.go   policies that are files
//	kind.go     the file's kind of machine, and users' own files
//	plan.go     expanding grids into points, which are named by their definitions
//	subject.go  what a sweep varies: programs on the EM-4 (programs.go) or another machine (machine.go)
//	point.go    one point: running it, naming its outcome
//	store.go    result files, and the executable that all parts have in common
//	run.go      finding and running the missing points
//	status.go   parts of a plan; done, running, failed and missing points
//	seeds.go    seeds = N: the runs of a cell
//	table.go    the CSV table, its sidecar, and its comparison with another
//	verdict.go  whether a cell is faster than its reference; variations that must not matter
//	reference.go  the reference of each row
//	ranking.go  the order of the things that a sweep compares
//	cells.go    the columns of cells: means, deviations, intervals
//
// docs/SWEEP.md describes the file and the table. A point runs in a
// run.Batch, as in 'emsim run', or in package machines, as in 'emsim mnc run':
// this package adds no timing.
package sweep
