package balance

// fifo holds the units that wait at a worker, oldest first.
type fifo struct {
	units []int32
	head  int
}

func (f *fifo) size() int { return len(f.units) - f.head }

func (f *fifo) push(u int32) { f.units = append(f.units, u) }

func (f *fifo) peek() int32 { return f.units[f.head] }

// first takes the oldest unit.
func (f *fifo) first() int32 {
	u := f.units[f.head]
	if f.head++; 2*f.head > len(f.units) {
		f.units = f.units[:copy(f.units, f.units[f.head:])]
		f.head = 0
	}
	return u
}

// last takes the newest unit.
func (f *fifo) last() int32 {
	n := len(f.units) - 1
	u := f.units[n]
	f.units = f.units[:n]
	return u
}

// event is something that happens at a worker. Those of one tick are in the
// order in which they were made.
type event struct {
	at     int64
	seq    uint64
	worker int32
	kind   eventKind
	n      int32 // of hop, arrive and deliver: the message; of wake: the timer's key
}

type eventKind uint8

const (
	finish  eventKind = iota // the unit that runs
	hop                      // a message, at its next link
	arrive                   // a message, at the worker's network interface
	deliver                  // a message, read
	wake                     // a timer
	release                  // the barrier opens
)

func (e *event) before(f *event) bool { return e.at < f.at || e.at == f.at && e.seq < f.seq }

// events is a heap of four children a node.
type events []event

func (h *events) push(e event) {
	*h = append(*h, e)
	q := *h
	i := len(q) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !e.before(&q[up]) {
			break
		}
		q[i] = q[up]
		i = up
	}
	q[i] = e
}

func (h *events) pop() event {
	q := *h
	top, last := q[0], q[len(q)-1]
	q = q[:len(q)-1]
	*h = q
	if len(q) == 0 {
		return top
	}
	i := 0
	for {
		least := 4*i + 1
		if least >= len(q) {
			break
		}
		for c := least + 1; c < min(4*i+5, len(q)); c++ {
			if q[c].before(&q[least]) {
				least = c
			}
		}
		if !q[least].before(&last) {
			break
		}
		q[i] = q[least]
		i = least
	}
	q[i] = last
	return top
}

// remove takes a certain unit out.
func (f *fifo) remove(u int32) bool {
	for k := f.head; k < len(f.units); k++ {
		if f.units[k] == u {
			f.units = append(f.units[:k], f.units[k+1:]...)
			return true
		}
	}
	return false
}
