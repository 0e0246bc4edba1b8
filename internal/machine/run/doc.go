// Package run runs programs on an EM-4 for the commands: it puts machine and program together, runs the program one or
// several times, and saves and resumes sessions.
//
//	Spec ──► Target ──► Batch ──► Answer
//	 │         │           ▲ │
//	 │   machine, program  │ ▼
//	 └── flags       checkpoint file
//
//	spec.go        the request: machine, program, arguments, seed; finding the program
//	goprogram.go   programs in Go; placement.go: trials that choose their placement; explain.go: the reasons
//	target.go      program and machine together, init blocks
//	locate.go      names and source lines for code addresses in errors
//	asleep.go      where the goroutines of a Go program wait for ever
//	batch.go       a series of runs, one after the other on one machine
//	answer.go      what can be computed from a run: time, MIPS, changed settings
//	said.go        the answer: the numbers of 'emsim run', their keys, names and notes
//	bands.go       statistics of several runs
//	result.go      result words as values of the program's type
//	digest.go      a hash of a program
//	goprogram_js.go  the replacement for goprogram.go in a browser
//	checkpoint.go  a session with its run in progress, in a file
//
// Messages name the command's flags (--set, --pes, ...), even if a Spec was not made from a command line.
package run
