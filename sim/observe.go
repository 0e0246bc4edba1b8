package sim

import (
	"fmt"
	"io"

	"emsim/trace"
	"emsim/trace/sink"
)

// observed is an observer with its recorder.
type observed struct {
	to       trace.Sink
	recorder *trace.Recorder
}

// Observe calls s for everything that the chosen PEs (by number; none chosen means all) and their switches do from the
// next clock on. A trace.Func makes an observer of a function. A machine has one observer at a time: Observe closes the
// previous one, and Observe(nil) only closes it. Observe returns an error if a PE does not exist, or if closing the
// previous observer fails.
//
// An observed machine is slower but goes through the same states.
func (m *Machine) Observe(s trace.Sink, pes ...int) error {
	if err := m.check(pes); err != nil {
		return err
	}
	err := m.unobserve()
	if s == nil {
		return err
	}
	if len(pes) == 0 {
		pes = trace.All(m.batch.Config().PEs)
	}
	m.observed = &observed{s, trace.NewRecorder(s, m.batch.Config().PEs, pes)}
	m.batch.Watch(m.observed.recorder, m.batch.Machine.Clock(), ^uint64(0))
	return err
}

// Trace writes the events of the chosen PEs to w, as Observe reports them, in one of the formats of sink.Formats.
// Observe(nil) ends the trace.
func (m *Machine) Trace(w io.Writer, format string, pes ...int) error {
	if err := m.check(pes); err != nil {
		return err
	}
	b := m.batch
	if len(pes) == 0 {
		pes = trace.All(b.Config().PEs)
	}
	s, err := sink.New(format, w, b.TraceInfo(b.Name, pes, b.Machine.Clock()))
	if err != nil {
		return err
	}
	return m.Observe(s, pes...)
}

// unobserve closes the observer, if there is one.
func (m *Machine) unobserve() error {
	o := m.observed
	if o == nil {
		return nil
	}
	m.observed = nil
	m.batch.Watch(nil, 0, 0)
	return o.to.Close(max(o.recorder.End(), m.batch.Machine.Clock()))
}

// check returns an error if the machine does not have all given PEs.
func (m *Machine) check(pes []int) error {
	for _, i := range pes {
		if i < 0 || i >= m.batch.Config().PEs {
			return fmt.Errorf("there is no PE %d: the machine has 0 to %d", i, m.batch.Config().PEs-1)
		}
	}
	return nil
}
