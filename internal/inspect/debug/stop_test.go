package debug

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/trace"
)

// clocksOf runs fib 9 and returns the clocks of the wanted events.
func clocksOf(t *testing.T, want func(s *bench, e *trace.Event) bool) []uint64 {
	b := newBench(t, spec("fib", "9"))
	var list []uint64
	b.s.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		if want(b, e) && (len(list) == 0 || list[len(list)-1] != e.Clock) {
			list = append(list, e.Clock)
		}
	}), b.s.Config().PEs, trace.All(b.s.Config().PEs)), 0, em4.ToEnd)
	require.NoError(t, b.s.Advance(context.Background(), em4.ToEnd))
	return list
}

// stopsOf returns the clocks in which a stop is hit.
func stopsOf(t *testing.T, command string) (list []uint64, said []string) {
	b := newBench(t, spec("fib", "9"))
	b.do(command)
	for {
		text := b.do("continue")
		if b.s.Current.Ended() {
			return list, said
		}
		list = append(list, b.clock()-1)
		require.Contains(t, text, fmt.Sprintf("clock %d: stop 1: ", b.clock()-1))
		said = append(said, text)
	}
}

// A breakpoint stops exactly in the clocks in which a trace shows its event.
func TestBreakpointsStopWhereTracesTell(t *testing.T) {
	for command, want := range map[string]func(b *bench, e *trace.Event) bool{
		"break got2": func(b *bench, e *trace.Event) bool { return e.Kind == trace.Fetched && b.label(e.PC) == "got2" },
		"b got2+1 [2,1]": func(b *bench, e *trace.Event) bool {
			return e.Kind == trace.Fetched && b.label(e.PC) == "got2+1" && b.address(int(e.PE)).String() == "[2,1]"
		},
		"break block": func(_ *bench, e *trace.Event) bool { return e.Kind == trace.Begun },
		"break block join": func(b *bench, e *trace.Event) bool {
			return e.Kind == trace.Begun &&
				b.label(e.PC) == "join"
		},
		"break block [ 2,1]": func(_ *bench, e *trace.Event) bool { return e.Kind == trace.Begun && e.PE == 7 },
		"break packet host": func(_ *bench, e *trace.Event) bool {
			return e.Kind == trace.Made && e.Packet.ToHost
		},
		"break packet host consumed": func(_ *bench, e *trace.Event) bool { return e.Kind == trace.Left },
		"break packet data made 1.0": func(_ *bench, e *trace.Event) bool {
			return e.Kind == trace.Made && !e.Packet.ToHost && e.PE == 3
		},
		"break packet data consumed": func(_ *bench, e *trace.Event) bool { return e.Kind == trace.Taken },
		"break state network_wait": func(_ *bench, e *trace.Event) bool {
			return e.Kind == trace.Changed && e.Status == trace.NetworkWait
		},
		"break state exu wait_switch [0,0]": func(_ *bench, e *trace.Event) bool {
			return e.Kind == trace.Changed && e.Unit == trace.EXU && e.Status == trace.WaitSwitch && e.PE == 0
		},
		"break state su move": func(_ *bench, e *trace.Event) bool {
			return e.Kind == trace.Changed && e.Unit == trace.SU && e.Status == trace.Move
		},
	} {
		t.Run(command, func(t *testing.T) {
			wanted := clocksOf(t, want)
			require.NotEmpty(t, wanted)
			got, _ := stopsOf(t, command)
			require.Equal(t, wanted, got)
		})
	}
}

// A watchpoint stops in every clock in which the value changes, and shows the old and the new value.
func TestWatchpointsStopWhereValuesChange(t *testing.T) {
	for command, value := range map[string]func(p *emcr.PE) uint64{
		"watch load [0,1]":        func(p *emcr.PE) uint64 { return uint64(p.Pins().LoadQ) },
		"watch fifo [0,1]":        func(p *emcr.PE) uint64 { return uint64(p.IBU().FIFOWords()) },
		"watch segments 0.1":      func(p *emcr.PE) uint64 { return uint64(p.SegmentsInUse()) },
		"watch operands [0,1]":    func(p *emcr.PE) uint64 { return uint64(p.CountWaitingOperands()) },
		"watch register r3 [0,1]": func(p *emcr.PE) uint64 { return p.EXU().Regs[3] },
		"watch register fp [0,1]": func(p *emcr.PE) uint64 { return p.EXU().Regs[15] },
		"watch memory 0x30001 [0,1]": func(p *emcr.PE) uint64 {
			return p.Memory().Read(0x30001)<<2 | uint64(p.Memory().Tag(0x30001))
		},
	} {
		t.Run(command, func(t *testing.T) {
			s := begun(t, spec("fib", "9"))
			was := value(s.PE(1))
			var wanted []uint64
			for !s.Current.Ended() {
				require.NoError(t, s.Advance(context.Background(), s.Current.Clock()+1))
				if v := value(s.PE(1)); v != was {
					was, wanted = v, append(wanted, s.Clock()-1)
				}
			}
			require.NotEmpty(t, wanted)
			got, said := stopsOf(t, command)
			require.Equal(t, wanted, got)
			require.Contains(t, said[0], "[0,1] ")
			require.Contains(t, said[0], " → ")
		})
	}
}

// A watchpoint without a PE watches all PEs.
func TestWatchEverywhere(t *testing.T) {
	got, said := stopsOf(t, "watch load")
	one, _ := stopsOf(t, "watch load [0,1]")
	require.Greater(t, len(got), len(one))
	require.Subset(t, got, one)
	require.Contains(t, strings.Join(said, ""), "[3,2] load: ")
}

// Stops are listed with their hits, disabled, enabled and deleted.
func TestListOfStops(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	require.Contains(t, b.do("stops"), "no stops")
	b.do("break join")
	b.do("watch load [0,0]")
	b.do("break packet host")
	b.do("disable 2 3")
	require.Contains(t, b.do("c"), "stop 1: ")
	require.Equal(t, "  1  on   join  (1 hit)\n  2  off  load [0,0]  (0 hits)\n  3  off  packet host  (0 hits)\n",
		b.do("stops"))
	b.do("delete 1")
	b.do("enable 3")
	require.Contains(t, b.do("c"), "stop 3: [0,0] makes packet [0,0].")
	b.do("disable")
	require.Contains(t, b.do("c"), "the run is over: result 34,")
	b.do("goto +0")
	b.do("enable")
	require.Contains(t, b.do("c"), "stop 2: ", "stops work after going back")
	b.do("delete")
	require.Contains(t, b.do("stops"), "no stops")
	require.Contains(t, b.wrong("delete 7"), "there is no stop 7")
}

// If several stops are hit in one clock, all are reported, and the prompt moves to the PE of the first.
func TestStopsInOneClock(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	b.do("break block newroot")
	b.do("break newroot")
	b.do("break state fmu fire")
	b.do("continue")
	text := b.do("continue")
	for !strings.Contains(text, "stop 1") {
		text = b.do("")
	}
	require.Contains(t, text, "stop 1: [0,0] begins the block newroot by packet [0,0].")
	require.Contains(t, text, "stop 2: [0,0] executes newroot (fib.s:")
	require.Contains(t, text, "stop 3: [0,0] FMU: fire, was ")
}

// A continuation is shown with its target, an operand or a system block.
func TestContinuationsAreNamed(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	b.do("until block start")
	require.Contains(t, b.do("registers"), " = continuation of [0,0] system block answer\n")
	b.do("until packet data made [0,0]")
	b.do("until block start")
	require.Regexp(t, `r2 .* = continuation of \[0,0\] segment 0x30000 join (left|right)\n`, b.do("registers"))
}

func TestFinish(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	b.do("until got1")
	require.Contains(t, b.do("finish"), "the block has ended at got1+")
	require.False(t, b.peAt(b.pe).EXU().Busy)
	require.Contains(t, b.wrong("finish"), "runs no block")
}

// With a stop that is never hit, the run goes to its end. Afterwards there is nothing left to step, but all commands
// that show the machine work, and back works.
func TestEndOfTheRun(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	require.Contains(t, b.do("until label leaf"), "executes leaf")
	b.do("break block")
	b.do("break answer")
	b.do("delete 1")
	b.do("c")
	require.Contains(t, b.do("c"), "the run is over: result 34, after")
	require.NoError(t, b.Failed())
	require.Contains(t, b.wrong("step"), "the run is over")
	require.Contains(t, b.wrong("goto 1000000"), "the run is over")
	require.Contains(t, b.do("where"), "the host got 34")
	require.Contains(t, b.do("back 70"), "clock ")
	require.Contains(t, b.do("c"), "stop 2: [0,0] executes answer", "again")
	require.Contains(t, b.do("c"), "the run is over: result 34, after")
}

// A failed run stops at the failure. back works, and then the run fails again.
func TestFault(t *testing.T) {
	b := newBench(t, spec(source(t, `
		.start main
		main: mov r1, 5
		      mov r2, 0x1234
		      relseg! r2
		`)))
	text := b.do("continue")
	require.Contains(t, text, "the run has failed: PE [0,0], clock ")
	require.Contains(t, text, "(main+2, p.s:5): release of 0x1234")
	require.Contains(t, text, "the prompt is at [0,0], the PE that failed\n")
	require.Error(t, b.Failed())
	require.Contains(t, b.do("units"), "has a fault: PE [0,0]")
	require.Contains(t, b.do("registers"), "r1          0x5  5\n")
	b.do("back 2")
	require.NoError(t, b.Failed())
	require.NotContains(t, b.do("units"), "has a fault")
	require.Contains(t, b.do("step 5"), "release of 0x1234")
	require.Error(t, b.Failed())
	b.do("back")
	require.Contains(t, b.do("step"), "the run has failed", "a fault is seen in its clock")
}

// The prompt moves to the PE that failed. Stops that a lazy machine reached only after the fault do not count.
func TestFaultElsewhere(t *testing.T) {
	program := `
		.start main
		away: mov r1, 1
		      mov r2, 2
		      relseg r2
		` + strings.Repeat("      nop\n\t\t", 40) + `      out! r1
		main: rds r3, gapos
		      mov r1, 1
		      shl r1, r1, r3
		      send.d r0, r1, away
		spin: add r4, r4, 1
		      jmp spin
		`
	b := newBench(t, spec(source(t, program)))
	text := b.do("continue")
	require.Regexp(t, `the run has failed: PE \[1,0\], clock (\d+), .*p.s:5\): release of`, text)
	require.Contains(t, text, "the prompt is at [1,0], the PE that failed\nclock ")
	require.True(t, strings.HasPrefix(b.Prompt(), fmt.Sprintf("(%d [1,0])", b.clock())))
	failed := b.clock()
	require.Contains(t, b.do("registers"), "r1          0x1  1\n")
	require.Contains(t, b.do("pe 0.0; where"), "the run has failed")

	b.do("goto +0; pe 0.0; watch register r4 if r4 == 11")
	text = b.do("continue")
	require.Contains(t, text, "the prompt is at [1,0], the PE that failed\n")
	require.NotContains(t, text, "stop 1", "the register has that value only after the fault")
	require.Equal(t, failed, b.clock())
	require.Contains(t, b.do("stops"), "(0 hits)")
	b.do("delete; goto +0; pe 0.0")
	require.Contains(t, b.do(fmt.Sprintf("goto %d", failed+100)), "the prompt is at [1,0]")
}

// A run that deadlocks, and a run without a result, stop at the end and can go back.
func TestNoResult(t *testing.T) {
	b := newBench(t, spec(source(t, `
		.start main
		.template pair
		both: add r3, r1, r2
		      out! r3
		.endtemplate
		main: getseg r3, pair
		      send.l! r1, r3, @both
		`)))
	require.Contains(t, b.do("c"), "the run has failed: the program ended")
	text := b.do("segments")
	require.Contains(t, text, "1 of 896 in use, 1 operand waits for a partner")
	require.Contains(t, text, "both         left operand 0, waits for the right one")
	require.Contains(t, b.do("units"), "idle: operands wait for partners that have not arrived")
}
