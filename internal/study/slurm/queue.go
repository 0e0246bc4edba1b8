package slurm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"emsim/internal/base/simerr"
)

// Task is one job of a sweep, as Slurm knows it.
type Task struct {
	Job      string `json:"job"`      // ARRAY_PART; without a part: an array or the job that collects
	Part     int    `json:"share"`    // from 1; 0 for the job that collects, and for tasks cancelled before they ran
	Collects bool   `json:"collects"` // the job that collects
	State    string `json:"state"`    // Slurm's word: PENDING, RUNNING, COMPLETED, FAILED, ...
	Reason   string `json:"reason"`   // why the task waits, or how it failed
	Node     string `json:"node"`
}

// Array returns the number of the task's array, or of the job that collects.
func (t *Task) Array() string {
	id, _, _ := strings.Cut(t.Job, "_")
	return id
}

// over lists the states in which a task runs no more points. In COMPLETING, Slurm cleans up after the task.
var over = []string{
	"BOOT_FAIL", "CANCELLED", "COMPLETED", "COMPLETING", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY",
	"PREEMPTED", "REVOKED", "TIMEOUT",
}

// IsOver reports whether the task has ended. An unknown state does not count as ended.
func (t *Task) IsOver() bool { return slices.Contains(over, t.State) }

// State is the state of a sweep in Slurm.
type State struct {
	Name  string `json:"name"`   // of its array
	Parts int    `json:"shares"` // N of --share I/N
	Tasks []Task `json:"tasks"`
	// Message says why Tasks may be incomplete, or is "".
	Message string `json:"message"`
}

// QueryState queries Slurm about the sweep of a store. It returns nil if the sweep was never submitted.
func QueryState(ctx context.Context, dir string) (*State, error) {
	r, err := readRecord(dir)
	if r == nil || err != nil {
		return nil, err
	}
	s := &State{Name: r.Name, Parts: r.Parts, Tasks: []Task{}}
	list, err := queue(ctx, r.Name)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, new(missing)):
		s.Message = fmt.Sprintf("%v: what became of the jobs named %s is not known here", err, r.Name)
	case err != nil:
		s.Message = fmt.Sprintf("Slurm does not answer: what became of the jobs named %s is not known (%v)", r.Name,
			err)
	}
	s.Tasks = append(s.Tasks, list...)
	return s, nil
}

// queue returns the jobs that squeue lists: all that have not ended, and jobs that ended in the last minutes.
func queue(ctx context.Context, name string) ([]Task, error) {
	text, err := runCommand(ctx, "", "squeue", "--noheader", "--array", "--states=all",
		"--name="+name+","+collector(name), "--format=%F|%K|%T|%j|%N|%r")
	if err != nil {
		return nil, err
	}
	var list []Task
	for line := range strings.Lines(text) {
		x := strings.SplitN(strings.TrimSpace(line), "|", 6)
		if len(x) < 6 {
			continue // the name of a cluster
		}
		t := Task{Job: x[0], State: x[2], Node: x[4], Collects: x[3] != name}
		if x[5] != "None" {
			t.Reason = x[5]
		}
		if part, err := strconv.Atoi(x[1]); err == nil && !t.Collects { // not N/A
			t.Part = part
			t.Job += "_" + x[1]
		}
		list = append(list, t)
	}
	return list, nil
}

// missing is the error for a Slurm command that is not installed on this computer.
type missing string

func (m missing) Error() string {
	return string(m) + ", a command of Slurm, is not on this computer"
}

// findCommands returns an error if a command is not in the PATH.
func findCommands(commands ...string) error {
	for _, c := range commands {
		if _, err := exec.LookPath(c); err != nil {
			return missing(c)
		}
	}
	return nil
}

// Ready returns an error if this computer cannot submit jobs.
func Ready() error {
	if err := findCommands("sbatch", "squeue", "scancel"); err != nil {
		return simerr.Usagef("%w: submit from one where sbatch works, usually a login node. Without Slurm, start the "+
			"shares yourself with --share ('emsim docs SWEEP')", err)
	}
	return nil
}

// runCommand runs a Slurm command, without a shell, and returns its output.
func runCommand(ctx context.Context, input, command string, args ...string) (string, error) {
	if err := findCommands(command); err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, command, args...)
	var out, errs bytes.Buffer
	c.WaitDelay = time.Second // its child processes may outlive it
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(input), &out, &errs
	err := c.Run()
	switch said := strings.TrimSpace(errs.String()); {
	case err == nil:
		return out.String(), nil
	case ctx.Err() != nil:
		return "", ctx.Err()
	case said != "":
		return "", errors.New(said)
	}
	return "", fmt.Errorf("%s: %w", command, err)
}
