// Command emsim runs clock-stepped models of the ETL EM-4 dataflow computer
// and of the other parallel machines in five papers on load balancing.
//
// Every subcommand prints a readable table or, with --json, exactly one JSON value on standard output. The exit status
// is 0 for success, 1 if the modelled machine or a check failed, and 2 for wrong usage, a bad file or an assembly
// error.
//
// The subcommands are in internal/command, so that tests need not compile them twice.
package main

import (
	"os"

	"emsim/internal/command"
)

func main() { os.Exit(command.Main()) }
