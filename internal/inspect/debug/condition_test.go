package debug

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/isa"
	"emsim/trace"
)

// value returns the value of a condition in a PE, with the registers that the PE's next instruction reads.
func (b *bench) value(text string, pe int) int64 {
	c, err := b.readCondition(text, false)
	require.NoError(b.t, err, text)
	v := viewOf(b.peAt(pe))
	return c.holds(&sight{d: b.Debugger, values: c.readPE(b.Debugger, pe, &v, v.registers(), nil)})
}

// Operators have the same precedence as in Go, and words are signed numbers.
func TestConditionValues(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	b.do("until block start [0,0]")
	p := b.peAt(0)
	p.Memory().Write(5, 0xffff_fffd)
	p.Memory().Write(6, 5)
	for text, want := range map[string]int64{
		"1 + 2 * 3": 7, "(1 + 2) * 3": 9, "7 - 2 - 1": 4, "6 | 1 == 7": 1, "6 & 3 == 2": 1, "6 ^ 5": 3, "-3 + 1": -2,
		"- -3":  3,
		"1 < 2": 1, "2 < 2": 0, "2 <= 2": 1, "3 > 2": 1, "2 > 2": 0, "2 >= 2": 1, "2 != 2": 0, "2 == 2": 1,
		"1 - 2 < 0":   1,
		"1 || 0 && 0": 1, "0 or 0": 0, "0 or 7": 1, "2 and 4": 1, "2 && 0": 0, "!1": 0, "not 0": 1, "!0 && !0": 1,
		"!(1 && 0)": 1, "!!7": 1,
		"0xffffffff": -1, "0b101": 5, "0x1f": 31, "2147483647": 1<<31 - 1, "[5]": -3, "mem[5]": -3, "mem [5] + 1": -2,
		"[[6]]": -3, "[6 - 1] == 0xfffffffd": 1,
		"got1":   int64(b.symbol("got1")),
		"got1+1": int64(b.symbol("got1")) + 1,
		"ga":     0, "k": 2, "seed": 1, "prefetch": 1, "clock": int64(b.clock()), "segs": 895, "segments": 1, "mib": 0,
		"load":     int64(p.Pins().LoadQ),
		"fifo":     int64(p.IBU().FIFOWords()),
		"operands": int64(p.CountWaitingOperands()),
		"r0":       0, "r1": 9, "fp": int64(p.EXU().Regs[isa.FP]), "r15 == fp": 1,
		"[fp]": int64(p.Memory().Read(0x30000)), "r1==9&&!r0": 1,
	} {
		require.Equal(t, want, b.value(text, 0), text)
	}
}

func (b *bench) symbol(name string) uint32 {
	addr, err := b.readAddress(name)
	require.NoError(b.t, err)
	return addr
}

// A wrong condition gives an error with a caret at the place.
func TestWrongConditions(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	for text, want := range map[string]string{
		"r1 == 3 && lod > 2": "there is no register, quantity or name \"lod\"; did you mean \"load\"?\n    " +
			"r1 == 3 && lod > 2\n               ^~~",
		"r1 = 3": "write == to compare\n    r1 = 3\n       ^",
		"r1 ==": "it ends where a register, a quantity, a number, a name, [ADDRESS] or ( was " +
			"expected\n    r1 ==\n         ^",
		"r1 == 3 r2": "expected an operator, or the end, not r2\n    r1 == 3 r2\n            ^~",
		"1 < r1 < 5": "comparisons cannot follow each other: join them by && or ||\n    1 < r1 < " +
			"5\n           ^",
		"(r1 == 3":   "it ends where an operator or ) was expected\n    (r1 == 3\n            ^",
		"[fp+2 == 1": "it ends where an operator or ] was expected",
		"r1 == )": "expected a register, a quantity, a number, a name, [ADDRESS] or (, not )\n  " +
			"  r1 == )\n          ^",
		"r1 == 3x":                   "3x is not a number: expected 10, 0x1f or 0b101\n    r1 == 3x\n          ^~",
		"r1 == 010":                  "010 is not a number: expected 10, 0x1f or 0b101",
		"r1 == 4294967296":           "4294967296 does not fit into a word of 32 bits",
		"r1 == 99999999999999999999": "99999999999999999999 does not fit into a word of 32 bits",
		"r1 == 4294967295": "words are numbers with a sign, at most 2147483647: write " +
			"0xffffffff for these bits",
		"r16 == 1": "there is no register, quantity or name \"r16\"",
		"data == 1": "only stops of packets and blocks have a packet with data\n    " +
			"data == 1\n    ^~~~",
		"r1 % 2 == 0": "expected an operator, or the end, not %\n    r1 % 2 == 0\n       ^",
		"é == 2": "expected a register, a quantity, a number, a name, [ADDRESS] or (, not é\n  " +
			"  é == 2\n    ^",
		strings.Repeat("(", 200) + "1": "it has more than 100 brackets or signs within each other",
		strings.Repeat("!", 200) + "1": "it has more than 100 brackets or signs within each other",
	} {
		require.Contains(t, b.wrong("break got1 if "+text), want, text)
	}
	require.Contains(t, b.wrong("break packet data if [data] == 1"),
		"the packet's data cannot be part of an address\n    [data] == 1\n     ^~~~")
	for line, want := range map[string]string{
		"break got1 if":                    `"if" needs a condition, such as r1 == 3`,
		"break got1 on":                    `"on" needs PEs, such as [2,*]`,
		"break got1 times x":               `"x" is not a number of times`,
		"break got1 times":                 `"times" needs a number`,
		"break got1 times 2 3":             `"3" is not expected here`,
		"break got1 if r1 == 1 if r1 == 2": `one "if" is enough`,
		"break got1 on 3":                  `"3" is not a PE: expected [GROUP,MEMBER], such as [0,0], or 0.0; * stands for all groups or all members`,
		"break got1 on [9,*]":              "there is no PE [9,*]: the machine has groups 0..3 with members 0..2",
		"break got1 [0,0] on [0,1]":        "name the PEs once",
		"break on [2,*]":                   "stop for what in on [2,*]?",
		"break times 3":                    "stop for what in times 3?",
		"units [2,*]":                      `"[2,*]" is not a PE: expected [GROUP,MEMBER], such as [0,0], or 0.0`,
		"watch memory 0 wriitten":          `did you mean "written"?`,
		"watch memory 0 read now":          `"now" is not expected here`,
	} {
		require.Contains(t, b.wrong(line), want, line)
	}
	require.Empty(t, b.stops)
}

// A conditional breakpoint stops when the condition holds as the instruction is about to execute. The expected stops
// are the clocks at which a trace shows a call with n = 3 beginning its block, in a run of fib(9).
func TestConditionalBreakpoints(t *testing.T) {
	begins := func(n uint64, pes ...uint32) []uint64 {
		return clocksOf(t, func(b *bench, e *trace.Event) bool {
			return e.Kind == trace.Begun && b.label(e.PC) == "start" && b.peAt(int(e.PE)).FMU().Packet == e.Packet &&
				startArgument(b, e) == n && (pes == nil || e.PE >= pes[0] && e.PE <= pes[1])
		})
	}
	threes := begins(3)
	require.Greater(t, len(threes), 3)
	for command, want := range map[string][]uint64{
		"break start if r1 == 3":                                      threes,
		"break block start if r1 == 3":                                threes,
		"break block start if left == 3":                              threes,
		"break block start if r1 == 1 + 2 and not r0":                 threes,
		"break label start if r1 == 3 on [2,*]":                       begins(3, 6, 8),
		"break block start on 2.* if r1 == 3":                         begins(3, 6, 8),
		"break block start on [2,0] [2,*] [2,1] if r1 > 2 and r1 < 4": begins(3, 6, 8),
		"break block start if r1 == 77":                               nil,
	} {
		got, _ := stopsOf(t, command)
		require.Equal(t, want, got, command)
	}
	// blt is one instruction after start, when r8 is already 3.
	got, _ := stopsOf(t, "break start+1 if r1 == 3 && r8 == 3")
	for i := range threes {
		require.Less(t, threes[i], got[i])
	}
	require.Len(t, got, len(threes))
	got, _ = stopsOf(t, "break start if r8 == 3")
	require.Empty(t, got, "registers are cleared before a block")
}

// startArgument returns the argument of the instance whose block start begins.
func startArgument(b *bench, e *trace.Event) uint64 {
	left := e.Packet.Data
	if f := b.peAt(int(e.PE)).FMU(); f.Left != left {
		left = f.Left
	}
	return left
}

// Conditions can also use the packet's data, the load and the PEs. For a word to the host, the data is that word.
func TestConditionsOfPackets(t *testing.T) {
	made := func(b *bench, e *trace.Event) bool {
		return e.Kind == trace.Made && !e.Packet.ToHost && e.Packet.Data == 4
	}
	got, _ := stopsOf(t, "break packet data made if data == 4")
	require.Equal(t, clocksOf(t, made), got)
	got, said := stopsOf(t, "break packet host consumed if data == 34")
	require.Len(t, got, 1)
	require.Contains(t, said[0], "the host gets 34")
	got, _ = stopsOf(t, "break packet host consumed if data == 33")
	require.Empty(t, got)
}

// The condition of a watchpoint applies to the state after the change. A stop with only a condition stops when the
// condition begins to hold.
func TestConditionsOfWatchpoints(t *testing.T) {
	values := func(pe int) (list []uint64) {
		b := newBench(t, spec("fib", "9"))
		for was := uint8(0); !b.s.Current.Ended(); {
			require.NoError(t, b.s.Advance(context.Background(), b.s.Current.Clock()+1))
			if is := b.peAt(pe).Pins().LoadQ; is != was {
				if is >= 1 {
					list = append(list, b.clock()-1)
				}
				was = is
			}
		}
		return list
	}
	got, _ := stopsOf(t, "watch load [1,1] if load >= 1")
	require.NotEmpty(t, got)
	require.Equal(t, values(4), got)
	all, said := stopsOf(t, "break if load >= 1 on [1,1]")
	require.Subset(t, got, all, "it begins to hold")
	require.Less(t, len(all), len(got))
	require.Contains(t, said[0], "stop 1: [1,1] load >= 1 on [1,1]\n")
	got, _ = stopsOf(t, "watch register r3 [0,1] if r3 == 1")
	require.NotEmpty(t, got)
	b := newBench(t, spec("fib", "9"))
	b.do("pe 0.1; watch register r3 if r3 == 1; continue")
	require.EqualValues(t, 1, b.peAt(1).EXU().Regs[3])
}

// A stop with "times N" stops at every N-th hit, and counts all hits.
func TestTimes(t *testing.T) {
	all, _ := stopsOf(t, "break got1")
	got, said := stopsOf(t, "break got1 times 3")
	require.NotEmpty(t, got)
	require.Subset(t, all, got)
	require.Contains(t, said[0], " (time 3)\n")
	b := newBench(t, spec("fib", "9"))
	b.do("break got1 times 3 on [0,0]; break block times 1000000; continue")
	require.Contains(t, b.do("stops"), "got1 times 3 on [0,0]  (3 hits)\n")
	b = newBench(t, spec("fib", "9"))
	require.Contains(t, b.do("until got1 on [0,0] times 3"), "executes got1")
	require.NotContains(t, b.do("until got1 on [0,0] if r1 == 1"), "the run is over")
}

// Conditions complete after operators too.
func TestCompletionOfConditions(t *testing.T) {
	b := newBench(t, spec("fib", "6"))
	require.Equal(t, []string{"break got1 if r1==fifo"}, b.Complete("break got1 if r1==fif"))
	require.Equal(t, []string{"step;until got1 if (operands"}, b.Complete("step;until got1 if (oper"))
	require.Contains(t, b.Complete("break got1 i"), "break got1 if")
	require.Empty(t, b.Complete("break got1 if r1 == 3 on gap"))
	require.Equal(t, []string{"watch memory got1 written"}, b.Complete("watch memory got1 wri"))
	require.Equal(t, []string{"help conditions"}, b.Complete("help cond"))
	require.Contains(t, b.do("help conditions"), "registers are those that the")
	for _, name := range conditionNames() {
		if !strings.HasPrefix(name, "r") || name == "right" {
			require.Contains(t, b.do("help conditions"), name)
		}
	}
}

// reference runs fib 9 clock by clock, and returns the clocks in which a word is used according to the instructions and
// packets of a trace.
func reference(t *testing.T, pe int, addr uint32, write bool) (list []uint64) {
	b := newBench(t, spec("fib", "9"))
	b.s.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
		stored := e.Kind == trace.Stored && e.Packet.Addr == addr
		looked := e.Kind == trace.Taken && !e.Packet.Direct && e.Packet.Addr == addr
		if int(e.PE) == pe && (write && stored || !write && looked) {
			list = append(list, e.Clock)
		}
	}), b.s.Config().PEs, trace.All(b.s.Config().PEs)), 0, em4.ToEnd)
	require.NoError(t, b.s.Advance(context.Background(), em4.ToEnd))
	return list
}

// A use of a word is reported in its clock, whether or not the word changes.
func TestUsesOfMemory(t *testing.T) {
	for _, write := range []bool{true, false} {
		how := map[bool]string{true: "written", false: "read"}[write]
		got, said := stopsOf(t, fmt.Sprintf("watch memory 0x30001 %s [0,1]", how))
		require.Equal(t, reference(t, 1, 0x30001, write), got)
		require.Contains(t, said[0], "[0,1] memory 0x30001 (join) is "+how+": ")
		require.Contains(t, said[0], "\n    by the FMU, which ")
	}
}

// Each block that a packet begins through its segment has read the template's address from the segment's first word.
func TestReadsOfTheTemplate(t *testing.T) {
	const base = 0x30000
	begun := clocksOf(t, func(_ *bench, e *trace.Event) bool {
		return e.Kind == trace.Begun && e.PE == 1 && !e.Packet.Direct && e.Packet.Addr&^0x3f == base
	})
	require.NotEmpty(t, begun)
	got, said := stopsOf(t, fmt.Sprintf("watch memory %#x read [0,1]", base))
	var reads []uint64
	for i, text := range said {
		if strings.Contains(text, "by the FMU, which reads the template's address for packet ") {
			reads = append(reads, got[i])
		}
	}
	require.Len(t, reads, len(begun))
	for i := range reads {
		require.Less(t, reads[i], begun[i])
	}
}

// memoryProgram stores, loads, allocates and releases.
const memoryProgram = `
		.start main
		.template pair
		both: out! r1
		.endtemplate
		main: mov r1, 7
		      st r1, r0, 100
		      st r1, r0, 100
		      ld r2, r0, 100
		      mov r1, 8
		      mov r1, 8
		      getseg r4, pair
		      relseg r4
		      st r1, r0, 101
		      out! r2
		`

// Each hit reports the old and new value, the PE, the clock, the instruction and the source line.
func TestWhoUsesWords(t *testing.T) {
	b := newBench(t, spec(source(t, memoryProgram)))
	b.do("watch memory 100; watch memory 100 written; watch memory 100 read; watch register r1; watch memory " +
		"0x30000 written")
	var said []string
	for text := b.do("continue"); !strings.Contains(text, "the run is over"); text = b.do("continue") {
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(line, "clock ") || strings.Contains(line, "stop") {
				_, line, _ = strings.Cut(line, "stop ")
				said = append(said, line)
			}
		}
		said = append(said, text[strings.Index(text, "stop "):strings.LastIndex(text, "clock ")])
	}
	got := strings.Join(said, "")
	for _, want := range []string{
		"stop 4: [0,0] register r1: 0 → 7\n    by main (p.s:6): add r1, r0, 7\n",
		"stop 1: [0,0] memory 0x64: 0 → 7\n    by main+1 (p.s:7): st r1, r0, 100\n",
		"stop 2: [0,0] memory 0x64 is written: 0 → 7\n    by main+1 (p.s:7): st r1, r0, 100\n",
		"stop 2: [0,0] memory 0x64 is written: 7\n    by main+2 (p.s:8): st r1, r0, 100\n",
		"stop 3: [0,0] memory 0x64 is read: 7\n    by main+3 (p.s:9): ld r2, r0, 100\n",
		"stop 4: [0,0] register r1: 7 → 8\n    by main+4 (p.s:10): add r1, r0, 8\n",
		"    by main+6 (p.s:12): getseg r4, ",
		"    by main+7 (p.s:13): relseg r4\n",
	} {
		require.Contains(t, got, want)
	}
	require.Equal(t, 1, strings.Count(got, "stop 1: "))
	require.Equal(t, 2, strings.Count(got, "stop 2: "))
	require.Equal(t, 1, strings.Count(got, "stop 3: "))
	require.Equal(t, 2, strings.Count(got, "stop 4: "), "the same value again is no change")
	require.Equal(t, 2, strings.Count(got, "stop 5: "))
}
