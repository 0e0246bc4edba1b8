package balance

// Routes are the paths through a network whose links are busy while messages use them (Fabric.Hold).
type Routes struct {
	Links int
	Path  func(from, to int) []int32 // the links between two workers, at least one
}

// torusRoutes returns the shortest paths in the torus of the comparison, along rows first. Each worker has four
// links: to the right, left, down and up.
func torusRoutes(rows, cols int) *Routes {
	step := func(d, size int) int {
		if d = (d + size) % size; 2*d > size {
			return -1
		}
		return min(d, 1)
	}
	return &Routes{Links: 4 * rows * cols, Path: func(from, to int) (path []int32) {
		x, y := from%cols, from/cols
		for {
			dx, dy := step(to%cols-x, cols), step(to/cols-y, rows)
			switch at := int32(4 * (y*cols + x)); {
			case dx != 0:
				path = append(path, at+int32(1-dx)/2)
				x = (x + dx + cols) % cols
			case dy != 0:
				path = append(path, at+2+int32(1-dy)/2)
				y = (y + dy + rows) % rows
			default:
				return path
			}
		}
	}}
}

// depart lets a message take its first link, and returns the time at which it does. The sender waits until the link
// is free.
func (w *world) depart(i *Worker, n int32, at int64) int64 {
	m := &w.messages[n]
	m.path = w.routes.Path(m.From, m.To)
	i.stall(w.takeLink(at, n) - at)
	return i.handler
}

// takeLink lets a message take its next link as soon as that is free, and returns the time.
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
