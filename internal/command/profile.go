package command

import (
	"errors"
	"runtime/pprof"

	"github.com/spf13/cobra"

	"emsim/internal/base/wholefile"
)

// addProfileFlag lets a command write a CPU profile of what it does.
func addProfileFlag(cmd *cobra.Command) {
	file, work := "", cmd.RunE
	outFlag(cmd, &file, "profile", "write a CPU profile to this file, for 'go tool pprof'")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if file == "" {
			return work(cmd, args)
		}
		f, err := wholefile.Create(file)
		if err != nil {
			return usagef("--profile: %w", err)
		}
		defer f.Abort()
		if err := pprof.StartCPUProfile(f); err != nil {
			return usagef("cannot profile: %w", err)
		}
		err = work(cmd, args)
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
}
