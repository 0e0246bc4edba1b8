package em4

import (
	"context"
	"errors"
	"fmt"
	"math/bits"

	"emsim/isa"
	"emsim/packet"
)

// quietClocks is more clocks than can pass before something moves again, unless nothing ever will. It exceeds the
// longest hop and the longest instruction.
const quietClocks = 64

// Result is the result of one run, from the entry of the first argument's packet to the last word that reached the
// host.
type Result struct {
	Totals
	Words  []uint64 // words to the host, in order
	Series []Totals // totals of each window, if RunOptions.Window is set
}

// RunOptions holds the limits and observers of a run.
type RunOptions struct {
	MaxClocks  uint64                              // 0: no limit
	Window     uint64                              // clocks per element of Result.Series; 0: no series
	MaxWindows int                                 // the run fails when Result.Series has this length; 0: no limit
	Progress   func(clock uint64, busy func() int) // called from time to time; busy counts the PEs with work
	Snapshot   func()                              // called when totals are taken; the last time, they are the Result's
}

// Boot runs the program's init block on every PE until the machine is quiet. These clocks are not part of any run.
// limit bounds the clocks; 0 means no limit.
func (m *Machine) Boot(ctx context.Context, limit uint64) error {
	if !m.StartInit() {
		return nil
	}
	return m.begin(RunOptions{MaxClocks: limit}, "init").Advance(ctx, ToEnd)
}

// StartInit starts the init blocks as Boot does, for callers that step the machine themselves. It reports whether the
// program has an init block.
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

// Run sends the arguments to the program and steps until the run is over, as Ended describes. The memory keeps the
// contents that earlier runs left; the statistics start from zero.
func (m *Machine) Run(ctx context.Context, args []uint64, o RunOptions) (Result, error) {
	r, err := m.Begin(args, o)
	if err != nil {
		return Result{}, err
	}
	err = r.Advance(ctx, ToEnd)
	return r.Result(), err
}

// Start begins a run for callers that step the machine themselves. It clears the statistics and the host words, and
// queues the packets of the arguments for the own-PE port of [0,0]. Arguments are truncated to the machine's word
// width.
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
		m.hostQueue = append(m.hostQueue, m.Argument(i, a))
	}
	return nil
}

// Argument returns the packet with which the host sends argument i.
func (m *Machine) Argument(i int, a uint64) packet.Packet {
	return packet.Packet{
		Data: isa.Width(m.cfg.Format.DataBits).Trunc(a), Addr: m.prog.Args[i], Src: packet.Host,
		Seq: uint32(i + 1), Direct: true,
	}
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

// series turns totals since the start of the run into totals of each window. The last window ends with the result,
// which is known only when the run is over: until then another word to the host may come.
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

// pollMask returns a mask for the clocks in which a run checks its context and reports its progress. These clocks are
// closer together if a clock takes longer to simulate: on large machines, and while a recorder is attached.
func (m *Machine) pollMask() uint64 {
	large := bits.Len(uint(m.config.PEs) >> 10)
	if m.watch.on {
		return 0x1f >> min(5, large)
	}
	return 0xfff >> min(12, large)
}

// Busy returns the number of PEs that have work in progress.
func (m *Machine) Busy() int {
	n := 0
	for i := range m.pe {
		if m.catchUp(i, m.clock); !m.pe[i].Quiet() {
			n++
		}
	}
	return n
}
