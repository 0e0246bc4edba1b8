package sweep

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
)

// Share is one of N parts of a plan: the Ith run and every Nth after it,
// whatever is there already. So N shares are the whole plan, whenever and
// however often each of them runs. The zero Share is the whole plan.
type Share struct{ I, N int }

// maxShares is more than a plan can have runs.
const maxShares = maxPoints

// ParseShare reads I/N.
func ParseShare(text string) (Share, error) {
	a, b, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || n < 1 || n > maxShares || i < 1 || i > n {
		return Share{}, simerr.Usagef("--share is %q, it must be I/N, as 3/12 for the third of twelve shares, with N up to %d", text, maxShares)
	}
	return Share{i, n}, nil
}

func (h Share) String() string {
	if h.N == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", h.I, h.N)
}

// holds reports whether a run, counted from 0, is in the share.
func (h Share) holds(run int) bool { return h.N == 0 || run%h.N == h.I-1 }

// mostDeaths is how many processes may die while they run a point before it
// counts as failed. It is run again all the same, after all others: they may
// have died of something else.
const mostDeaths = 3

// history is what the logs of a store say of its points, by id.
type history struct {
	logs    []*past
	running map[string]who
	died    map[string][]who // processes that died while they ran it
	wrong   map[string]string
}

func (s *Store) history() (*history, error) {
	logs, err := s.pasts()
	h := &history{logs: logs, running: map[string]who{}, died: map[string][]who{}, wrong: map[string]string{}}
	for _, x := range logs {
		for _, id := range x.begun {
			if x.alive {
				h.running[id] = x.who
			} else {
				h.died[id] = append(h.died[id], x.who)
			}
		}
		if x.Executable == s.Version.Executable {
			for id, message := range x.wrong {
				h.wrong[id] = message
			}
		}
	}
	return h, err
}

// failure says why a point has failed so far: "" if it has not.
func (h *history) failure(id string) string {
	if m := h.wrong[id]; m != "" {
		return m
	}
	died := h.died[id]
	if len(died) < mostDeaths {
		return ""
	}
	var list []string
	for _, w := range died {
		list = append(list, w.String())
	}
	return fmt.Sprintf("%d processes died while they ran it, without a word (killed? out of memory?): %s", len(died), strings.Join(list, "; "))
}

// forget removes the logs of dead processes that say nothing more about the
// points that a survey misses, or are of another emsim.
func (h *history) forget(x *Survey, v Version) {
	for _, l := range h.logs {
		ids := slices.AppendSeq(slices.Clone(l.begun), maps.Keys(l.wrong))
		open := slices.ContainsFunc(x.Missing, func(p *Point) bool { return slices.Contains(ids, p.ID) })
		if !l.alive && (!open || l.Executable != v.Executable) {
			_ = os.Remove(l.file) // it is only in the way
		}
	}
}

// Status is where a sweep stands. Every run is done, running, failed or
// missing.
type Status struct {
	Runs, Done, Running, Failed, Missing int

	Processes []Process
	Failures  []*WrongPoint // in the plan's order
	Notes     []string      // for people
}

// Process is one that runs points, or that died while it did.
type Process struct {
	Host    string   `json:"host"`
	PID     int      `json:"pid"`
	Share   string   `json:"share"` // I/N; "" for all points
	Alive   bool     `json:"alive"`
	Running []string `json:"running"` // commands of the points that it runs, or ran when it died
}

// Status says where the sweep of a survey stands.
func (s *Store) Status(x *Survey) (*Status, error) {
	h, err := s.history()
	if err != nil {
		return nil, err
	}
	t := &Status{Runs: x.Runs(), Done: len(x.Results)}
	missing := map[string]*Point{}
	for _, p := range x.Missing {
		missing[p.ID] = p
		_, runs := h.running[p.ID]
		why := h.failure(p.ID)
		switch {
		case runs:
			t.Running++
		case why != "":
			t.Failed++
			t.Failures = append(t.Failures, &WrongPoint{p, fmt.Errorf("%s", why)})
		default:
			t.Missing++
		}
	}
	for _, l := range h.logs {
		p := Process{l.Host, l.PID, l.Share, l.alive, []string{}}
		for _, id := range l.begun {
			if missing[id] != nil {
				p.Running = append(p.Running, missing[id].Command())
			}
		}
		if l.clock > silent {
			t.Notes = append(t.Notes, fmt.Sprintf("the log of %v is %v ahead of the store's clock: whether it still runs is not certain", l.who, l.clock.Round(beat)))
		}
		if l.alive || len(p.Running) > 0 {
			t.Processes = append(t.Processes, p)
		}
	}
	return t, nil
}

// Incomplete is a sweep that cannot be collected yet.
type Incomplete struct {
	*Status
	Dir string
}

func (e *Incomplete) Error() string {
	return fmt.Sprintf("%d of %s have no result in %s: %d running, %d failed, %d missing; a table needs all of them",
		e.Runs-e.Done, plural.Of(e.Runs, "run"), e.Dir, e.Running, e.Failed, e.Missing)
}

// Kind is the JSON error's kind.
func (e *Incomplete) Kind() string { return "incomplete" }

// Details returns the further keys of the JSON error.
func (e *Incomplete) Details() map[string]any {
	return map[string]any{"directory": e.Dir, "runs": e.Runs, "done": e.Done, "running": e.Running, "failed": e.Failed, "missing": e.Missing}
}
