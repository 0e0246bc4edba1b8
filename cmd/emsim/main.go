// Command emsim simulates the ETL EM-4 dataflow computer clock by clock. It also has models of four other parallel
// machines, from papers on load balancing.
//
// A subcommand that answers a question prints a readable text or, with --json, exactly one JSON value on standard
// output. The exit status is 0 for success, 1 if the modelled machine or a check failed or the user interrupted the
// run, and 2 for wrong usage, a bad file or an assembly error.
//
// The subcommands are in internal/command, so that tests need not compile them twice.
package main

import (
	"os"

	"emsim/internal/command"
)

func main() { os.Exit(command.Main()) }
