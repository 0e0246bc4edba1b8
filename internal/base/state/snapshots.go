package state

import (
	"bytes"
	"errors"
	"fmt"
	"math"
)

// Never is the next time of Snapshots that show no state any more.
const Never = math.MaxInt64

// ErrMisfit is the error of a restore from bytes that are no state of the machine.
var ErrMisfit = errors.New("this checkpoint does not fit this program, or was tampered with")

// Snapshots are the times at which a machine that goes from event to event shows its state,
// and the state from which it continues. Times are in the machine's unit. A shown state is
// that after all that happened up to the time, and before anything later. nil is a run
// from the beginning that shows nothing.
type Snapshots struct {
	Resume []byte // what a walk saved; nil: from the beginning
	From   int64  // the time at which that was shown

	At   int64                                          // the next time
	Show func(at int64, walk func(*Codec)) (next int64) // at At, which then is next
	Stop func(at int64,
		walk func(*Codec)) // where the context or a limit, and not the model, ends the run; nil for nothing
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

// Stopped shows the state where the context or a limit ends the run, between two times.
func (m *Snapshots) Stopped(at int64, walk func(*Codec)) {
	if m != nil && m.Stop != nil {
		m.Stop(at, walk)
	}
}

// Restore gives a new machine the state of Resume. Whatever a restored machine would not
// save again byte by byte, such as an agenda out of order, is refused with ErrMisfit.
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

// Guard makes, deferred in a run, a panic of a run that continues from a state into ErrMisfit: no
// machine comes to a state from which it cannot continue.
func (m *Snapshots) Guard(err *error) {
	if !m.Resumed() {
		return
	}
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: state: no run can continue from it (%v)", ErrMisfit, p)
	}
}

// Resumed reports whether the run does not begin at the beginning.
func (m *Snapshots) Resumed() bool { return m != nil && m.Resume != nil }

// FirstSample returns the time of the first of a run's samples, which are at multiples of
// every: 0, or the first one after From.
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
