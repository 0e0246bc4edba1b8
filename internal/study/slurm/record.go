package slurm

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"

	"emsim/internal/base/input"
	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
)

// jobsDir is the part of a store that is about its jobs: the record, the lock of a
// submission, and what the jobs print.
const jobsDir = "slurm"

// record is the name under which Slurm knows the shares of a store. It is
// written before anything is queued, so that no job is ever unknown.
type record struct {
	Name   string `json:"name"`   // of the array
	Shares int    `json:"shares"` // N of --share I/N
}

var recordFile = input.Want{What: "the record of a submission", Most: 1 << 16, Why: "emsim writes two lines"}

func recordPath(dir string) string { return filepath.Join(dir, jobsDir, "job.json") }

// read returns the record of a store, nil if nothing has been submitted.
func readRecord(dir string) (*record, error) {
	text, err := recordFile.Read(recordPath(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("what was submitted to Slurm cannot be read: %w", err)
	}
	r := &record{}
	if json.Unmarshal(text, r) != nil || !jobName.MatchString(r.Name) || r.Shares < 1 {
		return nil, simerr.Usagef("%s is damaged, or of another emsim: remove it when no job of this sweep is queued any more; the results stay", recordPath(dir))
	}
	return r, nil
}

var (
	jobName  = regexp.MustCompile(`^emsim-[\w.-]+-[a-z0-9]{8}$`)
	nameless = regexp.MustCompile(`[^\w.-]+`)
)

// maxPrefix bounds the part of a job's name that people recognise.
const maxPrefix = 40

// newRecord chooses a name that no other store has.
func (s *Sweep) newRecord() (*record, error) {
	base := filepath.Base(s.File)
	base = nameless.ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "_")
	base = base[:min(len(base), maxPrefix)]
	if base == "" {
		base = "sweep"
	}
	r := &record{fmt.Sprintf("emsim-%s-%s", base, strings.ToLower(rand.Text()[:8])), s.Shares}
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return nil, err
	}
	return r, wholefile.WriteFile(recordPath(s.Dir), text, 0o666)
}

// collector is the name of the job that collects.
func collector(name string) string { return name + "-collect" }
