package balance

import "slices"

// leadHome finds each worker's neighbours that are nearer to the sink.
func (w *world) leadHome() {
	w.home = make([][]int32, len(w.workers))
	steps := slices.Repeat([]int{len(w.workers)}, len(w.workers))
	var queue []int32
	for _, i := range w.load.Sink {
		steps[i] = 0
		queue = append(queue, int32(i))
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, j := range w.near[queue[0]] {
			if steps[j] == len(w.workers) {
				steps[j] = steps[queue[0]] + 1
				queue = append(queue, j)
			}
			if steps[j] > steps[queue[0]] {
				w.home[j] = append(w.home[j], queue[0])
			}
		}
	}
}

// passResult sends a result on to the neighbour in turn, or out.
func (w *world) passResult(i *Worker) {
	next := w.home[i.ID]
	if len(next) == 0 {
		i.charge(w.fabric.Unit)
		w.left--
		return
	}
	w.sendMessage(i, int(next[i.results%len(next)]), Message{kind: result})
	i.results++
}
