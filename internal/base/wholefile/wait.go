package wholefile

import "sync/atomic"

// calls counts the calls to the system for what is written in place, and pending
// those that have not returned: a pipe without a reader keeps them for ever.
var calls, pending atomic.Int64

// BeginWait says that such a call begins; done says that it has returned.
func BeginWait() (done func()) {
	calls.Add(1)
	pending.Add(1)
	return func() { pending.Add(-1) }
}

// Waits returns the number of the latest call if one is in progress, and 0 otherwise.
func Waits() int64 {
	if pending.Load() == 0 {
		return 0
	}
	return calls.Load()
}
