package rtl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"emsim/em4"
	"emsim/emcr"
	"emsim/ibu"
	"emsim/omega"
)

// Run is one comparison of a program on a machine: once in the model, and once in verilated chips.
type Run struct {
	Config  em4.Config // a prototype's, without remedies; FIFO up to 128 words
	Program em4.Program
	Seed    uint64
	Args    []uint64
	Runs    int    // runs in succession on the same machine; 0 means 1
	Limit   uint64 // most clocks to compare; 0: until the machine is quiet
}

// Outcome is the result of a comparison.
type Outcome struct {
	Clocks uint64 // clocks that were compared; all are equal if there is no error
	Words  []omega.HostWord
	Fault  error // the fault with which both machines ended
}

// Difference is the error for two machines whose registers differ.
type Difference struct {
	Clock     uint64   // clocks from the start until the machines differ
	PE        string   // first PE that differs
	Registers []string // registers that differ in this PE, with both values
}

// Error names the clock, the PE, the registers and both values.
func (d *Difference) Error() string {
	return fmt.Sprintf("after clock %d, PE %s: %s", d.Clock, d.PE, strings.Join(d.Registers, "; "))
}

// batch is the number of clocks after which the machine is checked for being quiet. The model is a few batches ahead of
// the chips, on another core.
const batch = 256

// model is the model's side of a comparison.
type model struct {
	*em4.Machine
	run      *Run
	cfg      emcr.Config
	received []omega.HostWord
	before   [][emcr.Activities]uint64 // by PE: clocks of each activity
	mib      []buffer
	probes   []Probe
	scratch  node
}

// buffer is the content of a PE's MIB after the last clock.
type buffer struct {
	packets, first int // first is the oldest packet's place in the ring
	half           ibu.Op
	sum            uint64 // sum of the words
}

func newModel(r *Run) (*model, error) {
	m, err := em4.New(r.Config, r.Program, r.Seed)
	if err != nil {
		return nil, err
	}
	m.SetEager(true)
	x := &model{Machine: m, run: r, cfg: m.PEConfig(), probes: make([]Probe, m.Net.N)}
	x.scratch.format = x.cfg.Format
	x.before, x.mib = make([][emcr.Activities]uint64, m.Net.N), make([]buffer, m.Net.N)
	return x, nil
}

// fillProbes fills the probes from the state at the start of the next clock. It returns their digest, and whether a PE
// has a fault.
func (m *model) fillProbes() (sum uint64, faulted bool) {
	t, n := m.Clock(), &m.scratch
	for i := range m.probes {
		pe := m.PE(i)
		m.Net.Registers(i, t, &n.su)
		pe.Registers(t, &n.pe)
		n.activity = emcr.Idle
		for a := range pe.Clocks {
			if pe.Clocks[a] != m.before[i][a] {
				n.activity = emcr.Activity(a)
			}
		}
		m.before[i] = pe.Clocks
		if b := &m.mib[i]; n.pe.MIB != b.packets || n.pe.Transfer != b.half {
			if n.pe.MIB < b.packets {
				b.first = (b.first + 1) % (m.cfg.IBU.MIBWords / 2)
			}
			b.packets, b.half, b.sum = n.pe.MIB, n.pe.Transfer, pe.MIBSum(b.first)
		}
		n.pe.MemorySum += m.mib[i].sum
		n.packProbe(&m.probes[i], totalWords)
		sum = digest(sum, m.probes[i][:])
		faulted = faulted || n.pe.Fault != ""
	}
	return sum, faulted
}

// message is one step of the model, to be repeated by the chips.
type message struct {
	args    bool     // the host begins to send the arguments
	digests []uint64 // digests of the next clocks
	faulted bool     // there is a fault after the last of these clocks
}

// drive runs the program and sends the messages. If stop is not 0, it ends after stop clocks.
func (m *model) drive(ctx context.Context, stop uint64, send func(message) bool) error {
	runs := max(1, m.run.Runs)
	if !m.StartInit() {
		runs-- // without init block the first run begins at once
		if err := m.start(send); err != nil {
			return err
		}
	}
	for {
		var x message
		for range batch {
			if stop != 0 && m.Clock() == stop || m.run.Limit != 0 && m.Clock() == m.run.Limit {
				send(x)
				return nil
			}
			m.Step()
			sum, faulted := m.fillProbes()
			x.digests = append(x.digests, sum)
			if x.faulted = faulted; faulted {
				send(x)
				return nil
			}
		}
		if !send(x) || ctx.Err() != nil {
			return ctx.Err()
		}
		if !m.Quiet() {
			continue
		}
		if runs == 0 {
			return nil
		}
		runs--
		if err := m.start(send); err != nil {
			return err
		}
	}
}

// start begins a run, and sends the message for it.
func (m *model) start(send func(message) bool) error {
	m.received = append(m.received, m.Net.HostWords()...)
	if err := m.Start(m.run.Args); err != nil {
		return err
	}
	for i := range m.before {
		m.before[i] = [emcr.Activities]uint64{}
	}
	send(message{args: true})
	return nil
}

// hostWords returns all words that the host has received.
func (m *model) hostWords() []omega.HostWord { return slices.Concat(m.received, m.Net.HostWords()) }

// connect starts the chips of a machine.
func (m *model) connect(ctx context.Context, exe string) (*chips, error) {
	c, err := startChips(ctx, m.Net.N, exe)
	if err != nil {
		return nil, err
	}
	f, first := &m.cfg, m.PE(0)
	boot := uint32(0)
	if m.run.Program.Init != nil {
		boot = *m.run.Program.Init + 1
	}
	c.sendNumbers(uint32(m.Net.K), f.StructureBase, f.StructureWords, f.SegmentBase, f.SegmentWords, f.MIBBase, boot)
	c.sendNumbers(first.ImageWords())
	for a := range first.ImageWords() {
		_, code := first.InstructionAt(a)
		c.sendNumbers(first.Memory().Read(a), uint8(boolBit(code)))
	}
	for i := range m.Net.N {
		for a := range first.ImageWords() { // the PEs that the code names
			if m.PE(i).Word(a) != first.Memory().Read(a) {
				c.sendNumbers(a, m.PE(i).Word(a))
			}
		}
		c.sendNumbers(first.ImageWords())
		c.sendNumbers(straps(m.Net.Address(i), m.Net.K, m.run.Config.Network(), f))
	}
	return c, nil
}

// Compare runs the program on both machines. It compares all registers of all PEs at every clock, and at the end the
// words that the host has received. exe is a MachineTarget that Build has built. If registers differ, the error is a
// *Difference.
func (r *Run) Compare(ctx context.Context, exe string) (Outcome, error) {
	m, err := newModel(r)
	if err != nil {
		return Outcome{}, err
	}
	c, err := m.connect(ctx, exe)
	if err != nil {
		return Outcome{}, err
	}
	defer c.close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	messages, driven := make(chan message, 8), make(chan error, 1)
	go func() {
		driven <- m.drive(ctx, 0, func(x message) bool {
			select {
			case messages <- x:
				return true
			case <-ctx.Done():
				return false
			}
		})
		close(messages)
	}()
	var out Outcome
	for x := range messages {
		equal, err := r.follow(c, m, x)
		out.Clocks += uint64(equal)
		if err != nil {
			return out, err
		}
		if x.faulted {
			return compareFaults(c, m, out, <-driven)
		}
		if equal < len(x.digests) {
			return out, r.findDifference(ctx, exe, out.Clocks+1)
		}
	}
	if err := <-driven; err != nil {
		return out, err
	}
	out.Words = c.hostWords()
	if want := m.hostWords(); c.err == nil && !slices.Equal(out.Words, want) {
		return out, fmt.Errorf("the host received %v from the model and %v from the chips", want, out.Words)
	}
	return out, c.err
}

// follow makes the chips do what a message says, and returns the number of equal clocks.
func (r *Run) follow(c *chips, m *model, x message) (equal int, err error) {
	if x.args {
		for i, a := range r.Args {
			w, err := m.cfg.Format.Pack(m.Argument(i, a))
			if err != nil {
				return 0, err
			}
			c.hostPacket(w.Address, w.Data)
		}
		return 0, nil
	}
	want := x.digests
	if x.faulted { // after a fault only the faults are compared
		want = want[:len(want)-1]
	}
	got := c.runClocks(len(want))
	for i := range want {
		if got[i] != want[i] {
			return i, c.err
		}
	}
	return len(want), c.err
}

// compareFaults simulates the clock of a fault on the chips, after the model has ended with this fault, and compares
// the faults.
func compareFaults(c *chips, m *model, out Outcome, err error) (Outcome, error) {
	if err != nil {
		return out, err
	}
	out.Clocks++
	c.runClocks(1)
	chip := c.dumpProbes(totalWords)
	for i := range chip {
		if f := m.PE(i).Fault(); f != nil && out.Fault == nil {
			out.Fault = f
		}
		const word, low = 36, 2
		if got, want := chip[i][word]>>low&7, m.probes[i][word]>>low&7; got != want && c.err == nil {
			return out, &Difference{
				out.Clocks, m.Net.Address(i).String(),
				[]string{fmt.Sprintf("fault: model %d, chip %d", want, got)},
			}
		}
	}
	return out, c.err
}

// findDifference runs both machines again, up to the clock after which they differ, and returns the difference.
func (r *Run) findDifference(ctx context.Context, exe string, clock uint64) error {
	m, err := newModel(r)
	if err != nil {
		return err
	}
	c, err := m.connect(ctx, exe)
	if err != nil {
		return err
	}
	defer c.close()
	var failed error
	if err := m.drive(ctx, clock, func(x message) bool {
		_, failed = r.follow(c, m, x)
		return failed == nil
	}); err != nil {
		return err
	}
	if failed != nil {
		return failed
	}
	return c.difference(clock, m.probes, totalWords, m.Net.Address)
}
