package command

import (
	"errors"
	"runtime/pprof"

	"github.com/spf13/cobra"

	"emsim/internal/base/wholefile"
)

func addProfileFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "profile", "", "write a CPU profile to this file, for 'go tool pprof'")
}

// profiled does the work, and writes a CPU profile to the file if it has a name.
func profiled(file string, work func() error) error {
	if file == "" {
		return work()
	}
	f, err := wholefile.Create(file)
	if err != nil {
		return usagef("--profile: %w", err)
	}
	defer f.Abort()
	if err := pprof.StartCPUProfile(f); err != nil {
		return usagef("cannot profile: %w", err)
	}
	err = work()
	pprof.StopCPUProfile()
	if err != nil {
		if _, status := classify(err); status == wrong {
			return err // nothing was done that is worth replacing an older profile
		}
	}
	if e := f.Commit(); e != nil {
		return errors.Join(err, usagef("--profile: %w", e))
	}
	return err
}
