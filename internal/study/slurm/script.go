package slurm

import (
	"fmt"
	"strings"
)

// shareScript is what a task of the array runs. exec makes emsim the process
// that Slurm knows, so that it gets the signals.
func (s *Sweep) shareScript() string {
	return fmt.Sprintf(`#!/bin/sh
# Task I of the array runs share I of %d.
exec %s sweep --output=%s --share="$SLURM_ARRAY_TASK_ID/%d" --jobs="$SLURM_CPUS_PER_TASK" -- %s
`, s.Shares, quote(s.Executable), quote(s.Dir), s.Shares, quote(s.File))
}

// collectScript is what the last job runs.
func (s *Sweep) collectScript() string {
	var more strings.Builder
	for _, arg := range s.Table {
		more.WriteString(quote(arg) + " ")
	}
	return fmt.Sprintf(`#!/bin/sh
# When all shares have ended, the table.
exec %s sweep --output=%s --collect %s-- %s
`, quote(s.Executable), quote(s.Dir), more.String(), quote(s.File))
}

// quote makes one word of a text, whatever is in it.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
