package em4

import "emsim/trace"

// watch is who watches the machine, and when.
type watch struct {
	rec      *trace.Recorder
	from, to uint64
	on       bool
}

// Watch tells r of the clocks from..to of the machine, both included; nil
// ends it. Outside of these clocks the machine steps as fast as ever.
func (m *Machine) Watch(r *trace.Recorder, from, to uint64) {
	m.catchUpAll()
	m.attach(nil)
	m.watch = watch{rec: r, from: from, to: to}
	m.evaluateAllNext()
}

// watchClock begins and ends watching.
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
