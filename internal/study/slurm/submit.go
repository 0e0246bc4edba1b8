package slurm

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"emsim/internal/base/input"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
)

// Sweep describes a sweep for Slurm.
type Sweep struct {
	Executable string   // executable of the jobs: the copy in the store, as an absolute path
	Where      string   // absolute working directory of the jobs; the names below are as the user gave them there
	File       string   // the sweep file
	Dir        string   // the store
	Parts      int      // N of --share I/N
	Missing    []int    // parts that still have runs to do, from 1, increasing
	Jobs       int      // points at a time in each task
	Plan       []string // arguments of all jobs: --policy=...
	Table      []string // arguments of the job that collects: --csv=..., --check=...
	Options
}

// Submission is the result of Submit.
type Submission struct {
	Name    string // of the array; "" if no part is missing
	Array   string // number of the new array, "" if there is none
	Queued  []int  // parts that are tasks of the new array
	Already []int  // parts that had already been queued
	Collect string // number of the job that collects
}

// Submit queues the missing parts that are not yet in the queue, and a job that collects after all have ended.
func (s *Sweep) Submit(ctx context.Context) (*Submission, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if len(s.Missing) == 0 {
		return &Submission{}, nil
	}
	if err := os.MkdirAll(filepath.Join(s.Dir, jobsDir), 0o777); err != nil {
		return nil, simerr.Usagef("the jobs need a directory for their output: %w", err)
	}
	lock := filepath.Join(s.Dir, jobsDir, "submitting")
	if err := os.Mkdir(lock, 0o777); err != nil {
		return nil, simerr.Usagef("the sweep in %s is being submitted by another process: wait until that ends, "+
			"then see --status; if it was killed, remove %s", s.Dir, lock)
	}
	defer os.Remove(lock)
	r, waiting, err := s.waiting(ctx)
	if err != nil {
		return nil, err
	}
	return s.queue(ctx, r, waiting)
}

// check rejects options and directories that Slurm cannot use.
func (s *Sweep) check() error {
	if err := s.Check(); err != nil {
		return err
	}
	for _, name := range []string{s.Where, s.absolute("")} {
		if strings.ContainsFunc(name, func(r rune) bool { return r == '\\' || r < ' ' }) {
			return simerr.Usagef("Slurm cannot use the directory %q: its name has a backslash or a control character",
				name)
		}
	}
	return nil
}

// refused returns an error of Slurm as a usage error.
func refused(err error) error { return simerr.Usagef("Slurm refuses: %w", err) }

// waiting returns the record with the name of the jobs, which it makes if necessary, and the jobs that have not ended.
func (s *Sweep) waiting(ctx context.Context) (*record, []Task, error) {
	r, err := readRecord(s.Dir)
	if err != nil {
		return nil, nil, err
	}
	var waiting []Task
	if r != nil {
		all, err := queue(ctx, r.Name)
		if err != nil {
			return nil, nil, refused(err)
		}
		waiting = slices.DeleteFunc(all, func(t Task) bool { return t.IsOver() })
	}
	if r != nil && r.Parts == s.Parts {
		return r, waiting, nil
	}
	if n := len(slices.DeleteFunc(slices.Clone(waiting), func(t Task) bool { return t.Collects })); n > 0 {
		return nil, nil, simerr.Usagef("%s of %d %s in the queue, and --slurm %d would run the same points again: "+
			"use --slurm %d, or cancel them first: scancel --name=%s",
			plural.Of(n, "share"), r.Parts, plural.Verb(n, "is", "are"), s.Parts, r.Parts, r.Name)
	}
	if err := cancel(ctx, waiting); err != nil {
		return nil, nil, err
	}
	r, err = s.newRecord()
	return r, nil, err
}

// queue submits the missing parts that are not in the queue, and the job that collects.
func (s *Sweep) queue(ctx context.Context, r *record, waiting []Task) (*Submission, error) {
	x := &Submission{Name: r.Name}
	var after []string
	var collectors []Task
	for _, t := range waiting {
		switch {
		case t.Collects:
			collectors = append(collectors, t)
			continue
		case slices.Contains(s.Missing, t.Part):
			x.Already = append(x.Already, t.Part)
		}
		if !slices.Contains(after, t.Array()) {
			after = append(after, t.Array())
		}
	}
	for _, part := range s.Missing {
		if !slices.Contains(x.Already, part) {
			x.Queued = append(x.Queued, part)
		}
	}
	if len(x.Queued) == 0 && len(collectors) > 0 {
		x.Collect = collectors[0].Job
		return x, nil
	}
	var err error
	if len(x.Queued) > 0 {
		if x.Array, err = submit(ctx, s.partScript(), s.arrayArgs(r.Name, x.Queued)); err != nil {
			return nil, err
		}
		after = append(after, x.Array)
	}
	if x.Collect, err = submit(ctx, s.collectScript(), s.collectArgs(r.Name, after)); err != nil {
		return nil, fmt.Errorf("array %s is queued, but not the job that makes the table; the same "+
			"command queues it: %w", x.Array, err)
	}
	return x, cancel(ctx, collectors)
}

var jobNumber = regexp.MustCompile(`^\d+$`)

// submit queues a script and returns the job's number.
func submit(ctx context.Context, script string, args []string) (string, error) {
	text, err := runCommand(ctx, script, "sbatch", args...)
	if err != nil {
		return "", refused(err)
	}
	id, _, _ := strings.Cut(strings.TrimSpace(text), ";") // a cluster's name may follow
	if !jobNumber.MatchString(id) {
		return "", refused(fmt.Errorf("sbatch says %q, where the number of a job is expected", strings.TrimSpace(text)))
	}
	return id, nil
}

// cancel cancels jobs that another job replaces. It ignores failures, because a job may have ended already.
func cancel(ctx context.Context, tasks []Task) error {
	for _, t := range tasks {
		if _, err := runCommand(ctx, "", "scancel", t.Job); err != nil && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// absolute returns a path in the store.
func (s *Sweep) absolute(name string) string {
	dir := filepath.Join(s.Dir, name)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.Where, dir)
	}
	return dir
}

// jobsDir is the folder in a store for the files of its jobs: the record, the lock of a submission, and the jobs'
// output.
const jobsDir = "slurm"

// record holds the name by which Slurm knows the parts of a store. It is written before any job is queued, so that
// every job can be found.
type record struct {
	Name  string `json:"name"`   // of the array
	Parts int    `json:"shares"` // N of --share I/N
}

var recordFile = input.Want{What: "the record of a submission", Most: 1 << 16, Why: "emsim writes two lines"}

func recordPath(dir string) string { return filepath.Join(dir, jobsDir, "job.json") }

// readRecord returns the record of a store, or nil if the sweep was never submitted.
func readRecord(dir string) (*record, error) {
	text, err := recordFile.Read(recordPath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("what was submitted to Slurm cannot be read: %w", err)
	}
	r := &record{}
	if json.Unmarshal(text, r) != nil || !jobName.MatchString(r.Name) || r.Parts < 1 {
		return nil, simerr.Usagef("%s is damaged, or from another emsim: remove it once no job of this sweep is "+
			"queued; the results stay", recordPath(dir))
	}
	return r, nil
}

var (
	jobName  = regexp.MustCompile(`^emsim-[\w.-]+-[a-z0-9]{8}$`)
	nameless = regexp.MustCompile(`[^\w.-]+`)
)

// maxPrefix is the largest number of bytes in the readable part of a job's name.
const maxPrefix = 40

// newRecord writes a record with a name that no other store has, and returns it.
func (s *Sweep) newRecord() (*record, error) {
	base := filepath.Base(s.File)
	base = nameless.ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "_")
	base = base[:min(len(base), maxPrefix)]
	base = cmp.Or(base, "sweep")
	r := &record{fmt.Sprintf("emsim-%s-%s", base, strings.ToLower(rand.Text()[:8])), s.Parts}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return nil, err
	}
	return r, wholefile.WriteFile(recordPath(s.Dir), text, 0o666)
}

// collector returns the name of the job that collects, for an array's name.
func collector(name string) string { return name + "-collect" }
