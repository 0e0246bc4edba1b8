package debug

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
)

// A wrong command gives an error that says what is wrong and what was expected, and changes nothing.
func TestWrongCommands(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	b.do("until +200")
	before := b.hash()
	for line, want := range map[string]string{
		"stpe":         `there is no command "stpe"; did you mean "step"?`,
		"s x":          `"x" is not a number of clocks`,
		"step 1 2":     `"2" is not expected here`,
		"l 0x40000":    `"0x40000" is not a memory address: expected 0..0x3ffff`,
		"list 0x3ffff": "0x3ffff is not in the program",
		"list nowhere": `"nowhere" is not a label of the program`,
		"break gt1":    `"gt1" is not a label of the program; did you mean "got1"?`,
		"break got1+x": `"x" is not a number of words after got1`,
		"break 0x30000": "there is no instruction at 0x30000: 'watch memory 0x30000' stops when " +
			"the word changes",
		"break":                      "stop for what? a line of the source, as in fib.go:15; a label; block",
		"break [0,0]":                "stop for what in [0,0]?",
		"break got1 got2":            "a breakpoint needs one label or address",
		"break block [4,0]":          "there is no PE [4,0]: the machine has groups 0..3 with members 0..2",
		"break block [x,0]":          `"[x,0]" is not a PE: expected [GROUP,MEMBER], such as [0,0], or 0.0`,
		"break block [0,0] [0,1]":    "one PE is enough, [0,1] is a second one",
		"break packet":               "which packets? expected data, mlpe, host",
		"break packet mpe":           `"mpe" is not a valid packet kind: expected data, mlpe, host; did you mean "mlpe"?`,
		"break packet data sent":     `"sent" is not a valid time of a packet: expected made, consumed`,
		"break packet data made now": `"now" is not expected here`,
		"break state":                "state needs one of exu_fmu, ",
		"break state wait":           `"wait" can be wait_ibu or wait_memory or `,
		"break state idel":           `did you mean "idle"?`,
		"break state xeu idle":       `"xeu" is not a valid unit: expected pe, su, ibu, fmu, exu; did you mean "exu"?`,
		"watch register r16":         `"r16" is not a register: expected r0 .. r15 or fp`,
		"watch register":             "watch register needs one of r0 .. r15, fp",
		"watch memory":               "watch memory needs one address or label",
		"watch load 3":               `"3" is not expected here`,
		"until":                      "stop for what?",
		"until 5":                    "clock 5 is over: the machine is at 269; 'goto' goes back",
		"until 5x":                   `"5x" is not a clock`,
		"goto":                       "goto needs a clock",
		"goto 5":                     "clock 5 is before the beginning at clock 69",
		"goto here":                  `"here" is not a clock: expected one of the machine, such as 500, or +500 after the start of the run`,
		"back 300":                   "the first clock is 69: you can go back by 200, not by 300",
		"back -1":                    `"-1" is not a number of clocks`,
		"disable 1":                  "there is no stop 1: 'stops' lists them",
		"pe 12":                      `"12" is not a PE: expected [GROUP,MEMBER], such as [0,0], 0.0, or a number 0..11`,
		"pe 0.3":                     "there is no PE 0.3",
		"units 3":                    `"3" is not expected here`,
		"units [0,0] [0,0]":          "one PE is enough",
		"queues all":                 `"all" is not a number of lines`,
		"loads speed":                `"speed" is not a valid quantity: expected load, fifo, mib, segments, operands`,
		"loads load fifo":            `"fifo" is not expected here`,
		"x":                          "x needs an address or a label",
		"x main -1":                  `"-1" is not a number of words`,
		"symbols nosuch":             `no name of the program begins with "nosuch"`,
		"where now":                  `"now" is not expected here`,
		"help nosuch":                `there is no command "nosuch"`,
		"help step back":             `"back" is not expected here`,
		"tree all lines":             "tree lines needs a number",
		"s 99999999999999999999":     `"99999999999999999999" is not a number of clocks`,
		"where; stpe; step":          `there is no command "stpe"`,
		"d":                          `"d" can be delete or disable`,
	} {
		require.Contains(t, b.wrong(line), want, line)
		require.Equal(t, before, b.hash(), line)
	}
	require.Empty(t, b.stops)
}

// For any input there is no panic, and any error has a type that commands return.
func TestAnyLine(t *testing.T) {
	names := []string{"?", "s", "c", "bk", "nosuch"}
	for _, c := range every() {
		names = append(names, c.name)
	}
	rapid.Check(t, func(t *rapid.T) {
		b := newBench(t, spec("fib", "6"))
		words := rapid.SampledFrom(append(stopWords(b.Debugger),
			"[0,0]", "[ 1 , 2 ]", "2.1", "[9,9]", "0", "1", "7", "+20", "150", "0x30000", "0x3ffff", "262143", "all",
			"depth", "lines", "-1", "r3", "exu", "#", "main+3", "[", "+", "é", "[*,1]", "==", "(r1<3)", "[fp+1]", "!"))
		for range rapid.IntRange(1, 12).Draw(t, "lines") {
			line := rapid.SampledFrom(names).Draw(t, "name")
			for range rapid.IntRange(0, 4).Draw(t, "words") {
				line += " " + words.Draw(t, "word")
			}
			err := b.Do(context.Background(), line)
			var wrong *simerr.Usage
			require.True(t, err == nil || errors.As(err, &wrong), "%q: %v", line, err)
			for _, l := range b.Complete(line) {
				require.True(t, strings.HasPrefix(l, line))
			}
		}
	})
}

// The command screen hands the debugger to the view until the view ends; without a terminal it is an error.
func TestScreen(t *testing.T) {
	b := newBench(t, spec("fib", "6"))
	require.Contains(t, b.wrong("screen"), "screen needs the prompt on a terminal")
	shown := 0
	b.Screen = func(context.Context) error { shown++; return nil }
	b.do("screen")
	require.Equal(t, 1, shown)
	require.Contains(t, b.wrong("screen 80"), `"80" is not expected here`)
}

// A View shows the same data as the commands, and does not change afterwards.
func TestView(t *testing.T) {
	b := newBench(t, spec("fib", "9"))
	b.do("until start+6; step 200; pe 1.1")
	l := b.View()
	require.Equal(t, "fib 9 on emc-r, 12 PEs, seed 1", l.Program)
	require.Equal(t, 4, l.Chosen)
	require.Contains(t, b.do("units"), strings.Join(l.Unit.Lines[:3], "\n  "))
	require.Contains(t, b.do("where"), l.Clock)
	for i, name := range []string{"load", "fifo", "mib", "segments", "operands"} {
		sum := 0
		require.Equal(t, name, l.Levels[i+1].Name)
		for pe, c := range l.Levels[i+1].Cells {
			v := levels[i].value(b.peAt(pe))
			require.Equal(t, Amount(v, map[bool]int{true: 16, false: 10}[i == 0]), c)
			sum += v
		}
		require.Contains(t, b.do("loads "+name), fmt.Sprintf("; sum %d\n", sum))
	}
	busy := 0
	for pe, c := range l.Levels[0].Cells {
		require.Equal(t, b.peAt(pe).EXU().Busy, c.Letter == byte(Runs) || c.Letter == byte(Blocked), b.address(pe))
		if c.Letter == byte(Runs) {
			busy++
		}
	}
	require.Positive(t, busy)
	code := l.Texts[1]
	require.Regexp(t, `^0x\w+ `+strings.TrimSpace(code.Lines[code.Current])[:5], strings.TrimLeft(b.do("list "+
		strings.TrimPrefix(strings.TrimPrefix(code.Title, "last, "), "next, ")+" 1"), " =>f"))
	before := *l
	b.do("step 100")
	require.Equal(t, before, *l)
}

// Every command has help, under all of its names.
func TestHelp(t *testing.T) {
	b := newBench(t, spec("fib", "6"))
	text := b.do("help")
	names := map[string]bool{}
	for _, c := range every() {
		require.Contains(t, text, "\n  "+c.usage())
		for _, n := range append(c.short, c.name) {
			require.False(t, names[n], "%s twice", n)
			names[n] = true
			require.Contains(t, b.do("help "+n), c.doc)
		}
	}
	for line := range strings.Lines(text) {
		require.LessOrEqual(t, len([]rune(line)), 91, line)
	}
}

func TestCompletion(t *testing.T) {
	b := newBench(t, spec("fib", "6"))
	require.Equal(t, []string{"step", "stops", "segments", "symbols", "screen"},
		sorted(b.Complete("s"), "step", "stops", "segments", "symbols", "screen"))
	require.Equal(t, []string{"break got1", "break got2"}, b.Complete("break got"))
	require.Contains(t, b.Complete("until packet "), "until packet mlpe")
	require.Contains(t, b.Complete("watch "), "watch segments")
	require.Equal(t, []string{"help where"}, b.Complete("help whe"))
	require.Equal(t, []string{"loads segments"}, b.Complete("loads s"))
	require.Equal(t, []string{"step 3;until got1", "step 3;until got2"}, b.Complete("step 3;until got"))
	require.Equal(t, []string{"step 3;units", "step 3;until"},
		sorted(b.Complete("step 3;un"), "step 3;units", "step 3;until"))
	require.Empty(t, b.Complete("nosuch x"))
	require.Empty(t, b.Complete("step "))
}

// sorted returns want when got has the same elements.
func sorted(got []string, want ...string) []string {
	if len(got) != len(want) {
		return got
	}
	for _, w := range want {
		if !strings.Contains(strings.Join(got, " ")+" ", w+" ") {
			return got
		}
	}
	return want
}

// An empty line repeats the last motion, and no other command.
func TestEmptyLine(t *testing.T) {
	b := newBench(t, spec("fib", "6"))
	b.do("step 3; step 5; where")
	require.Equal(t, uint64(69+8), b.clock())
	b.do("back 3;;")
	b.do("goto 74")
	b.do("step 5")
	b.do("")
	b.do("  ")
	require.Equal(t, uint64(69+20), b.clock())
	b.do("   # nothing")
	require.Equal(t, uint64(69+20), b.clock())
	b.do("where")
	require.Empty(t, b.do(""))
	b.do("quit")
	require.True(t, b.Quit())
}

// Ctrl-C ends a motion at once, including back, and the run can continue.
func TestInterrupt(t *testing.T) {
	for _, line := range []string{"continue", "break state wait_port;continue", "tree", "goto 30000000"} {
		b := newBench(t, spec(source(t, `
		.start main
		main: jmp main
		`)))
		if line == "tree" {
			b.do("goto +40000")
		}
		front, last, two := strings.Cut(line, ";")
		if two {
			b.do(front)
		} else {
			last = front
		}
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		var user *interrupt.Error
		require.ErrorAs(t, b.Do(ctx, last), &user, line)
		now := b.clock()
		b.do("step 3")
		require.Equal(t, now+3, b.clock())
		b.do("back 4")
		require.Equal(t, now-1, b.clock())
	}
}

// Commands that show the machine never change it, at any clock, on any machine.
func TestViewingChangesNothing(t *testing.T) {
	s := spec("fib", "10")
	s.Sets = []string{"fifo_words=2"} // so that many packets go through the MIB
	s.Params = map[string]string{"mlpe": "on", "policy": "random"}
	b := newBench(t, s)
	for !b.s.Current.Ended() {
		b.do("step 29")
		before := b.hash()
		for _, line := range []string{
			"where", "loads", "units", "regi [1,0]", "loads mib", "network", "program", "symbols", "units", "registers",
			"segments", "queues", "links",
			"callers", "x 0x30000 40", "x 0x3ffff 3", "list", "list start 300", "units 1.1", "queues [2,1] 3",
			"links 1.2", "segments 0.1 1", "tree all", "stops",
		} {
			text := b.do(line)
			require.NotContains(t, text, "%!", line)
			require.True(t, text == "" || strings.HasSuffix(text, "\n"), line)
		}
		require.Equal(t, before, b.hash())
	}
	var out bytes.Buffer
	d := New(begun(t, s), &out)
	d.Welcome()
	require.Contains(t, out.String(), "fib 10 policy=random mlpe=on")
	require.Equal(t, "("+out.String()[strings.Index(out.String(), "clock ")+6:][:3], d.Prompt()[:4])
}

// BenchmarkContinue measures the cost of stops.
func BenchmarkContinue(b *testing.B) {
	for name, lines := range map[string][]string{
		"free": nil, "watch": {"watch memory 0 [0,0]"}, "break": {"break state wait_port"},
		"label": {"break got1 if r1 == 77"}, "condition": {"break packet mlpe if r1 == 77 && [5] == 3"},
	} {
		b.Run(name, func(b *testing.B) {
			x := newBench(b, spec("fib", "18"))
			for _, l := range lines {
				x.do(l)
			}
			for range b.N {
				x.do("goto +0")
				require.NoError(b, x.advance(context.Background(), em4.ToEnd, x.stops))
			}
		})
	}
}
