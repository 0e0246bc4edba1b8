package balance

import (
	"fmt"

	"emsim/internal/base/plural"
	"emsim/internal/base/simerr"
)

// stalled returns the error of a run that does not end.
func (w *world) stalled(format string, args ...any) error {
	return &simerr.Deadlock{Machine: "balance", Name: "stalled", Clock: w.now, Err: fmt.Errorf(format, args...)}
}

// ended is the state of the statistics when the last unit ended.
type ended struct {
	at              int64
	moved, messages int
}

// since describes what moved without progress since the last unit ended.
func (w *world) since(limit int64) string {
	last, r := &w.ended, w.result
	moved, messages := r.Moved-last.moved, r.Messages-last.messages
	switch {
	case w.now-last.at < limit/2:
		return fmt.Sprintf(", but units still end, the last at tick %d", last.at)
	case moved > 0:
		return fmt.Sprintf(", because it is a livelock: since tick %d no unit has ended, while units "+
			"moved %s", last.at,
			plural.Of(moved, "time"))
	case messages > 0:
		return fmt.Sprintf(": since tick %d no unit has ended or moved, while %s %s sent", last.at,
			plural.Of(messages, "message"), plural.Verb(messages, "was", "were"))
	}
	return fmt.Sprintf(": since tick %d only timers have expired", last.at)
}
