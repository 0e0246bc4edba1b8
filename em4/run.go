package em4

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"emsim/isa"
	"emsim/packet"
)

// settleClocks is longer than anything that the machine does without moving:
// the longest hop, the longest instruction.
const quietClocks = 64

// Result is one run, from the entry of the first argument's packet to the last
// word that came back.
type Result struct {
	Totals
	Words  []uint64 // what the program sent to the host, in order
	Series []Totals // by window, when RunOptions.Window is set; each holds its window only
}

// RunOptions bound and observe a run.
type RunOptions struct {
	MaxClocks  uint64                       // 0: none
	Window     uint64                       // clocks of one element of Result.Series; 0: no series
	MaxWindows int                          // elements of Result.Series, beyond which the run ends; 0: no limit
	Progress   func(clock uint64, busy int) // called now and then with the clocks of this run
	Snapshot   func()                       // called whenever Result's totals are taken: the last call sees the units' counters that belong to them
	Windowed   func()                       // called at the end of each window, with the units' counters up to date; after the result too
}

// Boot runs the program's init block on every PE until the machine is quiet,
// outside every measured time.
func (m *Machine) Boot(ctx context.Context, limit uint64) error {
	if !m.StartInit() {
		return nil
	}
	return m.begin(RunOptions{MaxClocks: limit}, "init").Advance(ctx, ToEnd)
}

// StartInit is the beginning of Boot, for callers that step the machine
// themselves. It reports whether the program has an init block.
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

// Run feeds the arguments to the program and steps until the machine is quiet
// again. Memories keep what earlier runs left there; statistics start anew.
func (m *Machine) Run(ctx context.Context, args []uint64, o RunOptions) (Result, error) {
	r, err := m.Begin(args, o)
	if err != nil {
		return Result{}, err
	}
	err = r.Advance(ctx, ToEnd)
	return r.Result(), err
}

// Start is the beginning of Run, for callers that step the machine
// themselves: statistics and host words start anew, and the arguments' packets
// wait for the own-PE port of [0,0]. What of an argument does not fit the
// machine's words is cut off.
func (m *Machine) Start(args []uint64) error {
	if len(args) != len(m.prog.Args) {
		return fmt.Errorf("em4: %d arguments for a program that takes %d", len(args), len(m.prog.Args))
	}
	if m.prog.Init != nil && m.clock == 0 {
		return errors.New("em4: the program has an init block that has not run: call Boot first")
	}
	m.clear()
	m.Net.ClearHost()
	for i, a := range args {
		m.hostQueue = append(m.hostQueue, packet.Packet{Data: isa.Width(m.cfg.Format.DataBits).Trunc(a), Addr: m.prog.Args[i], Src: packet.Host, Seq: uint32(i + 1), Direct: true})
	}
	return nil
}

// clear starts the statistics anew.
func (m *Machine) clear() {
	m.catchUpAll()
	for i := range m.pe {
		m.pe[i].ClearCounters()
	}
	m.Net.ClearCounters(m.clock)
	m.hostSent = 0
}

// series turns totals since the start into what each window holds. The last
// window ends with the result: nobody knows before the machine is quiet which
// host word is the last one.
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

// poll masks the clocks in which a run looks around, for an end of its context
// and to tell its progress: fewer clocks apart on large machines, whose clocks
// take longer, and of a machine that is watched, whose every PE tells what it
// does.
func (m *Machine) poll() uint64 {
	large := bits.Len(uint(m.PEs) >> 10)
	if m.watch.on {
		return 0x1f >> min(5, large)
	}
	return 0xfff >> min(12, large)
}

// Busy counts the PEs that have something to do.
func (m *Machine) Busy() int {
	n := 0
	for i := range m.pe {
		if m.catchUp(i, m.clock); !m.pe[i].Quiet() {
			n++
		}
	}
	return n
}
