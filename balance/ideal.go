package balance

import "emsim/internal/base/agenda"

// ideal is the rule of a bound or a baseline: it gives units to workers by knowledge that costs nothing,
// over a fabric that costs nothing.
type ideal struct {
	// place is the worker that gets a unit of another one as soon as that can run; nil: the
	// unit waits in one queue for all, from which a worker that has nothing takes the oldest.
	place func(w *world, from *Worker, u int32) *Worker
	// idle gives units to a worker that has none; nil: no worker gets any.
	idle func(w *world, i *Worker)
}

// The bound, and what queueing theory knows: see TestBaselines.
var (
	listScheduling = &ideal{place: func(w *world, _ *Worker, u int32) *Worker { return w.earliest(u) }}
	centralQueue   = &ideal{place: func(w *world, _ *Worker, _ int32) *Worker {
		if w.common.Len() > 0 { // who becomes idle in this tick takes the oldest
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
		if b >= a && len(w.workers) > 1 { // two different ones
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

// load returns how many units a worker has, the running one among them.
func (w *Worker) load() int {
	if w.Running() {
		return w.units() + 1
	}
	return w.units()
}

// anyOf returns one of the workers with a property, at random; nil if there is none.
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

// placeFreely gives a unit to the worker that the ideal chooses; one that stays there runs before
// the others.
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

// moveFreely gives a worker the oldest unit of a queue: of another worker, or the one for all.
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

// findFreely lets a worker without units find some, if the ideal has a rule for that.
func (w *world) findFreely(i *Worker) {
	switch {
	case w.ideal == nil || i.units() > 0:
	case w.common.Len() > 0:
		w.moveFreely(&w.common, nil, i)
	case w.ideal.idle != nil:
		w.ideal.idle(w, i)
	}
}
