package balance

// fifo holds the units that wait at a worker, oldest first.
type fifo struct {
	units []int32
	head  int
}

func (f *fifo) size() int { return len(f.units) - f.head }

func (f *fifo) push(u int32) { f.units = append(f.units, u) }

func (f *fifo) peek() int32 { return f.units[f.head] }

// popOldest takes the oldest unit.
func (f *fifo) popOldest() int32 {
	u := f.units[f.head]
	if f.head++; 2*f.head > len(f.units) {
		f.units = f.units[:copy(f.units, f.units[f.head:])]
		f.head = 0
	}
	return u
}

// popNewest takes the newest unit.
func (f *fifo) popNewest() int32 {
	n := len(f.units) - 1
	u := f.units[n]
	f.units = f.units[:n]
	return u
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

// event is something that happens at a worker. Those of one tick are in the
// order in which they were made.
type event struct {
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
