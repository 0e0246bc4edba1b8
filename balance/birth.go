package balance

import "sort"

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
	work := w.allWork()
	if w.load.Shape == Tree {
		work = int64(w.left) * w.load.Work // until all units are known
	}
	w.result.Ideal = w.timeFor(work)
}

// allWork is the work of all units that are known, in all rounds.
func (w *world) allWork() int64 {
	work := int64(w.pooled) * w.load.Work
	for _, u := range w.units {
		work += u.work
	}
	return work * int64(w.rounds())
}

// timeFor is the least time in which the workers' capacity reaches work.
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
