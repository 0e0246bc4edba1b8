package sim

import (
	"context"
	"errors"
	"fmt"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/base/gotype"
	"emsim/internal/machine/run"
	"emsim/packet"
)

// Config holds the knobs of an EM-4. Knobs documents each with its unit, range and source.
type Config = em4.Config

// Knob documents one field of Config.
type Knob = em4.Knob

// Knobs returns the fields of Config with key, unit, range and source; docs/PARAMETERS.md is generated from them.
func Knobs() []Knob { return em4.Knobs() }

// Prototype80 returns the EM-4 prototype: 80 PEs [003 §2].
func Prototype80() Config { return em4.Prototype80() }

// Target1024 returns the machine that the prototype was built for: 1024 PEs [003 §5].
func Target1024() Config { return em4.Target1024() }

// Small12 returns the machine of 12 PEs in figure 1 [003 fig. 1].
func Small12() Config { return em4.Small12() }

// ToEnd is the clock to pass to Advance to continue to the end of the run.
const ToEnd = em4.ToEnd

// Machine is an EM-4 with a program in its memories.
type Machine struct {
	batch    *run.Batch
	last     em4.Result // result of the last run that ended
	observed *observed
}

// New builds a machine, loads the program and runs its init blocks. seed is the seed of the machine's random numbers,
// which programs read from a special register. New returns an error of kind "usage" if a knob is out of its range or
// the program does not fit into the memory.
func New(p *Program, c Config, seed uint64) (*Machine, error) {
	t, err := run.Build(p.Name, p.Object, c, seed)
	if err != nil {
		return nil, err
	}
	if err := t.Boot(context.Background(), initLimit); err != nil {
		return nil, err
	}
	return &Machine{batch: run.New(t, run.Plan{Window: 1})}, nil
}

// initLimit is the largest number of clocks that init blocks may take. New cannot be stopped while they run [chosen:
// the library's init blocks take a few thousand].
const initLimit = 100_000_000

// Config returns the machine's knobs. To change a knob, build another machine.
func (m *Machine) Config() Config { return m.batch.Config() }

// SetThreads shares the work of every clock among n threads, 1..64. 0 means one thread at first, and later in a run
// several threads if trials show that they are faster. The state at every clock does not depend on n.
func (m *Machine) SetThreads(n int) error {
	if err := run.CheckThreads(n); err != nil {
		return err
	}
	m.batch.Share(n)
	return nil
}

// Run runs the program with its arguments to the end of the run, as Advance
// does. A run that ends in a deadlock or with a fault returns the result so far
// together with the error. So does a run whose context has ended; Advance
// continues it.
func (m *Machine) Run(ctx context.Context, args ...int64) (Result, error) {
	if err := m.Begin(args...); err != nil {
		return Result{}, err
	}
	_, err := m.Advance(ctx, ToEnd)
	return m.Result(), err
}

// Begin begins a run, which Advance steps. It returns an error if a run is in progress.
func (m *Machine) Begin(args ...int64) error {
	b := m.batch
	if b.Current != nil {
		return errors.New("a run is in progress: Advance it to its end first")
	}
	if err := b.SetArgs(args); err != nil {
		return err
	}
	b.Runs = len(b.Done) + 1 // so a command that resumes this run begins no further run
	return b.Begin()
}

// Advance steps the run in progress until its clock is to, or until it ends because the machine is quiet, stuck or
// has a fault, or the program has sent all its results and has not become quiet some time after that. Stopping and
// continuing a run does not change it. If the context ends first, the error wraps the context's error, and the run can
// be continued. Any other error says why the run failed.
func (m *Machine) Advance(ctx context.Context, to uint64) (ended bool, err error) {
	b := m.batch
	if b.Current == nil {
		return false, errors.New("no run is in progress: Begin one")
	}
	err = b.Advance(ctx, to)
	if !b.Current.Ended() {
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("%w: %w", ctx.Err(), err) // the second error says how far the run got
		}
		return false, err
	}
	one, _ := b.EndRun(err)
	m.last = one.Result
	return true, err
}

// Clock returns the number of clocks of the run in progress so far, or 0.
func (m *Machine) Clock() uint64 {
	if m.batch.Current == nil {
		return 0
	}
	return m.batch.Current.Clock()
}

// Result returns the result so far of the run in progress. If there is none, it returns the result of the last run.
func (m *Machine) Result() Result {
	r := m.last
	if m.batch.Current != nil {
		r = m.batch.Current.Result()
	}
	t := m.batch.Target
	return Result{
		Totals: r.Totals, Words: r.Words, Values: gotype.ValuesOf(t.Object.Result, r.Words, t.WordBits()),
		TimeMS: float64(r.Clocks) * m.batch.Config().ClockNS / 1e6,
	}
}

// Result holds the answer of a run, and the counters of the whole machine from
// the first argument to the last word to the host.
type Result struct {
	em4.Totals
	Words  []uint64 // words sent to the host, in order
	Values []any    // the words in the program's types: int32, uint32, float32, bool; otherwise int64 or uint64
	TimeMS float64  // time in milliseconds on the modelled machine
}

// PE is the content of a processing element, and its counters in this run.
type PE struct {
	Group, Member int
	Queued        int // packets in its input buffer, FIFO and memory together
	Waiting       int // operands in its memory that wait for a partner
	Segments      int // operand segments in use
	Instructions  uint64
	States        [emcr.Activities]uint64 // clocks by state, as in Totals
}

// PE returns processing element i, 0 .. Config().PEs-1, at the start of the
// next clock.
func (m *Machine) PE(i int) PE {
	p := m.batch.Machine.PE(i)
	at := p.Address()
	queued := 0
	p.IBU().Each(func(*packet.Packet) { queued++ })
	return PE{
		Group: int(at.GA), Member: int(at.CA), Queued: queued, Waiting: p.CountWaitingOperands(),
		Segments: p.SegmentsInUse(), Instructions: p.Instructions, States: p.Clocks,
	}
}

// Save writes the run in progress to a file, from which Restore, or the command
// with --resume, continues it. The file keeps its old content until the new one
// is complete.
func (m *Machine) Save(file string) error {
	if m.batch.Current == nil {
		return errors.New("no run is in progress: there is nothing to save")
	}
	return m.batch.Save(file, "")
}

// Restore returns the machine that Save wrote to a file, with its program and its run in progress.
func Restore(file string) (*Machine, error) {
	b, err := run.Resume(file)
	if err != nil {
		return nil, err
	}
	return &Machine{batch: b}, nil
}

// Hash returns a hash of the whole state: two machines with the same Config,
// Program and hash behave alike from then on.
func (m *Machine) Hash() uint64 {
	h, _ := m.batch.Hash(nil)
	return h
}

// Kind returns the kind of an error, as the command writes it in JSON (docs/COMMAND.md): "usage", "assembly",
// "deadlock", "max_clocks", "interrupted" and so on. It returns "" for an error from elsewhere.
func Kind(err error) string {
	var k interface{ Kind() string }
	if errors.As(err, &k) {
		return k.Kind()
	}
	return ""
}
