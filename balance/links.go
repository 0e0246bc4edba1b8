package balance

// Routes are the ways through a network whose links are busy while messages use
// them (Fabric.Hold).
type Routes struct {
	Links int
	Path  func(from, to int) []int32 // the links between two workers, at least one
}

// depart lets a message take its first link. The sender waits until it is free.
func (w *world) depart(i *Worker, n int32, at int64) {
	m := &w.messages[n]
	m.path = w.routes.Path(m.From, m.To)
	i.stall(w.takeLink(at, n) - at)
}

// takeLink lets a message take its next link as soon as it is free, and returns
// when that is.
func (w *world) takeLink(at int64, n int32) int64 {
	m := &w.messages[n]
	link := m.path[0]
	m.path = m.path[1:]
	at = max(at, w.links[link])
	w.links[link] = at + w.fabric.Hold*int64(1+len(m.units))
	if len(m.path) > 0 {
		w.schedule(at+w.fabric.Hop, event{kind: hop, worker: int32(m.To), n: n})
	} else {
		w.schedule(at+w.fabric.Latency, event{kind: arrive, worker: int32(m.To), n: n})
	}
	return at
}
