package run

import (
	"emsim/asm"
	"emsim/internal/base/simerr"
	"emsim/omega"
	"emsim/packet"
)

// ReadArgs reads the arguments of a program for a machine of that many PEs.
// name is how its errors, which are for the user, call the program.
func ReadArgs(name string, o *asm.Object, pes int, args []string) ([]int64, error) {
	topo, err := omega.ForPEs(pes)
	if err != nil {
		return nil, &simerr.Usage{Err: err}
	}
	values, _, err := programArgs(name, o, packet.FormatFor(topo.K), args)
	return values, err
}
