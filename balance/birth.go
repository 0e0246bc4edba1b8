package balance

// birth makes the first units.
func (w *world) birth() {
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
		w.bearUnit(0, 0, size, -1)
	case Mesh:
		s := stages(total)
		total = s << (s - 1)
		w.mesh = newMesh(total, edgesOf(s))
		w.ready = make([]bool, total)
		w.left = total * w.load.Rounds
		for u := range total {
			w.bearUnit(u*n/total, u, 0, -1)
		}
		for u := range w.units { // only now are all there
			if at := w.units[u].at; at >= 0 {
				w.enqueue(&w.workers[at], int32(u))
			}
		}
	default:
		w.left = total
		for i := range n {
			count := w.load.Units
			switch {
			case w.load.Counts != nil:
				count = w.load.Counts[i]
			case w.load.One && i == 0:
				count = total
			case w.load.One:
				count = 0
			}
			for k := range count {
				w.bearUnit(i, k, 0, -1)
			}
		}
		w.left = len(w.units)
		w.left += w.pooled
		if w.load.Shape == Loop {
			w.inTurn = w.left
			w.left *= w.load.Rounds
		}
	}
	w.result.Ideal = w.ideal()
}

// ideal is the time in which all workers together could do the work.
func (w *world) ideal() int64 {
	work := int64(0)
	switch w.load.Shape {
	case Tree:
		work = int64(w.left) * w.load.Work // corrected at the end, when all units are known
	default:
		for _, u := range w.units {
			work += u.work
		}
		work += int64(w.pooled) * w.load.Work
		if w.load.Shape != Bag {
			work *= int64(w.load.Rounds)
		}
	}
	return w.timeFor(work)
}

// timeFor is the least time in which the workers' capacity reaches work.
func (w *world) timeFor(work int64) int64 {
	enough := func(t int64) bool {
		sum := int64(0)
		for i := range w.workers {
			sum += w.workers[i].speed.capacity(t)
		}
		return sum >= work
	}
	high := int64(1)
	for !enough(high) {
		high *= 2
	}
	low := high / 2
	for low+1 < high {
		if mid := (low + high) / 2; enough(mid) {
			high = mid
		} else {
			low = mid
		}
	}
	return high
}

// bearUnit lets a unit be born.
func (w *world) bearUnit(at, k int, size, parent int32) {
	i := &w.workers[at]
	u := int32(len(w.units))
	w.units = append(w.units, unit{work: w.load.drawWork(w.work), at: int32(at), size: size, parent: parent})
	to := i.policy.Born(k)
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
