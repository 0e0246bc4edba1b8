package debug

import (
	"bytes"
	"compress/flate"
	"context"
	"io"
	"slices"

	"emsim/emcr"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/plural"
	"emsim/internal/machine/run"
)

// History limits the snapshots from which a debugger goes back.
type History struct {
	Every uint64 // clocks between two snapshots, at first
	Shots int    // the largest number of snapshots; beyond it, every second one is dropped and the distance doubles
	Bytes int    // the largest total size of the snapshots in bytes; beyond it, the same happens
	Near  uint64 // a step back leaves a snapshot this many clocks before its target, for the next step
	Plain bool   // snapshots are not compressed, which takes more memory and less time
}

// The limits for the command [chosen: a step back costs at most firstEvery clocks, which take some 50 ms].
const (
	firstEvery = 8192
	mostShots  = 64
	mostBytes  = 256 << 20
	nearClocks = 512
)

// shot is a snapshot: the state of a run at a clock, compressed or plain.
type shot struct {
	clock uint64
	bytes []byte
	plain bool
}

// history holds the snapshots of a run in ascending order. The first one is from the run's beginning or resumption.
type history struct {
	shots []shot
	near  shot // a snapshot shortly before the last target of back, or empty
	every uint64
	bytes int // the size of shots
	most  History
}

func (h *history) begin(s *run.Batch, most History) {
	h.every, h.most = most.Every, most
	h.takeSnapshot(s)
}

// first returns the first clock that the debugger can go back to.
func (h *history) first() uint64 { return h.shots[0].clock }

// nextSnapshot returns the clock of the next snapshot after a clock.
func (h *history) nextSnapshot(clock uint64) uint64 {
	return h.first() + ((clock-h.first())/h.every+1)*h.every
}

// takeSnapshot takes a snapshot, unless this clock has one or the run has ended.
func (h *history) takeSnapshot(s *run.Batch) {
	if s.Current.Ended() || len(h.shots) > 0 && h.shots[len(h.shots)-1].clock >= s.Clock() {
		return
	}
	x := packSnapshot(s, h.most.Plain)
	h.shots = append(h.shots, x)
	h.bytes += len(x.bytes)
	for (len(h.shots) > h.most.Shots || h.bytes > h.most.Bytes) && len(h.shots) > 2 {
		h.thinOut()
	}
}

func packSnapshot(s *run.Batch, plain bool) shot {
	if plain {
		return shot{s.Clock(), s.Snapshot(), true}
	}
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestSpeed) // the level is valid, and writes to a buffer cannot fail
	_, _ = w.Write(s.Snapshot())
	_ = w.Close()
	return shot{s.Clock(), b.Bytes(), false}
}

// thinOut keeps the first of every two snapshots.
func (h *history) thinOut() {
	kept, size := h.shots[:0], 0
	for i, x := range h.shots {
		if i%2 == 0 {
			kept = append(kept, x)
			size += len(x.bytes)
		}
	}
	clear(h.shots[len(kept):])
	h.shots, h.bytes, h.every = kept, size, 2*h.every
}

// before returns the last snapshot at or before a clock.
func (h *history) before(clock uint64) shot {
	i := len(h.shots) - 1
	for h.shots[i].clock > clock {
		i--
	}
	if x := h.near; x.bytes != nil && x.clock <= clock && x.clock > h.shots[i].clock {
		return x
	}
	return h.shots[i]
}

// forkSession returns a new session that starts from the snapshot.
func (x shot) forkSession(s *run.Batch) (*run.Batch, error) {
	if x.plain {
		return s.Fork(x.bytes)
	}
	b, err := io.ReadAll(flate.NewReader(bytes.NewReader(x.bytes)))
	if err != nil {
		return nil, err
	}
	return s.Fork(b)
}

// Beginning returns a fork of the run at the first clock that the debugger can go to.
func (d *Debugger) Beginning() (*run.Batch, error) { return d.hist.shots[0].forkSession(d.s) }

// jump goes to a clock and prints the state of the machine there.
func (d *Debugger) jump(ctx context.Context, to uint64) error {
	from := d.clock()
	err := d.travel(ctx, to)
	if err == nil {
		d.arrive(from)
	}
	return err
}

// travel goes to a clock, backward or forward, without stopping on the way.
func (d *Debugger) travel(ctx context.Context, to uint64) error {
	switch {
	case to < d.hist.first():
		return errorf("clock %d is before the beginning at clock %d", to, d.hist.first())
	case to > d.clock() && d.s.Current.Ended():
		return d.runIsOver()
	case to < d.clock() || d.hist.before(to).clock > d.clock():
		s, err := d.hist.before(to).forkSession(d.s)
		if err != nil {
			return err
		}
		// A step back is usually followed by more of them.
		if near := to - min(to, d.hist.most.Near); near > s.Clock()+d.hist.most.Near {
			if err := s.Advance(ctx, near-s.Current.StartClock()); err != nil {
				return err
			}
			d.hist.near = packSnapshot(s, d.hist.most.Plain)
		}
		d.s, d.rec, d.fail = s, nil, nil
	}
	return d.advance(ctx, to, nil)
}

// back runs the command back, which goes N clocks back.
func (d *Debugger) back(x call) error {
	if most := d.clock() - d.hist.first(); x.number > most {
		return errorf("the first clock is %d: you can go back by %d, not by %d", d.hist.first(), most, x.number)
	}
	return d.jump(x.ctx, d.clock()-x.number)
}

// goTo runs the command goto, which goes to a clock, backward or forward.
func (d *Debugger) goTo(x call) error {
	if len(x.words) != 1 {
		return errorf("goto needs a clock, such as 500, or +500 after the start of the run")
	}
	to, err := d.readClock(x.words[0])
	if err != nil {
		return err
	}
	return d.jump(x.ctx, to)
}

// firstSample is the first distance of samples in clocks, mostSamples the largest number of samples [chosen: fine
// enough for a picture, cheap enough to keep always].
const (
	firstSample = 16
	mostSamples = 1024
)

// Sample holds the totals since the run began, at a clock: PE-clocks by activity, and packets written to a MIB.
type Sample struct {
	Clock   uint64
	States  [emcr.Activities]uint64
	Spilled uint64
}

// series holds samples of a run at equal distances. When they become too many, every second one is dropped. A run is
// deterministic, so the samples stay valid when the debugger goes back.
type series struct {
	every   uint64
	samples []Sample
}

func (s *series) begin(d *Debugger) {
	s.every = firstSample
	s.samples = []Sample{d.sample()}
}

func (d *Debugger) sample() Sample {
	x := Sample{Clock: d.clock(), Spilled: spilled(d.s)}
	for pe := range d.s.Config().PEs {
		for state, n := range d.peAt(pe).Clocks {
			x.States[state] += n
		}
	}
	return x
}

// nextSample returns the clock of the next sample.
func (s *series) nextSample() uint64 { return s.samples[len(s.samples)-1].Clock + s.every }

// takeSample takes a sample if one is due at the current clock. If there are too many samples, it drops every second
// one.
func (s *series) takeSample(d *Debugger) {
	if d.clock() != s.nextSample() {
		return
	}
	if s.samples = append(s.samples, d.sample()); len(s.samples) <= mostSamples {
		return
	}
	kept := s.samples[:0]
	for i, x := range s.samples {
		if i%2 == 0 {
			kept = append(kept, x)
		}
	}
	s.samples, s.every = kept, 2*s.every
}

// Series returns samples of the PEs' activities from the run's beginning to the furthest clock reached. All steps are
// equal except the last.
func (d *Debugger) Series() []Sample {
	list := d.series.samples[:len(d.series.samples):len(d.series.samples)]
	if d.clock() > list[len(list)-1].Clock {
		list = append(list, d.sample())
	}
	return list
}

func spilled(s *run.Batch) uint64 {
	sum := uint64(0)
	for pe := range s.Config().PEs {
		sum += s.PE(pe).IBU().Spilled
	}
	return sum
}

// SpillClock returns the clock in which the n-th packet of the run was written to a MIB. It returns an error if that
// has not happened yet. It repeats the run from a snapshot before it.
func (d *Debugger) SpillClock(ctx context.Context, n uint64) (uint64, error) {
	list := d.Series()
	i := slices.IndexFunc(list, func(x Sample) bool { return x.Spilled >= n })
	if i < 1 {
		return 0, errorf("the PEs have not spilled %s yet", plural.Of(n, "packet"))
	}
	s, err := d.hist.before(list[i-1].Clock).forkSession(d.s)
	if err != nil {
		return 0, err
	}
	for to := list[i-1].Clock; spilled(s) < n; to = s.Clock() + 1 {
		if err := ctx.Err(); err != nil {
			return 0, interrupt.Of(ctx, "during the search for a spill")
		}
		// An error that ends this run has ended the debugger's run too.
		_ = s.Advance(ctx, to-s.Current.StartClock())
	}
	return s.Clock() - 1, nil
}
