package command

import (
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"emsim/internal/machine/run"
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
		{"pdes compare", "maps", 2, 100_000, all + " for the correlation"},
		{"pdes scatter", "runs", 2, 100_000, "the times of " + all},
	}
}

// checkLimits refuses, before a command begins, counts beyond their limits, files
// without a name, which the shell makes of a variable that is not set, flags that
// stand where another one's value was forgotten, and files that it cannot write.
func checkLimits(cmd *cobra.Command, args []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if what, _ := pflag.UnquoteUsage(f); (what == "FILE" || what == "MAP" || f.Name == "machine") && f.Value.String() == "" {
			err = usagef("--%s is empty: expected the name of a file\nsee '%s --help'", f.Name, cmd.CommandPath())
		}
		for _, v := range words(f) {
			if looksLikeFlag(v) && f.Name != "sbatch-arg" { // which is for flags
				err = usagef("--%s has the value %s, which looks like a flag: has its value been forgotten? A file of that name is written ./%[2]s\nsee '%[3]s --help'", f.Name, v, cmd.CommandPath())
			}
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
	return claimFlags(cmd, args)
}

// words are the values of a flag that takes text.
func words(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	if f.Value.Type() == "string" {
		return []string{f.Value.String()}
	}
	return nil
}

// looksLikeFlag reports whether a value begins with a dash and is no number; a dash
// alone means standard output in some places.
func looksLikeFlag(v string) bool {
	return len(v) > 1 && v[0] == '-' && !strings.ContainsRune("0123456789.", rune(v[1]))
}

// holds reports whether a flag's value is within the limit; a negative number is not.
func (l flagLimit) holds(f *pflag.Flag) bool {
	n, err := strconv.ParseUint(f.Value.String(), 10, 64)
	return err == nil && n >= l.min && n <= l.max
}
