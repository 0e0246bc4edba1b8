package mnc

// Done is the end of a PE's action, for a Watch.
type Done struct {
	Clock   int64
	PE      int
	Action  ActionKind // never Idle
	Data    int        // moved or processed
	Began   int64      // with sensing and planning
	Planned int64      // when they ended and the work began
}

// Watch tells of every action that ends from now on, and of no waits. It changes
// nothing; nil ends it.
func (m *Machine) Watch(tell func(Done)) { m.watch = tell }

func (m *Machine) tellDone(e *pe, t int64) {
	if a := &e.act; m.watch != nil && a.kind != Idle {
		m.watch(Done{Clock: t, PE: e.id, Action: a.kind, Data: a.total, Began: a.start, Planned: a.work})
	}
}
