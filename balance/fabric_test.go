package balance

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// sender sends units number from to to-1 (children of a unit, or initial units) to worker 1, and logs the time of each
// event.
type sender struct {
	Hooks
	from, to int
	log      *[]string
}

func (p sender) note(what string) {
	*p.log = append(*p.log, fmt.Sprintf("%d: %d %s", p.W.Now(), p.W.ID, what))
}

func (p sender) Born(k int) int {
	if p.from <= k && k < p.to {
		return 1
	}
	return p.W.ID
}

func (p sender) Done() { p.note("done") }

func (p sender) Message(m *Message) {
	p.note(fmt.Sprintf("has %d", m.Units()))
}

// story returns the log of a fabric on which worker 0 of two sends some of its units to worker 1. Worker 0 also
// polls, which has no effect because it is sent no units.
func story(t *testing.T, from, to int, load Workload, f Fabric, routes *Routes) []string {
	var log []string
	load.Work, load.One = 1000, load.Shape != Loop
	sane(t, Setup{
		Policy: Policy{Name: "sender", New: func(w *Worker) Agent {
			w.Polls = w.ID == 0 && !f.InOrder
			return sender{Hooks{w}, from, to, &log}
		}},
		Workers:  2,
		Workload: load, Fabric: f, Routes: routes,
	})
	return log
}

// A result crosses the network, and the rest of the parent's work starts after the last result.
func TestResults(t *testing.T) {
	require.Equal(t, []string{
		"600: 0 done",
		// the second child is sent until 650 and received until 800
		"800: 1 has 1",
		"1650: 0 done",
		"1800: 1 done",
		// its result is sent until 1840 and received until 1980
		"2380: 0 done",
	}, story(t, 1, 2, Workload{Shape: Tree, Units: 1, Rest: 40}, Fabric{Message: 40, Unit: 10, Latency: 100}, nil))
}

// A link carries one message at a time, and a sender waits until the first link is free.
func TestLinks(t *testing.T) {
	both := &Routes{Links: 2, Path: func(int, int) []int32 { return []int32{0, 1} }}
	f := Fabric{Message: 10, Latency: 30, Hop: 20, Hold: 100}
	require.Equal(t, []string{
		// it leaves at 10, takes the second link at 30 and arrives at 60
		"70: 1 has 1",
		// it is ready at 20 but leaves at 210, 200 after the first one
		"270: 1 has 1",
		"1080: 1 done", // 10 for the second message
		"1210: 0 done", // it began when the second message had left
		"2080: 1 done",
		"2210: 0 done",
	}, story(t, 0, 2, Workload{Shape: Bag, Units: 2}, f, both))
	f.Hop = 150 // the second message then finds both links free
	require.Contains(t, story(t, 0, 2, Workload{Shape: Bag, Units: 2}, f, both), "400: 1 has 1")
}

// With requests, a unit needs three messages.
func TestAsks(t *testing.T) {
	require.Equal(t, []string{
		// the request arrives at 140 and is read until 180; its answer arrives at 320 and is read until 360; the unit
		// arrives at 510
		"560: 1 has 1",
		"1130: 0 done", // it began at 40; 40 for the answer and 50 for the unit
		"1560: 1 done",
	}, story(t, 0, 1, Workload{Shape: Bag, Units: 1}, Fabric{Message: 40, Unit: 10, Latency: 100, Asks: true}, nil))
}

// Messages that wait for their turn are read in order of arrival, including those from the worker itself. They spill
// if a message is already waiting.
func TestInOrder(t *testing.T) {
	require.Equal(t, []string{
		"200: 1 has 1",
		// worker 0 sends until 300; it sends four of the six units to itself
		"350: 0 has 1",
		"1200: 1 done",
		"1250: 1 has 1", // it arrived at 200, but did not interrupt
		"1350: 0 done",
		"1414: 0 has 1", // it arrived at 200, when the first one waited, and spilt: 14 longer
		"2250: 1 done",
		"2414: 0 done",
		"2478: 0 has 1", // also spilt
		"3478: 0 done",
		"3542: 0 has 1",
		"4542: 0 done",
	}, story(t, 0, 2, Workload{Shape: Bag, Units: 3}, Fabric{
		Message: 40, Unit: 10, Latency: 100, InOrder: true,
		Buffer: 1, Spill: 7,
	}, nil))
}

// caller sends a message to worker 0 at tick 20.
type caller struct{ sender }

func (p caller) Timer(int) { p.W.Tell(0, Message{}) }

// A message that takes no CPU time does not wait, and does not end the reading of another message.
func TestNoTurn(t *testing.T) {
	var log []string
	sane(t, Setup{
		Policy: Policy{Name: "caller", New: func(w *Worker) Agent {
			if w.ID == 1 {
				w.After(20, 0)
			}
			return caller{sender{Hooks{w}, 0, 0, &log}}
		}},
		Workers: 2, Workload: Workload{Shape: Bag, Units: 1, Work: 1000, One: true},
		Fabric: Fabric{Message: 40, Unit: 10, Latency: 100, InOrder: true},
	})
	require.Equal(t, []string{
		"120: 0 has 0",
		"150: 0 has 1", // reading began at 100
		"1150: 0 done",
		"1200: 0 has 1",
		"2200: 0 done",
	}, log)
}

// A slow worker reads later that the barrier is open, and this is not part of its units' time. A single worker does
// not wait.
func TestBarrier(t *testing.T) {
	load := Workload{Shape: Loop, Units: 1, Rounds: 2, Slow: []int{1}, Of: 2, Percent: 50}
	f := Fabric{Message: 40, Latency: 100}
	require.Equal(t, []string{
		"1000: 0 done",
		"2000: 1 done",
		// up the tree until 2220; worker 0 has written at 2260, worker 1 has read at 2440
		"3260: 0 done",
		"4440: 1 done",
	}, story(t, 0, 0, load, f, nil))
	load.Work = 1000
	none, _ := FindPolicy("none")
	s := Setup{Policy: none, Workload: load, Fabric: f, Workers: 2}
	w := newWorld(&s)
	require.NoError(t, w.runEvents(t.Context(), "none"))
	require.EqualValues(t, 4000, w.workers[1].Busy())
	s.Workers = 1
	require.EqualValues(t, 2000, sane(t, s).Time)
}

// poller reads its mail when it has nothing else to do, and looks at the other worker after each unit.
type poller struct{ sender }

func (p poller) Done() {
	p.W.Show()
	shown, unread := p.W.Peek(int32(1 - p.W.ID))
	p.note(fmt.Sprintf("done, sees %d and %d", shown, unread))
}

func (p poller) Idle() {
	const most = 2
	p.note(fmt.Sprintf("mail %d, reads %d", p.W.Mail(), p.W.Read(most)))
	p.W.After(500, 0)
}

func (p poller) Timer(int) {
	if p.W.Mail() > 0 && !p.W.Running() {
		p.Idle()
	}
}

// With Polls, units wait until they are read, as many as the policy wants. A peek returns the backlog shown last, and
// how many of the looking worker's units are unread.
func TestPolls(t *testing.T) {
	var log []string
	sane(t, Setup{
		Policy: Policy{Name: "poller", New: func(w *Worker) Agent {
			w.Polls = true
			return poller{sender{Hooks{w}, 0, 3, &log}}
		}},
		Workers: 2, Workload: Workload{Shape: Bag, Units: 3, Work: 1000, One: true},
		Fabric: Fabric{Message: 40, Unit: 10, Probe: 20, Latency: 100},
	})
	require.Equal(t, []string{
		"0: 1 mail 0, reads 0",
		"500: 1 mail 3, reads 2", // they arrived at 150, 200 and 250
		"550: 1 has 1",
		"600: 1 has 1",
		"1150: 0 done, sees 0 and 1", // it began at 150; two of three are read
		"1600: 1 done, sees 2 and 0",
		"2170: 0 done, sees 1 and 1", // the peek took 20
		"2620: 1 done, sees 1 and 0", // shown at 2170; the unit has run since then
		"2620: 1 mail 1, reads 1",
		"2690: 1 has 1",
		"3190: 0 done, sees 0 and 0",
		"3190: 0 mail 0, reads 0",
		"3690: 1 done, sees 0 and 0",
		"3690: 1 mail 0, reads 0",
	}, log)
}
