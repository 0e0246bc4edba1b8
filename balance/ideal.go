package balance

import "emsim/internal/base/agenda"

// ideal is the rule of a bound or a baseline. It gives units to workers using knowledge that costs nothing, over a
// fabric that costs nothing.
type ideal struct {
	// place returns the worker that gets a unit as soon as the unit can run. If it returns nil, the unit waits in one
	// common queue, from which an idle worker takes the oldest unit.
	place func(w *world, from *Worker, u int32) *Worker
	// idle gives units to a worker without any. If idle is nil, such a worker gets none.
	idle func(w *world, i *Worker)
}

// The bound, and baselines that queueing theory has solved: see TestBaselines.
var (
	listScheduling = &ideal{place: func(w *world, _ *Worker, u int32) *Worker { return w.earliest(u) }}
	centralQueue   = &ideal{place: func(w *world, _ *Worker, _ int32) *Worker {
		if w.common.Len() > 0 { // a worker that becomes idle in this tick takes the oldest unit
			return nil
		}
		return w.anyOf(isIdle)
	}}
	shortestQueue = &ideal{place: func(w *world, _ *Worker, _ int32) *Worker {
		least := w.workers[0].load()
		for i := range w.workers {
			least = min(least, w.workers[i].load())
		}
		return w.anyOf(func(i *Worker) bool { return i.load() == least })
	}}
	bestOfTwo = &ideal{place: func(w *world, _ *Worker, _ int32) *Worker {
		a, b := w.chance.IntN(len(w.workers)), w.chance.IntN(max(1, len(w.workers)-1))
		if b >= a && len(w.workers) > 1 { // two different workers
			b++
		}
		if w.workers[b].load() < w.workers[a].load() {
			a = b
		}
		return &w.workers[a]
	}}
	anybody = &ideal{place: func(w *world, _ *Worker,
		_ int32,
	) *Worker {
		return &w.workers[w.chance.IntN(len(w.workers))]
	}}
	inTurn = &ideal{place: func(w *world, _ *Worker, _ int32) *Worker {
		w.turn = (w.turn + 1) % len(w.workers)
		return &w.workers[w.turn]
	}}
	freeStealing = &ideal{
		place: func(w *world, from *Worker, _ int32) *Worker {
			if thief := w.anyOf(isIdle); !isIdle(from) && thief != nil {
				return thief
			}
			return from
		},
		idle: func(w *world, i *Worker) {
			from := w.anyOf(func(j *Worker) bool { return j.queue.Len() > 0 })
			if from == nil {
				return
			}
			for range (from.queue.Len() + 1) / 2 {
				w.moveFreely(&from.queue, from, i)
			}
		},
	}
)

// isIdle reports whether a worker has nothing to do.
func isIdle(i *Worker) bool { return i.load() == 0 }

// load returns the number of units at a worker, including the running one.
func (w *Worker) load() int {
	if w.Running() {
		return w.units() + 1
	}
	return w.units()
}

// anyOf returns a random worker that has a property, or nil if there is none.
func (w *world) anyOf(has func(i *Worker) bool) *Worker {
	var found *Worker
	count := 0
	for i := range w.workers {
		if has(&w.workers[i]) {
			if count++; w.chance.IntN(count) == 0 {
				found = &w.workers[i]
			}
		}
	}
	return found
}

// placeFreely gives a unit to the worker that the ideal's rule chooses. A unit that stays there runs before the
// others.
func (w *world) placeFreely(from *Worker, u int32, stays bool) {
	to := w.ideal.place(w, from, u)
	if to == nil {
		w.common.Push(u)
		return
	}
	w.record.free(u, int(w.units[u].at), to.ID, w.now)
	w.units[u].at = int32(to.ID)
	if stays {
		to.own.Push(u)
	} else {
		to.queue.Push(u)
	}
	w.backlog(to, 1)
	w.dispatch(to)
}

// moveFreely gives a worker the oldest unit of a queue: another worker's queue or, if from is nil, the common one.
func (w *world) moveFreely(queue *agenda.FIFO[int32], from, to *Worker) {
	u := queue.PopOldest()
	if from != nil {
		w.backlog(from, -1)
	}
	w.record.free(u, int(w.units[u].at), to.ID, w.now)
	w.units[u].at = int32(to.ID)
	to.queue.Push(u)
	w.backlog(to, 1)
}

// findFreely lets a worker without units take some, if the ideal's rule allows that.
func (w *world) findFreely(i *Worker) {
	switch {
	case w.ideal == nil || i.units() > 0:
	case w.common.Len() > 0:
		w.moveFreely(&w.common, nil, i)
	case w.ideal.idle != nil:
		w.ideal.idle(w, i)
	}
}
