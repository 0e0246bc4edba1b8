package state

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// Never is the value of Snapshots.At, and the result of Show, when no further state is to be shown.
const Never = math.MaxInt64

// ErrMisfit is the error of a restore from bytes that are not a state of the machine.
var ErrMisfit = errors.New("this checkpoint does not fit this program, or was tampered with")

// Snapshots holds the times at which an event-driven machine shows its state, and the state from which it continues.
// Times are in the machine's unit. A shown state includes everything that happened up to its time, and nothing later. A
// nil *Snapshots is a run from the beginning that shows no state.
type Snapshots struct {
	Resume []byte // the bytes that a walk saved; nil means a run from the beginning
	From   int64  // the time at which Resume was shown

	At   int64                                          // the next time to show a state
	Show func(at int64, walk func(*Codec)) (next int64) // called at At; returns the next At
	Stop func(at int64,
		walk func(*Codec)) // called if the context or a limit, not the model, ends the run; may be nil
}

// Next returns the next time at which a state is shown.
func (m *Snapshots) Next() int64 {
	if m == nil || m.Show == nil {
		return Never
	}
	return m.At
}

// Reach shows the states at all times before the machine's next event.
func (m *Snapshots) Reach(next int64, walk func(*Codec)) {
	for m.Next() < next {
		m.At = m.Show(m.At, walk)
	}
}

// Stopped calls Stop, if any, when the context or a limit ends the run.
func (m *Snapshots) Stopped(at int64, walk func(*Codec)) {
	if m != nil && m.Stop != nil {
		m.Stop(at, walk)
	}
}

// Restore sets a new machine to the state in Resume. It returns ErrMisfit if the bytes are not a state, or if the
// restored machine would not save the same bytes again, for example because an agenda is out of order.
func (m *Snapshots) Restore(walk func(*Codec)) error {
	if m == nil || m.Resume == nil {
		return nil
	}
	c := Loader(m.Resume)
	walk(c)
	err := c.Err()
	if err == nil && c.BytesLeft() > 0 {
		err = fmt.Errorf("state: %d bytes are left over", c.BytesLeft())
	}
	if err == nil {
		again := Saver(nil)
		if walk(again); !bytes.Equal(again.Bytes(), m.Resume) {
			err = errors.New("state: it is not what such a machine saves")
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrMisfit, err)
	}
	return nil
}

// Guard turns a panic into ErrMisfit if the run continues from a state. A machine never saves a state from which it
// cannot continue, so the panic shows that the bytes are not such a state. Runs must defer Guard.
func (m *Snapshots) Guard(err *error) {
	if !m.Resumed() {
		return
	}
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: state: no run can continue from it (%v)", ErrMisfit, p)
	}
}

// Resumed reports whether the run continues from a state.
func (m *Snapshots) Resumed() bool { return m != nil && m.Resume != nil }

// FirstSample returns the time of a run's first sample. Samples are at multiples of every: from 0, or after From in a
// resumed run.
func (m *Snapshots) FirstSample(every int64) int64 {
	if !m.Resumed() || every < 1 {
		return 0
	}
	return (m.From/every + 1) * every
}

// Below visits integers that must be in 0..to-1.
func Below[T Int](c *Codec, to int, list ...*T) {
	for _, p := range list {
		Index(c, p, 0, to)
	}
}

// Index visits an integer that must be in from..to-1: an index, a count or a kind.
func Index[T Int](c *Codec, p *T, from, to int) {
	Num(c, p)
	if c.loading && (int64(*p) < int64(from) || int64(*p) >= int64(to)) {
		c.Fail("%d is outside %d..%d", *p, from, to-1)
		*p = T(from)
	}
}
