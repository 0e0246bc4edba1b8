package command

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/run"
)

// flagLimit bounds a count of the command itself; the models bound their own.
type flagLimit struct {
	command, flag string
	min, max      uint64
	why           string // reason for the maximum
}

func flagLimits() []flagLimit {
	const all = "all of them are kept"
	return []flagLimit{
		{"run", "runs", 1, run.MaxRuns, "the clocks of " + all + " and printed"},
		{"net traffic", "clocks", 1, 1e14, "a computer steps for years"},
		{"net traffic", "warm", 0, 1e14, "a computer steps for years"},
		{"pdes compare", "maps", 2, 100_000, all + " for the correlation"},
		{"pdes scatter", "runs", 2, 100_000, "the times of " + all},
	}
}

// checkLimits refuses counts beyond their limits, and files without a name, before a
// command begins: the shell makes such a name of a variable that is not set.
func checkLimits(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if what, _ := pflag.UnquoteUsage(f); (what == "FILE" || what == "MAP" || f.Name == "machine") && f.Value.String() == "" {
			err = usagef("--%s is empty: expected the name of a file\nsee '%s --help'", f.Name, cmd.CommandPath())
		}
	})
	if err != nil {
		return err
	}
	path := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	for _, l := range flagLimits() {
		if f := cmd.Flags().Lookup(l.flag); l.command == path && !l.holds(f) {
			return usagef("--%s is %s, it must be %d..%d (%s)\nsee '%s --help'", l.flag, f.Value, l.min, l.max, l.why, cmd.CommandPath())
		}
	}
	return nil
}

// holds reports whether a flag's value is within the limit; a negative number is not.
func (l flagLimit) holds(f *pflag.Flag) bool {
	n, err := strconv.ParseUint(f.Value.String(), 10, 64)
	return err == nil && n >= l.min && n <= l.max
}
