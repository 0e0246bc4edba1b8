package slurm

import (
	"fmt"
	"slices"
	"strings"

	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
)

// Options are the user's settings for Slurm.
type Options struct {
	Partition string   // "" for the cluster's default
	Time      string   // limit for each task, in sbatch's format; "" for the partition's default
	Args      []string // further arguments of sbatch
}

// grace is how many seconds before its time limit a task gets SIGTERM. Slurm may send the signal up to a minute earlier
// [sbatch(1)].
const grace = 60

// Check rejects arguments that sbatch would take for a script. No other argument needs a check: the last of repeated
// arguments counts, and that is emsim's.
func (o *Options) Check() error {
	for _, arg := range o.Args {
		if name := strings.TrimPrefix(arg, "--"); name == arg || len(name) < 2 {
			return simerr.Usagef("--sbatch-arg is %q, it must be a long option of sbatch with its value after an "+
				"equals sign, as --sbatch-arg=--mem=4G", arg)
		}
	}
	return nil
}

// common returns the arguments that the user may override. Defaults come before the user's arguments, because the last
// of repeated arguments counts.
func (o *Options) common(defaults ...string) []string {
	args := append([]string{"--nodes=1", "--ntasks=1", "--requeue"}, defaults...)
	if o.Partition != "" {
		args = append(args, "--partition="+o.Partition)
	}
	if o.Time != "" {
		args = append(args, "--time="+o.Time)
	}
	return append(args, o.Args...)
}

// arrayArgs returns sbatch's arguments for the array.
func (s *Sweep) arrayArgs(name string, parts []int) []string {
	args := s.common(fmt.Sprintf("--cpus-per-task=%d", s.Jobs), fmt.Sprintf("--signal=B:TERM@%d", grace))
	return append(append(args, "--array="+strings.Join(plural.Ranges(parts), ",")),
		s.fixed(name, "share-%a-%A.log")...)
}

// collectArgs returns sbatch's arguments for the job that collects. The job begins after the arrays have ended, even if
// they failed, and reports what is missing.
func (s *Sweep) collectArgs(name string, after []string) []string {
	args := slices.DeleteFunc(s.common(), func(arg string) bool { return arg == "--hold" || arg == "--exclusive" })
	args = append(args, "--cpus-per-task=1", "--dependency=afterany:"+strings.Join(after, ":"))
	return append(args, s.fixed(collector(name), "collect-%j.log")...)
}

// fixed returns the arguments that the user cannot override.
func (s *Sweep) fixed(name, log string) []string {
	dir := strings.ReplaceAll(s.absolute(jobsDir), "%", "%%")
	return []string{
		"--job-name=" + name, "--chdir=" + s.Where, "--output=" + dir + "/" + log, "--open-mode=append",
		"--parsable",
	}
}

// partScript returns the script of the array's tasks. It uses exec to make emsim the process that Slurm knows, so that
// emsim gets the signals.
func (s *Sweep) partScript() string {
	return fmt.Sprintf(`#!/bin/sh
# Task I of the array runs share I of %d.
exec %s sweep --output=%s --share="$SLURM_ARRAY_TASK_ID/%d" --jobs="$SLURM_CPUS_PER_TASK" %s-- %s
`, s.Parts, quote(s.Executable), quote(s.Dir), s.Parts, quoteAll(s.Plan), quote(s.File))
}

// collectScript returns the script of the job that collects.
func (s *Sweep) collectScript() string {
	return fmt.Sprintf(`#!/bin/sh
# When all shares have ended, the table.
exec %s sweep --output=%s --collect %s-- %s
`, quote(s.Executable), quote(s.Dir), quoteAll(append(slices.Clip(s.Plan), s.Table...)), quote(s.File))
}

// quoteAll quotes strings for a shell, each followed by a space.
func quoteAll(texts []string) string {
	var b strings.Builder
	for _, text := range texts {
		b.WriteString(quote(text) + " ")
	}
	return b.String()
}

// quote quotes a string as a single word for a shell.
func quote(text string) string {
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
