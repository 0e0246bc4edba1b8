package mapping

import "context"

// watch checks a context at intervals, for searches that may take long.
type watch struct {
	ctx   context.Context
	looks uint
	err   error // the context's error, once it has ended
}

// countStep counts one step of a search and reports whether its context has
// ended.
func (w *watch) countStep() bool {
	if w.looks++; w.looks%8 == 0 && w.err == nil {
		w.err = w.ctx.Err()
	}
	return w.err != nil
}
