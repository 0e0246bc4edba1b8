// Package run is what a command does with a program on an EM-4: it puts
// machine and program together, runs them one or several times, and saves and
// resumes what it does.
//
//	Spec ──► Target ──► Batch ──► Answer
//	 │         │           ▲ │
//	 │   machine, program  │ ▼
//	 └── flags       checkpoint file
//
//	spec.go        what was asked for: machine, program, arguments, seed; finding the program
//	goprogram.go   programs in Go; placement.go: trials that choose how they are placed; explain.go: why
//	target.go      program and machine together, init blocks
//	locate.go      code addresses in errors get their names and source lines
//	batch.go       a series of runs, one after the other on one machine
//	answer.go      what a run is asked for: time, MIPS, settings that differ
//	said.go        what it says: the numbers of 'emsim run', their keys, names and notes
//	bands.go       what its quantities were over several runs
//	result.go      the words that came back as values of the program's type
//	digest.go      a hash of a program
//	goprogram_js.go  what a browser has of goprogram.go
//	checkpoint.go  a session with its run in progress, in a file
//
// Messages name the command's flags (--set, --pes, ...): whoever fills in a
// Spec without a command line keeps to those names.
package run
