package run

import (
	"strconv"

	"emsim/asm"
	"emsim/em4"
	"emsim/internal/base/simerr"
)

// Build puts an assembled program on a machine, for callers that give the
// arguments later (SetArgs). The init blocks are still to run.
func Build(name string, o *asm.Object, c em4.Config, seed uint64) (*Target, error) {
	t := &Target{Name: name, Object: o, MachineName: "emc-r", Seed: seed}
	if err := c.Validate(); err != nil {
		return nil, &simerr.Usage{Err: err}
	}
	return t, t.build(c)
}

// ReadArgs reads the arguments of a program for a machine of that many PEs.
// name is how its errors, which are for the user, call the program.
func ReadArgs(name string, o *asm.Object, pes int, args []string) ([]int64, error) {
	t := &Target{Name: name, Object: o}
	err := t.readArgs(pes, args)
	return t.Args, err
}

// SetArgs sets the arguments of the runs that follow.
func (t *Target) SetArgs(args []int64) error {
	var texts []string
	for _, v := range args {
		texts = append(texts, strconv.FormatInt(v, 10))
	}
	return t.GiveText(texts)
}

// GiveText is SetArgs for arguments as a user writes them.
func (t *Target) GiveText(args []string) error { return t.readArgs(t.Config().PEs, args) }
