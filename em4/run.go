package em4

import (
	"context"
	"fmt"
	"math/bits"

	"emsim/emcr"
	"emsim/isa"
	"emsim/omega"
	"emsim/packet"
)

// quietClocks is longer than the machine can take for anything before something
// moves again: the longest hop, the longest instruction.
const quietClocks = 64

// Totals are the statistics of the whole machine over a span of clocks.
type Totals struct {
	Clocks       uint64
	Activity     [emcr.Activities]uint64 // PE-clocks by activity; their sum is clocks × PEs
	IbuWaiting   uint64                  // PE-clocks of IbuOnly in which the EXU also held a packet that the switch had not accepted
	Instructions uint64
	Blocks       uint64
	Calls        uint64 // function instances that got their first operand
	MLPECalls    uint64 // those of them whose segment came from an MLPE search
	MLPESent     uint64 // MLPE packets made
	Sent         uint64 // packets made, including local ones and those of the host
	Consumed     uint64 // packets that FMUs took
	Spilled      uint64 // packets written to a MIB
	Hops         uint64 // links between PEs that packets crossed
	SegmentsPeak int    // most operand segments in use at once in one PE
	MIBPeakWords int    // most MIB words in use at once in one PE
}

// Share returns the share 0..1 of all PE-clocks that an activity has.
func (t Totals) Share(s emcr.Activity) float64 {
	sum := uint64(0)
	for _, n := range t.Activity {
		sum += n
	}
	if sum == 0 {
		return 0
	}
	return float64(t.Activity[s]) / float64(sum)
}

// Utilisation returns the paper's PE utilisation 0..1: "the average share of PEs
// that are working in each clock" [003 §3.2], where "a PE is working while any of
// IBU, FMU and EXU is" [003 §4.2].
func (t Totals) Utilisation() float64 { return t.Share(emcr.ExuFmu) + t.Share(emcr.IbuOnly) }

// Result is the result of one run, from the entry of the first argument's packet
// to the last word that came back.
type Result struct {
	Totals
	Words  []uint64 // words to the host, in order
	Series []Totals // totals of each window, if RunOptions.Window is set
}

// RunOptions limit and observe a run.
type RunOptions struct {
	MaxClocks  uint64                       // 0: no limit
	Window     uint64                       // clocks per element of Result.Series; 0: no series
	MaxWindows int                          // the run ends when Result.Series has so many elements; 0: no limit
	Progress   func(clock uint64, busy int) // called now and then with the clock of this run and the number of busy PEs
	Snapshot   func()                       // called whenever Result's totals are taken; at the last call the units' counters are those of the result
	Windowed   func()                       // called at the end of each window, also after the result, with the units' counters up to date
}

// Boot runs the program's init block on every PE until the machine is quiet. No
// run's clocks include this. limit bounds the clocks; 0 means no limit.
func (m *Machine) Boot(ctx context.Context, limit uint64) error {
	if !m.StartInit() {
		return nil
	}
	return m.begin(RunOptions{MaxClocks: limit}, "init").Advance(ctx, ToEnd)
}

// StartInit begins Boot, for callers that step the machine themselves. It reports
// whether the program has an init block.
func (m *Machine) StartInit() bool {
	if m.prog.Init == nil {
		return false
	}
	m.catchUpAll()
	for i := range m.pe {
		m.pe[i].Boot(*m.prog.Init)
	}
	m.evaluateAllNext()
	m.lastMove = m.clock
	return true
}

// Run sends the arguments to the program and steps until the machine is quiet
// again. Memory keeps what earlier runs left there; statistics start from zero.
func (m *Machine) Run(ctx context.Context, args []uint64, o RunOptions) (Result, error) {
	r, err := m.Begin(args, o)
	if err != nil {
		return Result{}, err
	}
	err = r.Advance(ctx, ToEnd)
	return r.Result(), err
}

// Start begins Run, for callers that step the machine themselves: statistics and
// host words are cleared, and the arguments' packets wait for the own-PE port of
// [0,0]. Arguments are truncated to the machine's word width.
func (m *Machine) Start(args []uint64) error {
	if len(args) != len(m.prog.Args) {
		return fmt.Errorf("em4: %d arguments for a program that takes %d", len(args), len(m.prog.Args))
	}
	m.clear()
	m.Net.ClearHost()
	for i, a := range args {
		m.hostQueue = append(m.hostQueue, packet.Packet{Data: isa.Width(m.cfg.Format.DataBits).Trunc(a), Addr: m.prog.Args[i], Src: packet.Host, Seq: uint32(i + 1), Direct: true})
	}
	return nil
}

// clear resets the statistics.
func (m *Machine) clear() {
	m.catchUpAll()
	for i := range m.pe {
		m.pe[i].ClearCounters()
	}
	m.Net.ClearCounters(m.clock)
	m.hostSent = 0
}

// series turns totals since the start of the run into totals of each window. The
// last window ends with the result, which is known only when the machine is
// quiet: until then another word may come.
func series(windows []Totals, result Totals) []Totals {
	for len(windows) > 0 && windows[len(windows)-1].Clocks >= result.Clocks {
		windows = windows[:len(windows)-1]
	}
	if result.Clocks == 0 {
		return windows
	}
	windows = append(windows, result)
	for i := len(windows) - 1; i > 0; i-- {
		windows[i] = windows[i].minus(windows[i-1])
	}
	return windows
}

// poll is a mask for the clocks in which a run checks its context and reports
// its progress. They are closer together on large machines, whose clocks take
// longer, and on watched ones, where every PE reports what it does.
func (m *Machine) poll() uint64 {
	large := bits.Len(uint(m.PEs) >> 10)
	if m.watch.on {
		return 0x1f >> min(5, large)
	}
	return 0xfff >> min(12, large)
}

// Busy returns the number of PEs that have something to do.
func (m *Machine) Busy() int {
	n := 0
	for i := range m.pe {
		if m.catchUp(i, m.clock); !m.pe[i].Quiet() {
			n++
		}
	}
	return n
}

// totals sums the statistics; start is the clock at which they began.
func (m *Machine) totals(start uint64) Totals {
	m.catchUpAll()
	t := Totals{Clocks: m.clock - start, Sent: m.hostSent}
	for i := range m.pe {
		p := &m.pe[i]
		for s, n := range p.Clocks {
			t.Activity[s] += n
		}
		t.IbuWaiting += p.IbuWaiting
		t.Instructions += p.Instructions
		t.Blocks += p.Blocks
		t.Calls += p.Calls
		t.MLPECalls += p.MLPECalls
		t.MLPESent += p.MLPESent
		t.Sent += p.Sent
		t.Consumed += p.Consumed
		t.Spilled += p.IBU().Spilled
		t.Hops += m.Net.Hops(i, omega.InGroup) + m.Net.Hops(i, omega.OutGroup)
		t.SegmentsPeak = max(t.SegmentsPeak, p.SegmentsPeak())
		t.MIBPeakWords = max(t.MIBPeakWords, p.IBU().MIBPeak)
	}
	return t
}

// minus returns the difference to an earlier total; peaks stay as they are.
func (t Totals) minus(u Totals) Totals {
	t.Clocks -= u.Clocks
	for s := range t.Activity {
		t.Activity[s] -= u.Activity[s]
	}
	t.IbuWaiting -= u.IbuWaiting
	t.Instructions -= u.Instructions
	t.Blocks -= u.Blocks
	t.Calls -= u.Calls
	t.MLPECalls -= u.MLPECalls
	t.MLPESent -= u.MLPESent
	t.Sent -= u.Sent
	t.Consumed -= u.Consumed
	t.Spilled -= u.Spilled
	t.Hops -= u.Hops
	return t
}
