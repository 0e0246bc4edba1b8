package balance

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"emsim/internal/base/agenda"
)

// Setup describes one world: a policy with a workload.
type Setup struct {
	Policy   Policy
	Workload Workload
	Fabric   Fabric
	Workers  int
	Seed     uint64
	Numbers  Numbers // DefaultNumbers if not given
	// Near, Circuits and Routes default to the comparison's.
	Near     Graph
	Circuits *Circuits
	Routes   *Routes
	// Watch is called with the load of every worker at times 0, Every, 2·Every and so on; it may be nil.
	Watch func(at int64, loads []Load)
	Every int64
	// Record gets the moves and their reasons; it may be nil.
	Record *Record
	// Progress is called now and then with the number of runs of units left; it may be nil.
	Progress func(now int64, left int)
}

// event is something that happens at a worker. Events of the same tick are in order of creation.
type event struct {
	worker int32
	kind   eventKind
	n      int32 // of hop, arrive and deliver: the message; of wake: the timer's key
}

type eventKind uint8

const (
	finish  eventKind = iota // the running unit ends
	hop                      // a message reaches its next link
	arrive                   // a message reaches the worker's network interface
	deliver                  // a message has been read
	wake                     // a timer expires
	release                  // the barrier opens
	come                     // a unit arrives at the worker at which it is born
)

type world struct {
	load     *Workload
	fabric   Fabric
	numbers  Numbers
	ideal    *ideal // rule of a bound, over a fabric that costs nothing; nil if the policies decide
	near     Graph
	circuits Circuits
	routes   *Routes // nil for the torus, whose links are never busy
	links    []int64 // by link of routes: when it is free
	rows     int     // of the torus
	cols     int

	now      int64
	events   agenda.Timeline[event]
	workers  []Worker
	planned  []int64            // with an ideal: when all units of each worker will be done
	chance   *rand.Rand         // with an ideal: its random numbers
	common   agenda.FIFO[int32] // with an ideal: units that wait for any worker
	turn     int                // with an ideal: the worker that was last in turn
	units    []unit
	messages []Message
	unused   []int32 // messages that can be reused
	mesh     *mesh
	work     *rand.Rand
	pooled   int    // units outside the queues
	ready    []bool // in a graph: the unit is in a queue or running

	left   int // runs of units still to do
	ended  ended
	inTurn int // in a loop: units still to run in this round
	round  int32

	lastCome int64 // when the last unit arrives
	stays    []stay
	there    int   // units of an open workload that have arrived and not ended
	area     int64 // sum of there over time
	total    int64 // sum of the times that units were present

	idle    int   // workers with no running unit
	waiting int64 // sum of backlogs
	squares int64 // sum of the squares of the backlogs
	last    int64 // time up to which the integrals are complete
	spread  float64
	result  *Result

	record   *recorder // nil if nothing is recorded
	progress func(now int64, left int)
	watch    func(at int64, loads []Load)
	every    int64
	sampled  int64 // time of the next call of Watch
}

// patience is the multiple of the ideal time, plus some time for messages, after which a run is given up [chosen].
const patience = 2000

// mostDelays is how often messages can delay the end of a unit before a run is given up [chosen: a worker with a
// tenth of its time left needs about 50].
const mostDelays = 1000

// Run runs one world to its end. It returns the context's error, or an error if the workload cannot be run or the
// policy leaves units that have not run.
func Run(ctx context.Context, s Setup) (*Result, error) {
	if err := s.Workload.Validate(s.Workers); err != nil {
		return nil, err
	}
	w := newWorld(&s)
	return w.result, w.runEvents(ctx, s.Policy.Name)
}

func newWorld(s *Setup) *world {
	n := s.Workers
	w := &world{
		load: &s.Workload, fabric: s.Fabric, numbers: cmp.Or(s.Numbers, DefaultNumbers()), ideal: s.Policy.ideal,
		near: s.Near, work: rand.New(rand.NewPCG(s.Seed, math.MaxUint64)),
		workers: make([]Worker, n), idle: n,
		result: &Result{Done: make([]int, n), End: make([]int64, n)},
		watch:  s.Watch, every: max(1, s.Every), record: newRecorder(s.Record, s.Policy, n), progress: s.Progress,
	}
	if s.Policy.Free {
		w.fabric = Fabric{}
	}
	if w.ideal != nil {
		w.planned, w.turn, w.chance = make([]int64, n), -1, rand.New(rand.NewPCG(s.Seed, math.MaxUint64-2))
	}
	w.rows, w.cols = shape(n)
	if s.Routes == nil && w.fabric.Hold > 0 {
		s.Routes = torusRoutes(w.rows, w.cols)
	}
	if s.Routes != nil {
		w.routes, w.links = s.Routes, make([]int64, s.Routes.Links)
	}
	if w.near == nil {
		w.near = VisibilityGraph(n)
	}
	if s.Circuits != nil {
		w.circuits = *s.Circuits
	} else {
		w.circuits = TorusCircuits(n)
	}
	for i := range w.workers {
		rng := rand.New(rand.NewPCG(s.Seed, uint64(i)))
		w.workers[i] = Worker{
			ID: i, world: w, running: -1, reading: -1, Rng: rng,
			speed: w.load.speed(i, rand.New(rand.NewPCG(s.Seed, uint64(i)|1<<32))),
		}
	}
	for i := range w.workers {
		w.workers[i].agent = s.Policy.New(&w.workers[i])
	}
	w.birth(s.Seed)
	for i := range w.workers {
		w.dispatch(&w.workers[i])
	}
	return w
}

// enqueue puts a worker's unit into the worker's queue, if it can run now.
func (w *world) enqueue(i *Worker, u int32) {
	switch w.load.Shape {
	case Loop:
		if w.units[u].runs > w.round {
			return
		}
	case Mesh:
		if w.ready[u] || !w.mesh.ready(w.units, u, w.load.Rounds) {
			return
		}
		w.ready[u] = true
	}
	w.addToQueue(i, u, false)
}

// addToQueue adds a unit to a queue; a unit that stays runs before the others.
func (w *world) addToQueue(i *Worker, u int32, stays bool) {
	if w.ideal != nil {
		w.placeFreely(i, u, stays)
		return
	}
	if stays {
		i.own.Push(u)
	} else {
		i.queue.Push(u)
	}
	w.backlog(i, 1)
}

// earliest returns the worker that would finish a unit first. List scheduling gives it every unit as soon as the unit
// can run: it is a scheduler that knows everything and costs nothing.
func (w *world) earliest(u int32) *Worker {
	best, end, work := 0, int64(math.MaxInt64), w.partWork(u)
	for i, from := range w.planned {
		if from = max(from, w.now); from+work < end { // no worker is faster than full speed
			if t := w.workers[i].speed.advance(from, work); t < end {
				best, end = i, t
			}
		}
	}
	w.planned[best] = end
	return &w.workers[best]
}

// poolFor returns the number of units outside the queues that a worker could take.
func (w *world) poolFor(i *Worker) int {
	if w.pooled == 0 || !slices.Contains(w.load.PoolAt, i.ID) {
		return 0
	}
	return w.pooled
}

// dispatch starts the next unit of a worker that has no running unit.
func (w *world) dispatch(i *Worker) {
	if i.running >= 0 || i.reading >= 0 || w.bearsNow(i) {
		return
	}
	if i.inbox.Len() > 0 && (i.paused || i.units() == 0) {
		i.reading = i.inbox.PopOldest()
		w.backlog(i, -1)
		w.receive(i, i.reading)
		return
	}
	if i.paused {
		return
	}
	if i.units() == 0 && w.poolFor(i) > 0 {
		i.Take(1)
	}
	w.findFreely(i)
	if i.units() == 0 {
		if !i.told {
			i.told = true
			i.agent.Idle()
		}
		return
	}
	u := int32(0)
	switch {
	case i.own.Len() > 0:
		u = i.own.PopOldest()
	case i.LIFO:
		u = i.queue.PopNewest()
	default:
		u = i.queue.PopOldest()
	}
	w.backlog(i, -1)
	w.idle--
	i.running, i.told, i.owed, i.delays = u, false, 0, 0
	i.started = max(w.now, i.handler)
	w.schedule(i.speed.advance(i.started, w.partWork(u)), event{kind: finish, worker: int32(i.ID)})
}

// schedule adds an event at a later time.
func (w *world) schedule(at int64, e event) {
	w.events.Add(at, e)
}

func (w *world) runEvents(ctx context.Context, name string) error {
	limit := int64(patience)*w.result.Ideal +
		1000*(w.fabric.Move()+w.fabric.Latency+w.load.Gap)*int64(len(w.workers)+w.load.Rounds)
	for n := 0; w.left > 0 && w.result.NA == ""; n++ {
		if n%4096 == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if w.progress != nil {
				w.progress(w.now, w.left)
			}
		}
		at, e, ok := w.events.Next()
		if !ok {
			return w.stalled("%s: nothing more can happen, but %d units have not run", name, w.left)
		}
		w.sampleLoads(at)
		w.now = at
		w.record.until(at)
		if w.now > limit {
			return w.stalled("%s: not done after %d times the ideal time; %d units have not run%s", name, patience,
				w.left, w.since(limit))
		}
		w.handle(e)
	}
	w.finish()
	return nil
}

func (w *world) handle(e event) {
	i := &w.workers[e.worker]
	switch e.kind {
	case finish:
		if i.owed > 0 {
			if i.delays++; i.delays > mostDelays {
				w.result.NA = "messages come to a worker so fast that its unit never ends"
			}
			again := i.speed.advance(w.now, i.owed)
			i.owed = 0
			w.schedule(again, event{kind: finish, worker: e.worker})
			return
		}
		w.finished(i)
	case hop:
		w.takeLink(w.now, e.n)
		return
	case arrive:
		w.arrive(i, e.n)
		return
	case deliver:
		if i.reading == e.n {
			i.reading = -1
		}
		w.deliver(i, e.n)
	case wake:
		i.agent.Timer(int(e.n))
	case release:
		w.openRound()
		return
	case come:
		w.bearDue(i)
	}
	w.dispatch(i)
}

// finished handles the end of the running unit of a worker.
func (w *world) finished(i *Worker) {
	w.integrate()
	u := i.running
	i.running = -1
	w.idle++
	i.busy += w.now - i.started
	w.record.worked(i.ID, i.started, w.now)
	if w.load.Shape == Tree && w.growTree(i, u) {
		i.agent.Done()
		return
	}
	i.done++
	w.ended = ended{w.now, w.result.Moved, w.result.Messages}
	w.result.End[i.ID] = w.now
	w.units[u].runs++
	if int(w.units[u].runs) == w.rounds() {
		w.record.left(u, i.ID, w.now)
	}
	w.left--
	w.noteResponse(u)
	if w.load.Home != nil {
		w.passResult(i)
	}
	switch w.load.Shape {
	case Loop:
		if w.inTurn--; w.inTurn == 0 && w.left > 0 {
			w.barrier()
		}
	case Mesh:
		w.stepped(i, u)
	}
	i.agent.Done()
}

// openRound begins the next round of a loop. A worker runs nothing before it has read that the barrier is open. This
// wait does not count as a unit's time.
func (w *world) openRound() {
	w.round++
	w.inTurn = len(w.units)
	for u := range w.units {
		if at := w.units[u].at; at >= 0 {
			w.enqueue(&w.workers[at], int32(u))
		}
	}
	for i := range w.workers {
		w.workers[i].agent.Timer(Barrier)
	}
	for i := range w.workers {
		w.dispatch(&w.workers[i])
	}
}

// rounds returns how often each unit runs.
func (w *world) rounds() int {
	if w.load.Shape == Loop || w.load.Shape == Mesh {
		return w.load.Rounds
	}
	return 1
}
