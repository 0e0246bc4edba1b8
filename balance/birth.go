package balance

import "sort"

// birth creates the units that are known before the run, and computes the number of runs and the ideal time. Only the
// root of a tree is known, and no unit of the pool.
func (w *world) birth(seed uint64) {
	n := len(w.workers)
	total := w.load.Units * n
	w.pooled = w.load.Pool
	switch w.load.Shape {
	case Tree:
		size := int32(leaf)
		for calls(size) < total {
			size++
		}
		w.left = calls(size)
		w.bearUnit(0, 0, w.newUnit(size, -1))
	case Mesh:
		s := stages(total)
		total = s << (s - 1)
		w.mesh = newMesh(total, edgesOf(s))
		w.ready = make([]bool, total)
		w.left = total * w.load.Rounds
		for u := range total {
			w.bearUnit(u*n/total, u, w.newUnit(0, -1))
		}
		for u := range w.units { // only now do all units exist
			if at := w.units[u].at; at >= 0 {
				w.enqueue(&w.workers[at], int32(u))
			}
		}
	default:
		w.comeAll(seed)
		w.left = len(w.units) + w.pooled
		if w.load.Home != nil {
			w.left *= 2 // each unit also has a result
		}
		if w.load.Shape == Loop {
			w.inTurn = w.left
			w.left *= w.load.Rounds
		}
		for i := range w.workers {
			w.bearDue(&w.workers[i])
		}
	}
	work := w.allWork()
	if w.load.Shape == Tree {
		work = int64(w.left) * w.load.Work // an estimate, until all units are known
	}
	w.result.Ideal = max(w.timeFor(work), w.lastCome)
}

// allWork returns the work of all known units in all rounds. Units of the pool count with the mean work.
func (w *world) allWork() int64 {
	work := int64(w.pooled) * w.load.Work
	for _, u := range w.units {
		work += u.work
	}
	return work * int64(w.rounds())
}

// timeFor returns the shortest time in which the workers' capacity reaches work.
func (w *world) timeFor(work int64) int64 {
	enough := func(t int) bool {
		sum := int64(0)
		for i := range w.workers {
			sum += w.workers[i].speed.capacity(int64(t))
		}
		return sum >= work
	}
	high := 1
	for !enough(high) {
		high *= 2
	}
	return int64(max(1, sort.Search(high, enough)))
}

// newUnit creates a unit that is still to be born.
func (w *world) newUnit(size, parent int32) int32 {
	u := len(w.units)
	w.units = append(w.units, unit{work: w.load.drawWork(w.work, u), at: unborn, size: size, parent: parent})
	return int32(u)
}

// bearDue lets the units that have arrived at a worker be born, one after the other. If a unit is sent away, that
// takes CPU time before the next one is born, as with the calls of a program. Nothing else runs until then.
func (w *world) bearDue(i *Worker) {
	for i.born < len(i.coming) {
		u := i.coming[i.born]
		if at := max(w.units[u].come, i.handler); at > w.now {
			w.schedule(at, event{kind: come, worker: int32(i.ID)})
			return
		}
		i.born++
		if w.load.open() {
			w.integrate()
			w.there++
			w.area += w.now - w.units[u].come // the unit arrived before it could be born
		}
		w.bearUnit(i.ID, i.born-1, u)
	}
}

// bearsNow reports whether a worker has units that must be born before it does anything else.
func (w *world) bearsNow(i *Worker) bool {
	return i.born < len(i.coming) && w.units[i.coming[i.born]].come <= w.now
}

// bearUnit lets a unit be born at a worker, and sends it where the policy says.
func (w *world) bearUnit(at, k int, u int32) {
	i := &w.workers[at]
	w.units[u].at = int32(at)
	w.record.born(u, at, w.now)
	to := i.agent.Born(k)
	switch {
	case w.fabric.Asks && (to != at || w.fabric.InOrder):
		w.units[u].at = int32(-2 - to)
		w.sendMessage(i, to, Message{kind: request, unit: u})
	case to != at || w.fabric.InOrder:
		w.sendMessage(i, to, Message{units: []int32{u}})
	case w.load.Shape != Mesh:
		w.enqueue(i, u)
	}
}
