package main

import (
	"os"
	"runtime/pprof"

	"github.com/spf13/cobra"
)

func addProfileFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVar(file, "profile", "", "write a CPU profile to this file, for 'go tool pprof'")
}

// profiled does the work, with a CPU profile to the file when it has a name.
func profiled(file string, work func() error) error {
	if file == "" {
		return work()
	}
	f, err := os.Create(file)
	if err != nil {
		return usagef("cannot write the profile: %w", err)
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		f.Close()
		return usagef("cannot profile: %w", err)
	}
	err = work()
	pprof.StopCPUProfile()
	if closing := f.Close(); err == nil && closing != nil {
		return usagef("cannot write the profile: %w", closing)
	}
	return err
}
