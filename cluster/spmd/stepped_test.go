package spmd

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// stepped is a second, simple model: the clock goes through every
// microsecond, processors are visited in random order, and a message is a
// letter in a mailbox that is opened when it is due. It shares only the
// parameters, the result and the draws with the machine.
type stepped struct {
	c       Config
	boxes   [][]letter // by receiver
	hosts   []host
	r       *Result
	posted  []letter // in this microsecond, for later ones
	running int      // processors that have not ended
}

type letter struct {
	due      int64
	from, to int
	about    string // tasks, request, power
	n        int
	tasks    []int
}

type host struct {
	draws          *rand.Rand
	own, came      []int // Schedule Queue and Active Queue
	task           int   // being processed, -1 for none
	left           int64 // microseconds until it is finished
	nextEstimate   int64
	intervals      int
	done           int // tasks in this interval
	power          int
	openRequests   int
	hasPower, over bool
}

func runStepped(c Config, visits *rand.Rand) *Result {
	n := len(c.Topology)
	s := &stepped{c: c, boxes: make([][]letter, n), hosts: make([]host, n), r: newResult(n, c.Tasks, c.Seed), running: n}
	for i := range s.hosts {
		h := &s.hosts[i]
		h.draws = rand.New(rand.NewPCG(c.Seed, uint64(i)))
		for k := range c.Tasks {
			h.own = append(h.own, i*c.Tasks+k)
		}
		h.nextEstimate = h.draws.Int64N(c.IntervalUS) + c.IntervalUS
		h.task = -1
	}
	for now := int64(0); s.running > 0; now++ {
		for _, i := range visits.Perm(n) {
			s.microsecond(now, i)
		}
		for _, l := range s.posted {
			s.boxes[l.to] = append(s.boxes[l.to], l)
			s.r.Messages++
		}
		s.posted = nil
	}
	// No processor waits after the last has ended, so no requests can be
	// under way.
	return s.r
}

func (s *stepped) post(now int64, l letter) {
	l.due = now + s.c.LatencyUS
	s.posted = append(s.posted, l)
}

func (s *stepped) microsecond(now int64, i int) {
	h := &s.hosts[i]
	if h.task >= 0 {
		if h.left--; h.left == 0 {
			s.r.RanOn[h.task] = i
			s.r.Tasks[i]++
			h.task = -1
			h.done++
			if now <= h.nextEstimate-s.c.IntervalUS {
				h.done = 0 // the first interval has not begun
			}
		}
	}
	s.processing(now, i) // a processor that just ended reads no Power of this microsecond
	for _, about := range []string{"tasks", "request", "power"} {
		for _, l := range s.due(now, i, about) {
			s.read(now, i, l)
			s.processing(now, i)
		}
	}
	if now == h.nextEstimate && !h.over {
		h.nextEstimate += s.c.IntervalUS
		h.intervals++
		h.power, h.done, h.hasPower = h.done, 0, true
		for k, to := range s.c.Topology[i] {
			if s.c.Send == Broadcast || k == (h.intervals+i)%len(s.c.Topology[i]) {
				s.post(now, letter{from: i, to: to, about: "power", n: h.power})
			}
		}
	}
}

// due takes the letters of one kind out of the mailbox, by sender.
func (s *stepped) due(now int64, i int, about string) []letter {
	var out []letter
	s.boxes[i] = slices.DeleteFunc(s.boxes[i], func(l letter) bool {
		if l.due != now || l.about != about {
			return false
		}
		out = append(out, l)
		return true
	})
	slices.SortFunc(out, func(a, b letter) int { return a.from - b.from })
	return out
}

func (s *stepped) read(now int64, i int, l letter) {
	h := &s.hosts[i]
	switch l.about {
	case "tasks":
		h.openRequests--
		h.came = append(h.came, l.tasks...)
	case "request":
		var tasks []int
		for len(tasks) < l.n && len(h.own) > 0 {
			tasks = append(tasks, h.own[len(h.own)-1])
			h.own = h.own[:len(h.own)-1]
		}
		if len(tasks) == 0 {
			s.r.Refused++
		}
		s.r.Moved[i][l.from] += len(tasks)
		s.post(now, letter{from: i, to: l.from, about: "tasks", tasks: tasks})
	case "power":
		if h.over || !h.hasPower || h.power <= l.n || s.c.Method == None {
			return
		}
		n := map[Method]int{Static: 1, Proposed: h.power - l.n}[s.c.Method]
		h.openRequests++
		s.r.Requests++
		s.post(now, letter{from: i, to: l.from, about: "request", n: n})
	}
}

func (s *stepped) processing(now int64, i int) {
	h := &s.hosts[i]
	if h.over || h.task >= 0 {
		return
	}
	queue := &h.came
	if len(*queue) == 0 {
		queue = &h.own
	}
	if len(*queue) == 0 {
		if h.openRequests == 0 {
			h.over = true
			s.running--
			s.r.EndUS[i] = now
		}
		return
	}
	h.task, *queue = (*queue)[0], (*queue)[1:]
	base := s.c.FreeUS
	if slices.Contains(s.c.Loaded, i) {
		base = s.c.LoadedUS
	}
	spread := base * s.c.JitterPPM / 1_000_000
	h.left = max(1, base+h.draws.Int64N(2*spread+1)-spread)
	s.r.BusyUS[i] += h.left
}

// Jumping from event to event equals stepping through every microsecond, and
// the order in which processors are visited within one does not matter.
func TestEqualsStepping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, 1)
		visits := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "visits"), 0))
		if diff := cmp.Diff(runStepped(c, visits), run(t, c)); diff != "" {
			t.Fatalf("stepped (-) and event-driven (+) differ:\n%s", diff)
		}
	})
}
