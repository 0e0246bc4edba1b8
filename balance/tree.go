package balance

// leaf is the largest argument whose unit has no children [003 §3: fib].
const leaf = 2

// calls returns the number of units of fib's tree.
func calls(n int32) int {
	a, b := 1, 1 // calls of n-1 and n
	for range n - 2 {
		a, b = b, a+b+1
	}
	return b
}

// partWork returns the work of the part of a unit that runs next. A unit with children has a second part, its rest,
// which runs after their results have arrived.
func (w *world) partWork(u int32) int64 {
	x, rest := &w.units[u], int64(0)
	if w.load.Rest > 0 && x.size > leaf {
		rest = x.work * int64(w.load.Rest) / 100
	}
	if x.rest {
		return rest
	}
	return x.work - rest
}

// growTree handles a tree's unit that has run: it creates the unit's children, or gives the result to its parent. It
// reports whether the unit has a rest.
func (w *world) growTree(i *Worker, u int32) (rest bool) {
	results := w.load.Rest > 0
	if size := w.units[u].size; size > leaf && !w.units[u].rest {
		if results {
			w.units[u].open = 2
		}
		w.bearUnit(i.ID, 0, w.newUnit(size-2, u)) // the smaller child first, as in programs/fib.s
		w.bearUnit(i.ID, 1, w.newUnit(size-1, u))
		return results
	}
	if parent := w.units[u].parent; results && parent >= 0 {
		if to := int(w.units[parent].at); to != i.ID || w.fabric.InOrder {
			w.sendMessage(i, to, Message{kind: result, unit: parent})
		} else {
			w.returned(i, parent)
		}
	}
	return false
}

// returned handles a result that has reached a unit. After the last result, the unit's rest can run, on the worker
// that ran its first part.
func (w *world) returned(i *Worker, u int32) {
	x := &w.units[u]
	if x.open--; x.open == 0 {
		x.rest = true
		w.addToQueue(i, u, true)
	}
}
