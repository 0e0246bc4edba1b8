package balance

import (
	"math/rand/v2"

	"emsim/internal/base/agenda"
	"emsim/internal/base/moves"
)

// Worker is a policy's view of its own worker. Methods that get information from other workers, or that move units,
// take CPU time.
type Worker struct {
	ID  int
	Rng *rand.Rand // the policy's own random numbers

	// LIFO makes the worker run its newest unit first and give away its oldest. Keep makes it run received units
	// first and never pass them on. A policy sets both in New.
	LIFO, Keep bool
	// Polls makes received messages, except probes, wait until the policy reads them.
	Polls bool

	world   *world
	agent   Agent
	queue   agenda.FIFO[int32]
	coming  []int32            // units that will be born here, in order of arrival
	born    int                // number of units born so far
	own     agenda.FIFO[int32] // units that run first and are not given away: received ones with Keep, and rests
	mail    agenda.FIFO[int32] // with Polls: messages that wait for Read
	unread  map[int]int        // units sent to another worker that it has not read
	inbox   agenda.FIFO[int32] // messages that wait for their turn
	reading int32              // the message being read, or -1
	speed   speed
	running int32 // the running unit, or -1
	owed    int64 // CPU time that messages took from the running unit
	delays  int   // number of such delays of the running unit
	started int64
	handler int64 // when the CPU will have handled all messages so far
	busy    int64 // total run time of finished units, with the messages in between
	handled int64 // total time of messages, peeks, decisions and waits for links
	cut     int64 // of this, while a unit was running
	done    int
	results int // results passed on to a neighbour
	paused  bool
	shown   int   // the backlog that other workers see
	showed  int64 // when it was shown
	told    bool  // Idle has been called
}

// Workers returns the number of all workers.
func (w *Worker) Workers() int { return len(w.world.workers) }

// Now returns the current time in ticks.
func (w *Worker) Now() int64 { return w.world.now }

// Fabric returns the parameters of the network.
func (w *Worker) Fabric() Fabric { return w.world.fabric }

// Near returns the workers whose load this one can read.
func (w *Worker) Near() []int32 { return w.world.near[w.ID] }

// Circuits returns the two circuits through every worker.
func (w *Worker) Circuits() *Circuits { return &w.world.circuits }

// Backlog returns the number of units that wait here, plus the number of messages that wait for their turn. The
// running unit does not count.
func (w *Worker) Backlog() int { return w.units() + w.inbox.Len() }

// units returns the number of units that can run here.
func (w *Worker) units() int { return w.queue.Len() + w.own.Len() }

// Running reports whether a unit runs here.
func (w *Worker) Running() bool { return w.running >= 0 }

// Finished returns the number of units finished here so far.
func (w *Worker) Finished() int { return w.done }

// Busy returns the time during which units ran here so far.
func (w *Worker) Busy() int64 {
	if w.running >= 0 && w.world.now > w.started {
		return w.busy + w.world.now - w.started
	}
	return w.busy
}

// Typical returns the mean work of a unit. Policies with an interval know no other property of the workload.
func (w *Worker) Typical() int64 { return w.world.load.Work }

// Show writes the backlog where workers near this one can read it. It takes no CPU time; the policy charges for
// writing by Think.
func (w *Worker) Show() { w.shown, w.showed = w.Backlog(), w.world.now }

// Peek returns the backlog that a Near worker showed last, and how many units sent to it from here it has not read
// yet. It takes the CPU time of one end of a probe.
func (w *Worker) Peek(near int32) (shown, unread int) {
	w.charge(w.world.fabric.Probe, alone("peek", moves.Balance))
	w.world.result.Probes++
	shown = w.world.workers[near].shown
	w.world.record.learn(w, int(near), int64(shown), w.world.workers[near].showed)
	return shown, w.unread[int(near)]
}

// Mail returns the number of messages that wait to be read.
func (w *Worker) Mail() int { return w.mail.Len() }

// Read reads the first message, and further messages while all together have at most `most` units. It returns the
// number of units; they enter the queue once the messages are read.
func (w *Worker) Read(most int) (units int) {
	for w.mail.Len() > 0 {
		n := len(w.world.messages[*w.mail.At(0)].units)
		if units > 0 && units+n > most {
			break
		}
		units += n
		w.world.receive(w, w.mail.PopOldest())
	}
	return units
}

// Think takes CPU time for a decision.
func (w *Worker) Think(ticks int64) { w.charge(ticks, alone("decide", moves.Balance)) }

// Tell sends a message that carries only information about load: a probe.
func (w *Worker) Tell(to int, m Message) {
	m.kind = probe
	w.world.sendMessage(w, to, m)
}

// Send sends a message without units.
func (w *Worker) Send(to int, m Message) { w.world.sendMessage(w, to, m) }

// Give sends up to n waiting units in one message, and returns how many it sent. If there is nothing to give, it
// sends the message only if that has a Kind, because the receiver may be waiting for it.
func (w *Worker) Give(to, n int, m Message) int {
	n = max(0, min(n, w.queue.Len()))
	if n == 0 && m.Kind == 0 {
		return 0
	}
	for range n {
		u := int32(0)
		if w.LIFO {
			u = w.queue.PopOldest()
		} else {
			u = w.queue.PopNewest()
		}
		m.units = append(m.units, u)
	}
	w.world.backlog(w, -n)
	w.world.sendMessage(w, to, m)
	return n
}

// Pool returns the number of units that Take can get from outside the queue.
func (w *Worker) Pool() int { return w.world.poolFor(w) }

// Take puts up to n units from outside into the queue. It takes the CPU time of one end of a message with these units.
func (w *Worker) Take(n int) {
	n = min(n, w.Pool())
	if n < 1 {
		return
	}
	w.charge(w.world.fabric.Message+w.world.fabric.Unit*int64(n), alone("take", moves.Balance))
	w.world.pooled -= n
	for range n {
		u := w.world.newUnit(0, -1)
		w.world.units[u].at = int32(w.ID)
		w.world.record.born(u, w.ID, w.world.now)
		w.world.addToQueue(w, u, false)
	}
}

// Givable returns the number of units that Give could send.
func (w *Worker) Givable() int { return w.queue.Len() }

// After calls the Timer hook after some ticks, 0 or more.
func (w *Worker) After(ticks int64, key int) {
	w.world.schedule(w.world.now+max(0, ticks), event{kind: wake, worker: int32(w.ID), n: int32(key)})
}

// Pause prevents the worker from starting units until Resume.
func (w *Worker) Pause() { w.paused = true }

// Resume ends a Pause.
func (w *Worker) Resume() { w.paused = false }

// NoValue ends the run because the policy's formula has no value here.
func (w *Worker) NoValue(why string) { w.world.result.NA = why }

// charge takes CPU time for messages, before any unit, and returns the time at which it ends. It records the purpose
// d.
func (w *Worker) charge(ticks int64, d did) int64 {
	if ticks == 0 {
		return max(w.world.now, w.handler)
	}
	from := max(w.world.now, w.handler)
	w.handler = w.speed.advance(from, ticks)
	w.took(d, from, w.handler)
	if w.running >= 0 {
		w.owed += ticks
	}
	w.world.result.Overhead += ticks
	return w.handler
}

// stall makes the CPU wait after it has handled all messages so far.
func (w *Worker) stall(ticks int64) {
	if ticks > 0 {
		w.took(alone("wait for a link", moves.Balance), w.handler, w.handler+ticks)
	}
	w.handler += ticks
	if w.running >= 0 {
		w.owed += ticks
	}
}

// took counts and records time for a message or a decision.
func (w *Worker) took(d did, from, to int64) {
	w.handled += to - from
	if w.running >= 0 {
		w.cut += to - from
	}
	w.world.record.charged(w, d, from, to)
}

// handUnit sends a given unit and reports whether it did. A running unit is not sent.
func (w *Worker) handUnit(u int32, to int, m Message) bool {
	if w.running == u {
		return false
	}
	if w.queue.Remove(u) {
		w.world.backlog(w, -1)
	}
	m.units = []int32{u}
	w.world.sendMessage(w, to, m)
	return true
}
