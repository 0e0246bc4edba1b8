package rhinet

import (
	"context"
	"slices"

	"emsim/internal/base/state"
)

// sim is one run: the hosts' programs over a network, event by event. Ticks without events are skipped. This is
// equivalent to stepping through them (network_test.go compares both).
type sim struct {
	cfg       Config
	net       network
	fab       fabric
	app       application
	ranks     []rank
	computing []*rank // ranks in a loop whose arithmetic is not done yet
	now       int64
	overhead  int64 // CPU ticks to send or to receive a message
	epochs    []Epoch
	deviation float64
	watch     Watch
	record    *recorder // nil if nothing is recorded
	shown     state.Shown
	err       error
}

// Run runs the whole program. The same Config gives the same Result, bit by bit, on every computer. If ctx ends
// first, Run returns the results so far with the error of ctx.
func Run(ctx context.Context, c Config) (*Result, error) {
	return RunWatched(ctx, c, Watch{})
}

func newSim(c Config) (*sim, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	s := &sim{cfg: c, net: network{home: make([]int, c.Nodes), tx: make([]int64, c.Nodes), rx: make([]int64, c.Nodes)}}
	if c.Network == Ethernet {
		s.fab = &hub{net: &s.net, p: c.Hub}
		s.net.full, s.net.leave, s.overhead = c.Hub.Payload, c.Hub.frameTicks, ticksOf(c.Host.EthernetMessage)+
			ticksOf(c.Host.MPIMessage)
	} else {
		switches := c.Torus.switches()
		s.fab = &torus{net: &s.net, p: c.Torus, s: switches, free: make([][switchPorts]int64, len(switches.peers))}
		s.net.full, s.net.leave, s.net.wire, s.net.home = c.Torus.MTU, c.Torus.dmaTicks, c.Torus.LinkTicks,
			switches.home
		s.overhead = ticksOf(c.Host.RHiNETMessage) + ticksOf(c.Host.MPIMessage)
	}
	if c.Application == Heat {
		s.app = newHeat(&c)
	} else {
		s.app = newSOR(&c)
	}
	rows, err := Share(c.distributedRows(), slices.Repeat([]float64{1}, c.Nodes))
	if err != nil {
		return nil, err
	}
	spans, first := make([]span, c.Nodes), Epoch{Loop: 0, Rows: rows, First: make([]int, c.Nodes)}
	blocks(spans, 0, rows)
	s.ranks = make([]rank, c.Nodes)
	for i := range s.ranks {
		first.First[i] = spans[i].lo
		s.ranks[i] = rank{
			id: i, cpu: newCPU(&c, i), team: newTeam(&c, i), spans: spans,
			known: make([]info, c.Nodes), waitFor: -1,
		}
	}
	s.epochs = []Epoch{first}
	return s, nil
}

func (s *sim) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// start begins a run, or continues one.
func (s *sim) start() error {
	var sample func(at int64)
	if s.watch.Sample != nil {
		sample = s.tellSample
	}
	var err error
	if s.shown, err = state.NewShown(s.watch.Every, sample, s.watch.Snapshots, s.state); err != nil ||
		s.watch.Snapshots.Resumed() {
		return err
	}
	s.beginRecord()
	for i := range s.ranks {
		s.wakeRank(i, 0)
	}
	return nil
}

// runEvents handles events until there are no more, then checks that every rank is done. If ctx ends, it returns the
// error of ctx.
func (s *sim) runEvents(ctx context.Context) error {
	const checkEvery = 16 // events between two checks of ctx, at the end of a tick; one may relax a million rows
	for n := checkEvery; len(s.net.events) > 0 && s.err == nil; n++ {
		next := s.net.events[0].At
		if s.shown.Before(next); n >= checkEvery && next > s.now {
			if n = 0; ctx.Err() != nil {
				s.now = s.shown.Stop(next)
				return ctx.Err()
			}
			s.tellProgress()
		}
		s.handleNext()
	}
	if s.err != nil {
		return s.err
	}
	for i := range s.ranks {
		if r := &s.ranks[i]; !r.done {
			return deadlocked(r)
		}
	}
	s.shown.End(s.now)
	var err error
	if s.deviation, err = s.app.deviation(ctx); err != nil {
		s.watch.Snapshots.Stopped(s.now, s.state)
	}
	return err
}

// tellProgress reports the progress of the run to the watch.
func (s *sim) tellProgress() {
	if s.watch.Progress == nil {
		return
	}
	loops := 0
	if s.cfg.Application == Heat {
		loops = s.cfg.Heat.Steps
	}
	s.watch.Progress(s.now, int64(s.ranks[0].loop), int64(loops))
}

// handleNext handles the next event: it continues a rank, delivers a message, or moves a packet's header.
func (s *sim) handleNext() {
	x := s.net.events.Next()
	s.now = x.At
	switch {
	case x.At > maxTicks:
		s.fail(tooLong(s.ranks[0].loop))
	case x.Order >= rankOrder:
		s.continueRank(&s.ranks[x.Order-rankOrder])
	case x.What.sw == deliver:
		s.arrive(x.What.msg)
	default:
		s.net.follow(x)
		s.fab.forward(x)
	}
}

func (s *sim) wakeRank(rank int, at int64) {
	s.net.events.Add(item{At: at, Order: rankOrder + uint64(rank)})
}

// arrive puts a complete message into its receiver's inbox.
func (s *sim) arrive(id int32) {
	m := &s.net.messages[id]
	r := &s.ranks[m.dst]
	s.net.inAir--
	r.inbox = append(r.inbox, id)
	if r.waitFor != m.src {
		return
	}
	waited := s.now - r.since
	r.wait += waited
	r.lastWait += waited
	r.waitFor = -1
	s.wakeRank(r.id, s.now)
}

// continueRank runs r until an operation takes time or must wait, or until r is done.
func (s *sim) continueRank(r *rank) {
	for s.err == nil && !r.done {
		if r.pc == len(r.ops) {
			r.ops, r.pc = r.ops[:0], 0
			if r.resting { // relax some dummy rows to measure how fast the host is now, and report this
				r.addOperation(op{kind: opProbe})
				s.balance(r)
			} else {
				s.app.beginLoop(s, r)
			}
			continue
		}
		if !r.busy {
			work, ok := s.begin(r, &r.ops[r.pc])
			if !ok {
				return
			}
			r.busy, r.began = true, s.now
			end := r.cpu.advance(s.now, work)
			if r.took = end - s.now; r.took > 0 {
				s.wakeRank(r.id, end)
				return
			}
		}
		r.busy = false
		o := r.ops[r.pc]
		s.endOperation(r, o)
		s.recordOperation(r, &o)
		r.pc++
	}
}
