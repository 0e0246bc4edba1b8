package em4_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
	"emsim/trace"
)

// TestEverybodyGivesTheSameReason steps busy machines. In every clock it compares the statuses that a trace gives for
// each packet in a switch and each unit of a PE with the statuses in the debugger and in deadlock reports.
func TestEverybodyGivesTheSameReason(t *testing.T) {
	for name, change := range map[string]func(c *em4.Config){
		"prototype":    func(*em4.Config) {},
		"slow banks":   func(c *em4.Config) { c.BankClocks, c.HopClocks = 16, 3 },
		"two banks":    func(c *em4.Config) { c.Banks = 2 },
		"gentle IBU":   func(c *em4.Config) { c.SpillInterrupts, c.RefillBlocksIntake = false, true },
		"out buffer":   func(c *em4.Config) { c.OutPackets = 2 },
		"own memory":   func(c *em4.Config) { c.IBUOwnMemory = true },
		"priority":     func(c *em4.Config) { c.SwitchPriority, c.IBUPriority = 2, 2 },
		"slow ejector": func(c *em4.Config) { c.InjectClocks, c.BurstRefill = 4, false },
	} {
		t.Run(name, func(t *testing.T) {
			c := machine(12, smallFIFO, change)
			m := boot(t, c, fib(t, "ring", "on"))
			told := map[string]trace.Status{}
			entered := uint64(math.MaxUint64) // clock in which the host sends its packet
			m.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
				switch e.Kind {
				case trace.Changed:
					told[place(int(e.PE), e.Unit, e.Slot)] = e.Status
				case trace.Entered:
					entered = e.Clock
				}
			}), m.Config().PEs, trace.All(m.Config().PEs)), 0, math.MaxUint64)
			require.NoError(t, m.Start([]uint64{11}))
			waits := map[trace.Status]int{}
			for !m.Quiet() && m.Clock() < 3000 {
				want := shown(t, m)
				clock := m.Clock()
				m.Step()
				if clock == entered {
					continue // that packet could not be known before
				}
				for at, s := range want {
					if got, ok := told[at]; s != got && !(s == trace.Idle && !ok) {
						t.Fatalf("clock %d, %s: the debugger says %v, the trace %v", clock, at, s, got)
					}
					if s.IsWait() {
						waits[s]++
					}
				}
			}
			require.Greater(t, len(waits), 6, "%v", waits)
		})
	}
}

func place(pe int, unit trace.Unit, slot uint8) string {
	if unit == trace.SU {
		return fmt.Sprintf("PE %d, slot %s", pe, trace.SlotName(slot))
	}
	return fmt.Sprintf("PE %d, %v", pe, unit)
}

// shown returns the statuses that the debugger shows for the next clock, of every slot of every switch and of the units
// that hold work. It checks that the deadlock report lists the units and packets that wait.
func shown(t *testing.T, m *em4.Machine) map[string]trace.Status {
	all := map[string]trace.Status{}
	var listed []string
	for i := range m.Config().PEs {
		for slot := range uint8(trace.Slots) {
			all[place(i, trace.SU, slot)] = trace.Idle
		}
		units, slots := m.Preview(i)
		for _, x := range units {
			for u := range trace.Units {
				if u.String() == x.Unit {
					all[place(i, u, 0)] = x.Status
				}
			}
			listed = append(listed, fmt.Sprintf("%v %s %v", m.Net.Address(i), x.Unit, x.Status))
		}
		for _, x := range slots {
			slot := uint8(x.Input*trace.Banks + x.Bank)
			all[place(i, trace.SU, slot)] = x.Status
			if x.Stuck() {
				require.NotEmpty(t, x.Why())
				listed = append(listed, fmt.Sprintf("%v SU %v", m.Net.Address(i), x.Status))
			}
		}
	}
	var reported []string
	for _, w := range m.Explain(math.MaxInt).Waits {
		unit, _, _ := strings.Cut(w.Unit, " ")
		reported = append(reported, fmt.Sprintf("%v %s %v", w.PE, unit, w.Status))
	}
	golden.Same(t, listed, reported, "units that wait")
	return all
}
