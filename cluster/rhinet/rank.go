package rhinet

import "slices"

// rank is one process of the parallel program, the only one on its host. It works through a list of operations; when
// the list is empty, the application adds the next loop.
type rank struct {
	id    int
	cpu   cpu
	ops   []op
	pc    int
	busy  bool  // the operation at pc has begun and ends with the rank's next event
	began int64 // when that operation began
	took  int64
	done  bool
	loop  int // current loop, from 1
	phase int // number of balancing phases begun

	team
	spans   []span // each rank's rows, as far as this rank knows; never changed in place
	resting bool   // WLB: the rank has no rows and takes no part
	delta   float64
	edge    [2]float64 // heat: the rows before and after this rank's rows
	known   []info     // reports of this phase
	split   *split     // the new split of this phase

	inbox   []int32 // messages that have arrived but are not yet received, in order of arrival
	waitFor int     // rank whose message this one waits for, or -1
	since   int64   // when the wait began
	heard   int64   // when the last received message left its sender, for a record

	phaseStart int64 // when the last balancing phase began
	phaseWait  int64 // wait at that time
	calc       int64 // ticks in compute over the whole run
	lb         int64 // ticks in balancing phases
	lbWait     int64 // of these, waiting for messages
	wait       int64 // ticks waiting for messages
	finish     int64
	lastCalc   int64 // ticks in compute since the last phase: time_i of equation (1)
	lastWait   int64 // ticks waiting since the last phase
	lastLoops  int   // loops since the last phase
	longest    int64 // longest compute of a loop since the last phase
	probe      int64 // WLB: wall time of the last probe
}

// span is the rows lo to hi-1.
type span struct{ lo, hi int }

func (s span) rowCount() int { return s.hi - s.lo }

// intersect returns the rows that are in both spans.
func (s span) intersect(t span) span {
	lo, hi := max(s.lo, t.lo), min(s.hi, t.hi)
	return span{lo, max(lo, hi)}
}

func (r *rank) ownRows() span { return r.spans[r.id] }

type opKind uint8

const (
	opCompute opKind = iota // one loop's work on the rank's rows
	opBurn                  // CPU time without effect
	opProbe                 // WLB: dummy rows relaxed
	opSend
	opRecv
	opTest    // tests whether the run has converged
	opPublish // the root has all blocks, which become the exchanged unknowns
	opPhase   // a balancing phase begins
	opDecide  // compute the new split from the reports
	opAdopt   // apply the new split
	opResume  // the phase is over
	opDone
)

// content is the kind of a message.
type content uint8

const (
	aChange  content = iota // largest change of an unknown
	aBlock                  // unknowns
	anEdge                  // edge row
	someRows                // rows that move to another rank
	loads                   // reports of the ranks first to first+count-1
	aSplit                  // new split
	theEnd                  // end of the run, to a resting rank
)

// op is one operation of a rank.
type op struct {
	kind  opKind
	what  content
	peer  int32
	first int32
	count int32
	bytes int
	ticks int64 // opBurn: CPU time
}

func (r *rank) addOperation(o op) { r.ops = append(r.ops, o) }

func (r *rank) send(to int, what content, bytes int) {
	r.addOperation(op{kind: opSend, what: what, peer: int32(to), bytes: bytes})
}

func (r *rank) recv(from int, what content) {
	r.addOperation(op{kind: opRecv, what: what, peer: int32(from)})
}

// oldestFrom returns the index of the oldest message from the given rank in the inbox; ok is false if there is none.
func (r *rank) oldestFrom(s *sim, from int) (at int, ok bool) {
	at = slices.IndexFunc(r.inbox, func(id int32) bool { return s.net.messages[id].src == from })
	return at, at >= 0
}

// begin starts the operation at pc and returns its CPU time; ok is false if the rank must wait for a message.
func (s *sim) begin(r *rank, o *op) (work int64, ok bool) {
	switch o.kind {
	case opCompute:
		s.computing = append(s.computing, r)
		return r.cpu.ticksFor(r.ownRows().rowCount()), true
	case opBurn:
		return o.ticks, true
	case opProbe:
		return r.cpu.ticksFor(s.cfg.WLB.Probe), true
	case opSend:
		return s.handling(o.bytes), true
	case opRecv:
		at, here := r.oldestFrom(s, int(o.peer))
		if !here {
			r.waitFor, r.since = int(o.peer), s.now
			return 0, false
		}
		return s.handling(s.net.messages[r.inbox[at]].bytes), true
	}
	return 0, true
}

// compute does the arithmetic of all loops that have begun. The result is needed when the first of these loops ends.
// Until then no rank publishes values or adopts rows, so it does not matter when the arithmetic is done.
func (s *sim) compute() {
	s.app.compute(s.computing)
	s.computing = s.computing[:0]
}

// handling returns the CPU time to send or to receive a message.
func (s *sim) handling(bytes int) int64 {
	return s.overhead + ticksOf(s.cfg.Host.CopyKiB)*int64(bytes)/1024
}

// endOperation carries out the effect of an operation that has ended.
func (s *sim) endOperation(r *rank, o op) {
	switch o.kind {
	case opCompute:
		s.compute()
		r.calc += r.took
		r.lastCalc += r.took
		r.lastLoops++
		r.longest = max(r.longest, r.took)
	case opProbe:
		r.probe = r.took
	case opSend:
		s.net.send(s.now, s.inject(r, o))
	case opRecv:
		at, _ := r.oldestFrom(s, int(o.peer))
		m := s.net.release(r.inbox[at])
		r.inbox = slices.Delete(r.inbox, at, at+1)
		s.learn(r, &m)
		s.recordMessage(r, &m)
	case opTest:
		if s.app.finished(s, r) {
			s.leave(r)
		}
	case opPublish:
		s.compute()
		s.app.publish()
	case opPhase:
		r.phaseStart, r.phaseWait = s.now, r.wait
		r.known, r.split = make([]info, s.cfg.Nodes), nil
		r.known[r.id] = s.report(r)
	case opDecide:
		s.decide(r)
		s.recordDecision(r)
	case opAdopt:
		s.compute()
		s.adopt(r)
	case opResume:
		r.lb += s.now - r.phaseStart
		r.lbWait += r.wait - r.phaseWait
		r.lastCalc, r.lastWait, r.lastLoops, r.longest = 0, 0, 0, 0
	case opDone:
		r.done, r.finish = true, s.now
	}
}

// leave ends the program after the operation at pc. Rank 0 also tells the resting ranks.
func (s *sim) leave(r *rank) {
	r.ops = r.ops[:min(r.pc+1, len(r.ops))]
	if r.id == 0 {
		for _, peer := range s.restingNow(r) {
			r.send(peer, theEnd, infoBytes)
		}
	}
	r.addOperation(op{kind: opDone})
}

// inject puts the message of a send operation into the network and returns its index.
func (s *sim) inject(r *rank, o op) int32 {
	m := message{src: r.id, dst: int(o.peer), bytes: o.bytes, at: s.now}
	switch o.what {
	case aChange:
		m.payload.value = r.delta
	case anEdge:
		m.payload.value = s.app.edgeValue(r, int(o.peer) < r.id)
	case loads:
		m.payload.first = int(o.first)
		m.payload.infos = slices.Clone(r.known[o.first : o.first+o.count])
	case aSplit:
		m.payload.split = r.split
	case theEnd:
		m.payload.end = true
	}
	return s.net.inject(m)
}

// learn stores the content of a received message.
func (s *sim) learn(r *rank, m *message) {
	p := &m.payload
	switch o := r.ops[r.pc]; {
	case p.end:
		s.leave(r)
	case o.what == aChange:
		r.delta = max(r.delta, p.value)
	case o.what == anEdge && m.src < r.id:
		r.edge[0] = p.value
	case o.what == anEdge:
		r.edge[1] = p.value
	case o.what == loads:
		copy(r.known[p.first:], p.infos)
	case o.what == aSplit:
		r.split = p.split
	}
}
