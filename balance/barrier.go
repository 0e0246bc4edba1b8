package balance

import "emsim/internal/base/moves"

// barrier lets all workers wait for each other at the end of a round. Messages go up a binomial tree to worker 0 and
// down again, as in MPICH 1. Each message takes CPU time at both ends. A worker without its CPU keeps the workers
// above and below it in the tree waiting. Every Exchange rounds the workers also send their results to worker 0 and
// get all results back.
func (w *world) barrier() {
	at := make([]int64, len(w.workers)) // when each worker is ready
	for i := range w.workers {
		at[i] = max(w.result.End[i], w.workers[i].handler)
	}
	n := len(at)
	for mask := 1; mask < n; mask <<= 1 {
		for i := mask; i < n; i += 2 * mask {
			w.synchronise(i, i-mask, at)
		}
	}
	w.broadcast(at)
	if every := w.load.Exchange; every > 0 && int(w.round+1)%every == 0 {
		for i := 1; i < n; i++ {
			at[i] += int64(i) * w.load.Gap
			w.synchronise(i, 0, at)
		}
		w.broadcast(at)
	}
	first := at[0]
	for i := range w.workers {
		w.workers[i].handler = at[i]
		first = min(first, at[i])
	}
	w.schedule(max(w.now, first), event{kind: release})
}

// broadcast sends a message from worker 0 to all, down the tree.
func (w *world) broadcast(at []int64) {
	n, mask := len(at), 1
	for mask < n {
		mask <<= 1
	}
	for mask >>= 1; mask > 0; mask >>= 1 {
		for i := 0; i+mask < n; i += 2 * mask {
			w.synchronise(i, i+mask, at)
		}
	}
}

// synchronise sends a message that the receiving worker waits for.
func (w *world) synchronise(from, to int, at []int64) {
	cost := w.fabric.Message
	begin := at[from]
	at[from] = w.workers[from].speed.advance(begin, cost)
	w.workers[from].took(alone("barrier", moves.Exchange), begin, at[from])
	begin = max(at[to], at[from]+w.way(from, to))
	at[to] = w.workers[to].speed.advance(begin, cost)
	w.workers[to].took(did{"barrier", moves.Exchange, from, at[from]}, begin, at[to])
	w.result.Overhead += 2 * cost
}
