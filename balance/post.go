package balance

import (
	"fmt"

	"emsim/internal/base/moves"
)

// stepped sends the messages of a graph's unit after a step. It queues the units that may be able to run now: the
// receivers on this worker, the senders whose messages the unit has read, and the unit itself.
func (w *world) stepped(i *Worker, u int32) {
	w.ready[u] = false
	for _, k := range w.mesh.out[u] {
		to := w.mesh.edges[k].To
		if at := w.units[to].at; int(at) == i.ID {
			w.mesh.got[k]++
			w.enqueue(i, to)
		} else if at >= 0 {
			w.sendMessage(i, int(at), Message{kind: data, unit: k})
		} else { // the unit is travelling: the message follows it to its destination
			w.sendMessage(i, int(w.heading(to)), Message{kind: data, unit: k})
		}
	}
	for _, k := range w.mesh.in[u] {
		if from := w.mesh.edges[k].From; w.units[from].at >= 0 {
			at := &w.workers[w.units[from].at]
			w.enqueue(at, from)
			if at != i {
				w.dispatch(at)
			}
		}
	}
	w.enqueue(i, u)
}

// heading returns the destination of a travelling unit, whose place is -2 - worker.
func (w *world) heading(u int32) int32 { return -2 - w.units[u].at }

// messageCost returns the CPU time of a message at each end.
func (w *world) messageCost(m *Message) int64 {
	switch {
	case m.kind == probe:
		return w.fabric.Probe
	case m.kind == result && w.load.Home != nil:
		return w.fabric.Unit
	}
	return w.fabric.Message + w.fabric.Unit*int64(len(m.units))
}

// did returns the purpose of a message's CPU time at one end. peer is the worker whose message had to arrive first,
// or moves.Outside.
func (m *Message) did(doing string, peer int) did {
	use := moves.Balance
	if m.kind == data || m.kind == result {
		use = moves.Exchange
	}
	return did{doing, use, peer, m.sent}
}

// arrive handles a message that arrives at a worker's network interface.
func (w *world) arrive(i *Worker, n int32) {
	m := &w.messages[n]
	if i.Polls && m.kind == plain {
		i.mail.Push(n)
		return
	}
	cost := w.messageCost(m)
	m.spilt = cost > 0 && w.fabric.Buffer > 0 && i.Backlog() >= w.fabric.Buffer
	if !w.fabric.InOrder || cost == 0 {
		w.receive(i, n)
		return
	}
	i.inbox.Push(n)
	w.backlog(i, 1)
	w.dispatch(i)
}

// receive charges a worker for receiving a message, and schedules the message's delivery.
func (w *world) receive(i *Worker, n int32) {
	m := &w.messages[n]
	cost := w.messageCost(m)
	if m.spilt {
		cost += w.fabric.Spill * int64(1+len(m.units))
	}
	at := w.now // a message that takes no CPU time does not wait
	if cost > 0 {
		at = i.charge(cost, m.did("receive", m.From))
	}
	w.schedule(at, event{kind: deliver, worker: int32(i.ID), n: n})
}

// sendMessage charges a worker for sending a message, and schedules the message's arrival. The message's units are
// travelling from now on.
func (w *world) sendMessage(i *Worker, to int, m Message) {
	if to < 0 || to >= len(w.workers) {
		i.NoValue(fmt.Sprintf("worker %d sends to worker %d; expected one from 0 to %d", i.ID, to, len(w.workers)-1))
		return
	}
	m.From, m.To = i.ID, to
	switch m.kind {
	case data, result:
	case probe:
		w.result.Probes++
	default:
		w.result.Messages++
		w.result.Moved += len(m.units)
	}
	for _, u := range m.units {
		w.units[u].at = int32(-2 - to)
	}
	if w.workers[to].Polls {
		if i.unread == nil {
			i.unread = map[int]int{}
		}
		i.unread[to] += len(m.units)
	}
	at := i.charge(w.messageCost(&m), m.did("send", moves.Outside))
	m.sent = at
	n := int32(len(w.messages))
	if k := len(w.unused); k > 0 {
		n = w.unused[k-1]
		w.unused = w.unused[:k-1]
		w.messages[n] = m
	} else {
		w.messages = append(w.messages, m)
	}
	switch {
	case to == i.ID:
		w.schedule(at, event{kind: arrive, worker: int32(to), n: n})
	case w.routes != nil:
		at = w.depart(i, n, at)
		w.messages[n].sent = at
	default:
		at += w.way(i.ID, to)
		w.schedule(at, event{kind: arrive, worker: int32(to), n: n})
	}
	w.record.sent(i, &w.messages[n], w.messages[n].sent)
}

// passResult sends a unit's result to the next worker, or out of the machine.
func (w *world) passResult(i *Worker) {
	next := w.load.Home[i.ID]
	if len(next) == 0 {
		i.charge(w.fabric.Unit, alone("send", moves.Exchange))
		w.left--
		return
	}
	w.sendMessage(i, int(next[i.results%len(next)]), Message{kind: result})
	i.results++
}

// way returns how long a message travels if links are never busy.
func (w *world) way(from, to int) int64 {
	return w.fabric.Latency + w.fabric.Hop*max(0, torusDistance(w.rows, w.cols, from, to)-1)
}

// deliver gives a worker a message that it has read.
func (w *world) deliver(i *Worker, n int32) {
	m := &w.messages[n] // stays valid if messages sent below reallocate w.messages
	switch m.kind {
	case request:
		w.sendMessage(i, m.From, Message{kind: grant, unit: m.unit})
	case grant:
		w.sendMessage(i, int(w.heading(m.unit)), Message{units: []int32{m.unit}})
	case result:
		if w.load.Home != nil {
			w.passResult(i)
		} else {
			w.returned(i, m.unit)
		}
	case data:
		w.mesh.got[m.unit]++
		to := w.mesh.edges[m.unit].To
		if at := w.units[to].at; at >= 0 { // the unit may have moved on meanwhile
			w.enqueue(&w.workers[at], to)
			w.dispatch(&w.workers[at])
		}
	default:
		w.deliverUnits(i, m)
		i.agent.Message(m)
	}
	w.messages[n] = Message{}
	w.unused = append(w.unused, n)
}

// deliverUnits puts the units of a message into the worker's queue.
func (w *world) deliverUnits(i *Worker, m *Message) {
	if i.Polls {
		w.workers[m.From].unread[i.ID] -= len(m.units)
	}
	for _, u := range m.units {
		w.units[u].at = int32(i.ID)
		w.record.came(u, w.now)
		if w.load.Shape == Mesh {
			w.ready[u] = false
		}
		if w.load.Shape == Bag || w.load.Shape == Tree {
			w.addToQueue(i, u, i.Keep)
		} else {
			w.enqueue(i, u)
		}
	}
}
