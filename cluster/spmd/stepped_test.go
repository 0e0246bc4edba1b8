package spmd

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// stepped is a second, simple model. The clock goes through every microsecond, and processors are visited in random
// order. A message is a letter in a mailbox that is opened when it is due. The model shares only the parameters, the
// result and the draws with the machine.
type stepped struct {
	c       Config
	boxes   [][]letter // by receiver
	hosts   []host
	r       *Result
	posted  []letter // posted in this microsecond, for later ones
	sizes   []int64  // by task, in millionths
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
	task           int   // the running task, -1 for none
	left           int64 // work left in it, in millionths of a usual processor's microsecond
	began          int64
	toRequest      []int       // with RequestAgain: givers, the next one first
	heard          map[int]int // last Powers, by processor
	nextEstimate   int64
	intervals      int
	done           int // tasks finished in this interval
	power          int
	openRequests   int
	hasPower, over bool
}

func runStepped(c Config, visits *rand.Rand) *Result {
	n := len(c.Topology)
	s := &stepped{c: c, boxes: make([][]letter, n), hosts: make([]host, n), running: n}
	for i := range s.hosts {
		h := &s.hosts[i]
		h.heard = map[int]int{}
		h.draws = rand.New(rand.NewPCG(c.Seed, uint64(i)))
		tasks := c.Tasks
		if c.Hosts != nil {
			tasks = c.Hosts[i].Tasks
		}
		for k := range tasks {
			h.own = append(h.own, len(s.sizes))
			s.sizes = append(s.sizes, 1_000_000)
			if c.Hosts != nil && k < len(c.Hosts[i].Sizes) {
				s.sizes[len(s.sizes)-1] = c.Hosts[i].Sizes[k]
			}
		}
		for from, readers := range c.Topology {
			if slices.Contains(readers, i) && c.RequestAgain && c.Policy != None {
				h.toRequest = append(h.toRequest, from)
			}
		}
		h.nextEstimate = h.draws.Int64N(c.IntervalUS) + c.IntervalUS
		h.task = -1
	}
	s.r = newResult(n, len(s.sizes), c.Seed)
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
	// No processor waits after the last has ended, so no requests can be in flight.
	return s.r
}

func (s *stepped) post(now int64, l letter) {
	l.due = now + s.c.LatencyUS
	s.posted = append(s.posted, l)
}

func (s *stepped) microsecond(now int64, i int) {
	h := &s.hosts[i]
	if h.task >= 0 {
		if h.left -= s.speed(now-1, i); h.left <= 0 {
			s.r.BusyUS[i] += now - h.began
			s.r.RanOn[h.task] = i
			s.r.Tasks[i]++
			h.task = -1
			h.done++
			if now <= h.nextEstimate-s.c.IntervalUS {
				h.done = 0 // the first interval has not begun
			}
		}
	}
	s.processing(now, i) // a processor that has just ended reads no Power of this microsecond
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

// due removes the due letters of one kind from the mailbox, and returns them in order of senders.
func (s *stepped) due(now int64, i int, about string) []letter {
	var out []letter
	s.boxes[i] = slices.DeleteFunc(s.boxes[i], func(l letter) bool {
		if l.due != now || l.about != about {
			return false
		}
		out = append(out, l)
		return true
	})
	slices.SortStableFunc(out, func(a, b letter) int { return a.from - b.from })
	return out
}

func (s *stepped) read(now int64, i int, l letter) {
	h := &s.hosts[i]
	switch l.about {
	case "tasks":
		h.openRequests--
		h.came = append(h.came, l.tasks...)
		if len(l.tasks) == 0 {
			h.toRequest = slices.DeleteFunc(h.toRequest, func(whom int) bool { return whom == l.from })
		}
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
		if !h.over {
			h.heard[l.from] = l.n
		}
		if h.over || !h.hasPower || h.power <= l.n || s.c.Policy == None {
			return
		}
		n := map[Policy]int{Static: 1, Proposed: h.power - l.n}[s.c.Policy]
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
		if h.openRequests == 0 && len(h.toRequest) > 0 {
			whom := h.toRequest[0]
			h.toRequest = append(slices.Clone(h.toRequest[1:]), whom)
			n := 1
			if s.c.Policy == Proposed {
				n = max(n, h.power-h.heard[whom])
			}
			h.openRequests++
			s.r.Requests++
			s.post(now, letter{from: i, to: whom, about: "request", n: n})
			return
		}
		if h.openRequests == 0 {
			h.over = true
			s.running--
			s.r.EndUS[i] = now
		}
		return
	}
	h.task, *queue = (*queue)[0], (*queue)[1:]
	base := s.c.FreeUS
	if slices.Contains(s.c.Loaded, i) && (s.c.Hosts == nil || s.c.Hosts[i].Speed == nil) {
		base = s.c.LoadedUS
	}
	base = max(1, base*s.sizes[h.task]/1_000_000)
	spread := base * s.c.JitterPPM / 1_000_000
	h.left = max(1, base+h.draws.Int64N(2*spread+1)-spread) * 1_000_000
	h.began = now
}

// speed returns a processor's speed in the microsecond that begins now, in millionths.
func (s *stepped) speed(now int64, i int) int64 {
	ppm := int64(1_000_000)
	if s.c.Hosts != nil {
		for _, x := range s.c.Hosts[i].Speed {
			if x.FromUS <= now {
				ppm = x.PPM
			}
		}
	}
	return ppm
}

// drawHosts draws speeds, numbers and sizes of tasks for the processors.
func drawHosts(t *rapid.T, c Config) []Host {
	hosts := make([]Host, len(c.Topology))
	for i := range hosts {
		h := &hosts[i]
		h.Tasks = rapid.IntRange(0, 2*c.Tasks).Draw(t, "tasks")
		for range rapid.IntRange(0, h.Tasks).Draw(t, "workers") {
			h.Sizes = append(h.Sizes, rapid.Int64Range(1, 3_000_000).Draw(t, "size"))
		}
		from := int64(0)
		for k := range rapid.IntRange(0, 4).Draw(t, "speeds") {
			h.Speed = append(h.Speed, Speed{
				from,
				rapid.SampledFrom([]int64{0, 300_000, 1_000_000, 1_700_001}).Draw(t, "speed"),
			})
			from += rapid.Int64Range(1, 300).Draw(t, "from"+strconv.Itoa(k))
		}
		if n := len(h.Speed); n > 0 && h.Speed[n-1].PPM == 0 {
			h.Speed[n-1].PPM = 1_000_000
		}
	}
	return hosts
}

// Jumping from event to event equals stepping through every microsecond, and the order of the processors within a
// microsecond does not matter.
func TestEqualsStepping(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawConfig(t, 1)
		if rapid.Bool().Draw(t, "hosts") {
			c.Hosts = drawHosts(t, c)
		}
		if rapid.Bool().Draw(t, "dense") { // so that two requests to one processor fall into one microsecond
			c.RequestAgain, c.LatencyUS = true, 1
			c.IntervalUS = rapid.Int64Range(1, 3).Draw(t, "dense interval")
		}
		require.NoError(t, c.Validate())
		visits := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "visits"), 0))
		if diff := cmp.Diff(runStepped(c, visits), run(t, c)); diff != "" {
			t.Fatalf("stepped (-) and event-driven (+) differ:\n%s", diff)
		}
	})
}
