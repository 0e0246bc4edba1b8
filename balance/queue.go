package balance

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
