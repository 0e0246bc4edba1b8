package balance

// List scheduling is no policy but the bound beside them: a scheduler that
// knows everything and costs nothing gives every unit, as soon as it can run,
// to the worker that will have finished it first. The world does this itself
// for a scheme that is Free.
func newList(w *Worker) Policy { return &Hooks{w} }

// earliest is the worker that will have finished a unit first.
func (w *world) earliest(u int32) *Worker {
	best, end := 0, int64(-1)
	for i := range w.workers {
		x := &w.workers[i]
		if t := x.speed.advance(max(w.now, x.planned), w.partWork(u)); end < 0 || t < end {
			best, end = i, t
		}
	}
	w.workers[best].planned = end
	return &w.workers[best]
}
