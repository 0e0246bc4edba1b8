// Package sweep runs a grid of machines, and of programs on the EM-4, and puts
// the results into a table.
//
//	FILE.toml ──► Plan ──► Survey ──► Store.Run ──► CSV, sidecar
//	              points    what is    side by side
//	              in order  missing        │
//	                           ▲           ▼
//	                        one result file a point, by rename
//
//	read.go     the file's keys, variants, parameters and knobs, checked
//	grid.go     one [[grid]], checked
//	policy.go   policies that are files
//	kind.go     the file's kind of machine, and files of a user's own
//	plan.go     grids become points; what defines a point is its name
//	point.go    one point: run it, name its outcome, check its answer
//	store.go    result files, and the executable that all shares have in common
//	run.go      what is missing, and how it is run
//	status.go   shares of a plan; what is done, running, failed and missing
//	seeds.go    seeds = N: the runs of a cell
//	table.go    the CSV table, its sidecar, and its comparison with another
//	verdict.go  whether a cell is faster than its reference; what must not matter
//	reference.go  with what each row is compared
//	ranking.go  the order of what a sweep compares
//	cells.go    the table of cells: means, deviations, intervals
//
// docs/SWEEP.md describes the file and the table. A point runs in a
// run.Batch, as in 'emsim run', or in package machines, as in 'emsim mnc run':
// this package adds no timing.
package sweep
