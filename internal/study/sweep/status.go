package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/input"
	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
	"emsim/internal/base/wholefile"
)

// Part is one of N parts of a plan: the Ith run and every Nth after it, whether or not they have results. So N parts
// together are the whole plan, no matter when and how often each of them runs. The zero Part is the whole plan.
type Part struct{ I, N int }

// MaxParts is the largest number of parts, which is the greatest possible number of runs in a plan.
const MaxParts = maxPoints

// ParsePart parses I/N.
func ParsePart(text string) (Part, error) {
	a, b, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || n < 1 || n > MaxParts || i < 1 || i > n {
		return Part{}, simerr.Usagef("--share is %q, it must be I/N, as 3/12 for the third of twelve shares, "+
			"with N up to %d", text, MaxParts)
	}
	return Part{i, n}, nil
}

func (h Part) String() string {
	if h.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", h.I, h.N)
}

// holds reports whether the run with the given index, counted from 0, is in the part.
func (h Part) holds(run int) bool { return h.N == 0 || run%h.N == h.I-1 }

// Parts returns which of n parts, counted from 1, have missing runs.
func (x *Survey) Parts(n int) []int {
	has := make([]bool, n)
	for _, p := range x.Missing {
		has[x.place[p.ID]%n] = true
	}
	var list []int
	for i := range has {
		if has[i] {
			list = append(list, i+1)
		}
	}
	return list
}

// A mark is a file next to a point's result file. It says that a process has begun the point. It is removed when the
// point ends, unless the result is wrong; the mark of a killed process stays. Marks help users, and determine the order
// of the points, but results never depend on them.
type mark struct {
	Who
	Executable string `json:"executable_sha256"`
	Wrong      string `json:"wrong,omitempty"` // why the result is wrong
}

// Who identifies the process that runs a point.
type Who struct {
	Host string `json:"host"`
	PID  int    `json:"pid"`
	Part string `json:"share"` // I/N; "" for all points
}

// markOf returns the name of a point's mark.
func (s *Store) markOf(p *Point) string { return filepath.Join(s.Dir, p.ID+".begun") }

// begin writes the mark of a point.
func (s *Store) begin(p *Point, part Part) {
	host, _ := os.Hostname()
	s.writeMark(p, mark{Who: Who{host, os.Getpid(), part.String()}, Executable: s.Version.Executable})
}

func (s *Store) writeMark(p *Point, m mark) {
	text, _ := json.Marshal(m)                 // cannot fail: texts and numbers
	_ = wholefile.WriteMark(s.markOf(p), text) // ignored: results cannot be written there either
}

// endMark removes the mark of a point, or writes the error of a wrong point into it.
func (s *Store) endMark(p *Point, err error) {
	var wrong *WrongPoint
	if m, ok := s.marked(p); ok && errors.As(err, &wrong) {
		m.Wrong = wrong.Err.Error()
		s.writeMark(p, m)
		return
	}
	_ = os.Remove(s.markOf(p))
}

// markFile describes the file of a mark.
var markFile = input.Want{What: "a mark", Most: 1 << 20, Why: "emsim writes a few lines"}

// marked reads the mark of a point. It ignores errors that another version of emsim recorded.
func (s *Store) marked(p *Point) (m mark, ok bool) {
	text, err := markFile.Read(s.markOf(p))
	_ = json.Unmarshal(text, &m) // if writing was cut short, fields are empty
	return m, err == nil && (m.Wrong == "" || m.Executable == s.Version.Executable)
}

// Status is the state of a sweep. Every run is done, running, failed or missing.
type Status struct {
	Runs, Done, Running, Failed, Missing int

	Processes []Process
	Failures  []*WrongPoint // in the plan's order
}

// Process is a process that has begun points and not ended them: it still runs, or was killed.
type Process struct {
	Who
	Running []string `json:"running"` // commands of its points
}

// Status returns the state of the sweep of a survey.
func (s *Store) Status(x *Survey) *Status {
	t := &Status{Runs: x.Runs(), Done: len(x.Results)}
	for _, p := range x.Missing {
		m, ok := s.marked(p)
		switch {
		case !ok:
			t.Missing++
		case m.Wrong != "":
			t.Failed++
			t.Failures = append(t.Failures, &WrongPoint{p, errors.New(m.Wrong)})
		default:
			t.Running++
			i := slices.IndexFunc(t.Processes, func(q Process) bool { return q.Who == m.Who })
			if i < 0 {
				i = len(t.Processes)
				t.Processes = append(t.Processes, Process{Who: m.Who})
			}
			t.Processes[i].Running = append(t.Processes[i].Running, p.Command())
		}
	}
	return t
}

// Incomplete returns an error that says that the sweep cannot be collected yet, and how far it is.
func (t *Status) Incomplete(dir string) error {
	return &simerr.Fault{
		Name: "incomplete",
		Keys: simerr.Keys{
			"directory": dir, "runs": t.Runs, "done": t.Done, "running": t.Running, "failed": t.Failed,
			"missing": t.Missing,
		},
		Err: fmt.Errorf("%d of %s have no result in %s: %d running, %d failed, %d missing; a table needs all of them",
			t.Runs-t.Done, plural.Of(t.Runs, "run"), dir, t.Running, t.Failed, t.Missing),
	}
}
