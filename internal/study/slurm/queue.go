package slurm

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Task is one job of a sweep, as Slurm knows it.
type Task struct {
	Job      string `json:"job"`      // ARRAY_SHARE; a number without share is that of an array or of the job that collects
	Share    int    `json:"share"`    // from 1; 0 for the job that collects, and for the tasks of an array that were cancelled before they began
	Collects bool   `json:"collects"` // it is the job that collects
	State    string `json:"state"`    // Slurm's word: PENDING, RUNNING, COMPLETED, FAILED, ...
	Reason   string `json:"reason"`   // why it waits, or how it failed
	Node     string `json:"node"`
}

// Rest reports whether it stands for all tasks of its array that were cancelled
// before they began. The queue no longer tells them apart.
func (t *Task) Rest() bool { return t.Share == 0 && !t.Collects }

// Array is the number of its array, or of the job that collects.
func (t *Task) Array() string {
	id, _, _ := strings.Cut(t.Job, "_")
	return id
}

// over are the states in which a task runs no more points. COMPLETING is one
// of them: Slurm clears up after it.
var over = []string{
	"BOOT_FAIL", "CANCELLED", "COMPLETED", "COMPLETING", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED", "TIMEOUT",
}

// Over reports whether it has ended. What this package has never heard of has
// not.
func (t *Task) Over() bool { return slices.Contains(over, t.State) }

// State is what Slurm knows of a sweep.
type State struct {
	Name   string `json:"name"`   // of its array
	Shares int    `json:"shares"` // N of --share I/N
	Tasks  []Task `json:"tasks"`
	// Message says why Tasks may not be all; "" if they are.
	Message string `json:"message"`
}

// Look asks Slurm about the sweep of a store; nil if it was never submitted.
func Look(ctx context.Context, dir string) (*State, error) {
	r, err := readRecord(dir)
	if r == nil || err != nil {
		return nil, err
	}
	s := &State{Name: r.Name, Shares: r.Shares, Tasks: []Task{}}
	queued, err := queue(ctx, r.Name)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, new(missing)):
		s.Message = fmt.Sprintf("%v: what became of the jobs named %s is not known here", err, r.Name)
	case err != nil:
		s.Message = fmt.Sprintf("Slurm does not answer: what became of the jobs named %s is not known (%v)", r.Name, err)
	}
	past, err := accounts(ctx, r.Name)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if s.Message == "" { // what has not ended is in the queue, or was cancelled there
		past = slices.DeleteFunc(past, func(t Task) bool { return !t.Over() })
	}
	s.Tasks = append(s.Tasks, merge(past, queued)...)
	if err != nil && s.Message == "" && !slices.ContainsFunc(queued, func(t Task) bool { return !t.Over() }) {
		s.Message = "this cluster keeps no accounts: jobs that ended some minutes ago are not listed"
	}
	return s, nil
}

// merge adds what the queue says, which is newer. Of tasks that were cancelled
// before they began only the accounts may know which.
func merge(past, queued []Task) []Task {
	queued = slices.DeleteFunc(queued, func(q Task) bool {
		return q.Rest() && slices.ContainsFunc(past, func(t Task) bool { return t.Array() == q.Array() && t.State == "CANCELLED" })
	})
	list := slices.DeleteFunc(past, func(t Task) bool {
		return slices.ContainsFunc(queued, func(q Task) bool { return q.Job == t.Job })
	})
	list = append(list, queued...)
	number := func(text string) int { n, _ := strconv.Atoi(text); return n }
	slices.SortStableFunc(list, func(a, b Task) int {
		if x, y := number(a.Array()), number(b.Array()); x != y {
			return x - y
		}
		return a.Share - b.Share
	})
	return list
}

// queue lists what squeue knows: all that have not ended, and those that ended
// some minutes ago.
func queue(ctx context.Context, name string) ([]Task, error) {
	text, err := call(ctx, "", "squeue", "--noheader", "--array", "--states=all",
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
		if share, err := strconv.Atoi(x[1]); err == nil && !t.Collects { // not N/A
			t.Share = share
			t.Job += "_" + x[1]
		}
		list = append(list, t)
	}
	return list, nil
}

// accounted is a job's number in sacct: 17, or 17_3, or, for tasks that never
// began, 17_[3-5,7].
var accounted = regexp.MustCompile(`^(\d+)(?:_\[?([\d,-]+)(?:%\d+)?\]?)?$`)

// accounts lists what sacct remembers.
func accounts(ctx context.Context, name string) ([]Task, error) {
	text, err := call(ctx, "", "sacct", "--noheader", "--parsable2", "--allocations", "--starttime=now-4weeks",
		"--name="+name+","+collector(name), "--format=JobID,State,ExitCode,NodeList")
	if err != nil {
		return nil, err
	}
	var list []Task
	for line := range strings.Lines(text) {
		x := strings.Split(strings.TrimSpace(line), "|")
		if len(x) != 4 || !accounted.MatchString(x[0]) {
			continue
		}
		id := accounted.FindStringSubmatch(x[0])
		t := Task{Job: id[1], Collects: id[2] == "", Node: strings.TrimPrefix(x[3], "None assigned")}
		t.State, _, _ = strings.Cut(x[1], " ") // CANCELLED by 1000
		if x[2] != "0:0" {
			t.Reason = "exit status and signal " + x[2]
		}
		if t.Collects {
			list = append(list, t)
		}
		for _, share := range inRanges(id[2]) {
			t.Job, t.Share = fmt.Sprintf("%s_%d", id[1], share), share
			list = append(list, t)
		}
	}
	return list, nil
}

// inRanges lists the shares of 3-5,7.
func inRanges(text string) []int {
	var list []int
	for part := range strings.SplitSeq(text, ",") {
		from, to, more := strings.Cut(part, "-")
		a, err := strconv.Atoi(from)
		b := a
		if more && err == nil {
			b, err = strconv.Atoi(to)
		}
		for i := a; err == nil && i <= b && len(list) < mostShares; i++ {
			list = append(list, i)
		}
	}
	return list
}

// mostShares is more than any array has tasks.
const mostShares = 4_000_000

var sizeOfArrays = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`)

// mostTasks is how many tasks an array of the cluster can have, counted from 1.
// 0 if that is not known.
func mostTasks(ctx context.Context) (int, error) {
	text, err := call(ctx, "", "scontrol", "show", "config")
	if err != nil {
		return 0, err
	}
	x := sizeOfArrays.FindStringSubmatch(text)
	if x == nil {
		return 0, nil
	}
	size, err := strconv.Atoi(x[1]) // the largest index is one less
	return size - 1, err
}
