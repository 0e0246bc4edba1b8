package em4

import "emsim/trace"

// watch holds a recorder and the clocks that it watches.
type watch struct {
	rec      *trace.Recorder
	from, to uint64
	on       bool
}

// Watch reports the machine's clocks from..to, both included, to r. If r is nil, it stops reporting. In all other
// clocks the machine runs at full speed.
func (m *Machine) Watch(r *trace.Recorder, from, to uint64) {
	m.catchUpAll()
	m.attach(nil)
	m.watch = watch{rec: r, from: from, to: to}
	m.evaluateAllNext()
}

// updateWatch attaches or detaches the recorder before clock t.
func (m *Machine) updateWatch(t uint64) {
	if on := t >= m.watch.from && t <= m.watch.to; on != m.watch.on {
		m.watch.on = on
		m.catchUpAll()
		if on {
			m.attach(m.watch.rec)
			return
		}
		m.attach(nil)
		m.evaluateAllNext()
	}
}

func (m *Machine) attach(r *trace.Recorder) {
	m.Net.Watch(r)
	for i := range m.pe {
		if r == nil || r.Watches(i) {
			m.pe[i].Watch(r)
		}
	}
}
