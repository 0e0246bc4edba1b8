package em4_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/simerr"
	"emsim/packet"
)

// kinder is an error that the command can report as JSON.
type kinder interface {
	error
	Kind() string
	Details() map[string]any
}

// faults maps descriptions to programs with a mistake, and to the fault that they cause. The programs run on 12 PEs,
// and begin when a packet with the number 7 arrives for the block start of [0,0].
var faults = map[string]struct {
	text   string // the program after the line ".arg n, 1, 100, start"
	config func(c *em4.Config)
	kind   string
	says   []string
	at     packet.PE
	noCode bool // the fault is not caused by an instruction
}{
	"no segment is free": {
		text:   "start: getseg r3, f\njmp start\n.template f\nx: nop!\n.endtemplate",
		config: func(c *em4.Config) { c.Segments = 8 },
		kind:   "segment_overflow", says: []string{"no operand segment is free (8 in use)", "raise segments"},
	},
	"no structure memory is free": {
		text:   "start: getstr r3, 16\njmp start",
		config: func(c *em4.Config) { c.StructureWords = 40 },
		kind:   "structure_overflow", says: []string{
			"no 16 consecutive words", "8 words are free in all",
			"raise structure_words",
		},
	},
	"structure memory in pieces": {
		text:   "start: getstr r3, 20\ngetstr r4, 1\nrelstr r3\ngetstr! r4, 30",
		config: func(c *em4.Config) { c.StructureWords = 40 },
		kind:   "structure_overflow", says: []string{"no 30 consecutive words", "39 words are free in all"},
	},
	"a structure of nothing": {text: "start: getstr! r3, r0", says: []string{"structure of 0 words"}},
	"a structure larger than memory": {
		text: "start: mov r3, -1\ngetstr! r3, r3", kind: "structure_overflow",
		says: []string{"4294967295 consecutive words"},
	},
	"the MIB is full": {
		text: `start: mov r3, 40
.more:  send.d r1, fp, slow
        sub r3, r3, 1
        bne r3, r0, .more
        nop!
slow:   div! r3, r1, r1`,
		config: func(c *em4.Config) { c.FIFOWords, c.MIBWords = 4, 8 },
		kind:   "mib_overflow", says: []string{"input buffer is full (8 words)", "raise mib_words"}, noCode: true,
	},
	"a second left operand": {
		text: twoOperands + "start: getseg r3, f\nsend.l r1, r3, @both\nsend.l! r1, r3, @both",
		says: []string{"a second left operand", "displacement 1", "data/left"}, noCode: true,
	},
	"a second right operand": {
		text: twoOperands + "start: getseg r3, f\nsend.r r1, r3, @both\nsend.r! r1, r3, @both",
		says: []string{"a second right operand"}, noCode: true,
	},
	"an operand for a released segment": {
		text: twoOperands + "start: getseg r3, f\nrelseg r3\nsend.1! r1, r3, @both",
		says: []string{"which is not in use", "data/one"}, noCode: true,
	},
	"an operand for a segment never taken": {
		text: twoOperands + "start: getseg r3, f\nadd r3, r3, 64\nsend.l! r1, r3, @both",
		says: []string{"which is not in use"}, noCode: true,
	},
	"an operand for no segment": {
		text: "start: send.1! r1, fp, 5",
		says: []string{"address 0x5", "not a node of an operand segment"}, noCode: true,
	},
	"an operand for a segment's word 0": {
		text: twoOperands + "start: getseg r3, f\nsend.1! r1, r3, 0",
		says: []string{"not a node of an operand segment"}, noCode: true,
	},
	"a store to code": {
		text: "start: st! r1, r0, start",
		says: []string{"store to 0x0, which is code"},
	},
	"a load from the input buffer's memory": {
		text: "start: ld! r3, r0, 0x3ffff",
		says: []string{"load from 0x3ffff", "belong to the input buffer"},
	},
	"a store to the input buffer's memory": {
		text: "start: mov r3, -1\nst! r1, r3, 0",
		says: []string{"store to 0x3ffff", "belong to the input buffer"},
	},
	"a load outside a small memory": {
		text:   "start: ld! r3, r0, 0x20000",
		config: func(c *em4.Config) { c.MemoryWords, c.Segments, c.StructureWords = 1<<16, 16, 64 },
		says:   []string{"load from 0x20000", "or do not exist"},
	},
	"a release of no segment": {
		text: "start: relseg! r1",
		says: []string{"release of 0x7, which is not an operand segment in use"},
	},
	"a release of a node": {
		text: twoOperands + "start: getseg r3, f\nadd r3, r3, 1\nrelseg! r3",
		says: []string{"not an operand segment in use"},
	},
	"a second release": {
		text: twoOperands + "start: getseg r3, f\nrelseg r3\nrelseg! r3",
		says: []string{"not an operand segment in use"},
	},
	"a release with an operand that waits": {text: twoOperands +
		"start: getseg r3, f\nsend.l r1, r3, @both\nst r3, r0, word\nsend.d! r1, fp, later\nlater: ld r3, r0, " +
		"word\nrelseg! r3\nword: .space 1", says: []string{"in which 1 operand waits"}},
	"a store to a released segment": {
		text: twoOperands +
			"start: getseg r3, f\ngetseg r4, f\nrelseg r3\nrelseg r4\nmov r5, -1\nst r5, r4, 0\ngetseg r3, " +
			"f\ngetseg! r3, f",
		says: []string{"leads to 0x3ffff, which is not a released segment", "stored to word 0"},
	},
	"a release of no structure": {text: "start: relstr! r1", says: []string{"where no structure begins"}},
	"a release of a structure's middle": {
		text: "start: getstr r3, 4\nadd r3, r3, 1\nrelstr! r3",
		says: []string{"where no structure begins"},
	},
	"a packet to a member that is not there": {
		text: "start: mov r3, 3\nshl r3, r3, 18\nsend.d! r1, r3, start",
		says: []string{"send to [0,3]", "register r3 holds 0xc0000", "not a continuation of this machine"},
	},
	"a packet to a group that is not there": {
		text: "start: mov r3, 4\nshl r3, r3, 21\nsend.d! r1, r3, start",
		says: []string{"send to [4,0]"},
	},
	"a jump to data": {text: ".template f\nx: nop!\n.word 5\n.endtemplate\nstart: getseg r3, " +
		"f\nsend.1! r1, r3, 2", says: []string{"code address 0x2", "no instruction here", "lack its end mark"}},
	"a jump to nothing": {
		text: twoOperands + "start: getseg r3, f\nsend.1! r1, r3, 60",
		says: []string{"code address 0x3c", "no instruction here"},
	},
	"a fault elsewhere": {text: "start: mov r3, 17\nshl r3, r3, 18\nsend.d! r1, r3, " +
		"bad\nbad: relseg! r1", at: packet.PE{GA: 2, CA: 1}, says: []string{"PE [2,1], clock 16, code address 0x3"}},
}

// A program's mistake stops the machine. The message says which PE failed, when, where in the program, what happened,
// and what to do.
func TestFaults(t *testing.T) {
	for name, c := range faults {
		t.Run(name, func(t *testing.T) {
			cfg := machine(12, func(c *em4.Config) { c.HopClocks, c.InjectClocks, c.BankClocks = 4, 1, 2 })
			if c.config != nil {
				c.config(&cfg)
			}
			if c.kind == "" {
				c.kind = "program_error"
			}
			_, err := run(boot(t, cfg, source(t, ".arg n, 1, 100, start\n"+c.text+"\n")), 7)
			var k kinder
			require.ErrorAs(t, err, &k)
			require.Equal(t, c.kind, k.Kind(), "%v", err)
			for _, s := range append(c.says, fmt.Sprintf("PE %v, clock ", c.at)) {
				require.Contains(t, err.Error(), s)
			}
			d := k.Details()
			require.Equal(t, []int{int(c.at.GA), int(c.at.CA)}, d["pe"])
			require.NotZero(t, d["clock"])
			require.Equal(t, !c.noCode, d["pc"] != nil, "%v", d)
		})
	}
}

const twoOperands = ".template f\nboth: nop!\n.endtemplate\n"

// If a program ends without a word to the host, the error names the operands whose partners never came.
func TestNoResult(t *testing.T) {
	m := boot(t, machine(12), source(t, ".arg n, 1, 100, start\n.template f\n.space 2\nboth: out! r1\nwho: out! "+
		"r1\n.endtemplate\nstart: getseg r3, f\nsend.l r1, r3, @both\nsend.r! r1, r3, @who\n"))
	_, err := run(m, 7)
	var none *em4.NoResult
	require.ErrorAs(t, err, &none)
	require.Equal(t, "no_result", simerr.Kind(err))
	require.Len(t, none.Operands, 2)
	require.ErrorContains(t, err, "without a word to the host")
	require.ErrorContains(t, err, "displacement 3: the left operand 0x7 waits, the right one never came")
	require.ErrorContains(t, err, "displacement 4: the right operand 0x7 waits, the left one never came")
	require.Equal(t, none.Operands, none.Details()["half_matched"])

	_, err = run(boot(t, machine(12), source(t, ".arg n, 1, 100, start\nstart: nop!\n")), 7)
	require.ErrorContains(t, err, "no operand waits for a partner")
}

// The clock limit stops a run or an init block that does not end. The report says what the units do, and which operands
// wait.
func TestClockLimit(t *testing.T) {
	o := source(t, twoOperands+".arg n, 1, 100, start\nstart: getseg r3, f\nsend.l r1, r3, @both\nsend.d! r1, fp, "+
		"more\nmore: send.l r1, fp, 0\non: jmp on\n")
	m := boot(t, machine(12), o)
	r, err := m.Run(context.Background(), []uint64{7}, em4.RunOptions{MaxClocks: 500})
	var limit *em4.ClockLimit
	require.ErrorAs(t, err, &limit)
	require.Equal(t, "max_clocks", simerr.Kind(err))
	var bound *em4.Limit
	require.ErrorAs(t, err, &bound)
	require.EqualValues(t, 500, bound.Clock)
	require.EqualValues(t, 500, limit.Clock)
	require.EqualValues(t, 500, r.Clocks, "the statistics up to there are returned")
	require.ErrorContains(t, err, "after 500 clocks (run)")
	require.ErrorContains(t, err, "PE [0,0], EXU: nothing: it runs, at code address 0x6")
	require.ErrorContains(t, err, "PE [0,0], FMU: the memory port, to match data/left [0,0] node 0x0")
	require.ErrorContains(t, err, "displacement 1: the left operand 0x7 waits")
	require.Equal(t, 1, limit.Details()["in_flight"])

	o = source(t, ".init boot\n.arg n, 1, 100, boot\nboot: jmp boot\n")
	require.ErrorContains(t, build(t, machine(12), o).Boot(context.Background(), 300),
		"after 300 clocks (init): the program's init blocks have not ended")
}

// A cancelled context ends a run, which returns the statistics so far.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := boot(t, machine(12), source(t, ".arg n, 1, 100, start\nstart: jmp start\n"))
	r, err := m.Run(ctx, []uint64{7}, em4.RunOptions{})
	require.ErrorIs(t, err, context.Canceled)
	require.NotZero(t, r.Clocks)
}

func TestWrongArguments(t *testing.T) {
	_, err := run(boot(t, machine(12), fib(t, "ring", "")))
	require.ErrorContains(t, err, "0 arguments for a program that takes 1")
}

// With one bank the network can deadlock. The report names the waiting PEs and units, says what each of them waits for,
// and gives the cycle: each wait is for the bank that the next wait's packet occupies.
func TestDeadlock(t *testing.T) {
	o := file(t, "busy.s")
	m := boot(t, machine(80, func(c *em4.Config) { c.Banks = 1 }), o)
	_, err := run(m, 7, 9, 1, 2, 3, 4)
	var kind *em4.Deadlock
	require.ErrorAs(t, err, &kind)
	require.Equal(t, "deadlock", simerr.Kind(err))
	var dead *em4.Stuck
	require.ErrorAs(t, err, &dead)
	require.EqualValues(t, dead.Clock, kind.Clock)
	require.Equal(t, simerr.Wait{
		Who: fmt.Sprintf("PE %v, %s", dead.Waits[0].PE, dead.Waits[0].Unit),
		For: dead.Waits[0].For,
	}, kind.Waits[0])
	require.Len(t, kind.Waits, len(dead.Waits))
	text := dead.Error()
	require.Contains(t, text, "nothing can move")
	require.Contains(t, text, "EXU: the switch, to take")
	require.Contains(t, text, "SU in-group: bank 0 holds")
	require.Contains(t, text, "which waits for bank 0 at the end of the")
	require.GreaterOrEqual(t, len(dead.Cycle), 2)
	for i, w := range dead.Cycle {
		next := dead.Cycle[(i+1)%len(dead.Cycle)]
		port := omegaPort(t, w.For)
		require.Equal(t, m.Net.Next(w.PE, port), next.PE, "wait %d of the cycle", i)
		require.Equal(t, "SU "+[...]string{"in-group", "out-of-group"}[port], next.Unit)
	}
	require.NotZero(t, dead.InFlight)
	require.Equal(t, dead.InFlight, dead.Details()["in_flight"])
	require.Equal(t, dead.Cycle, dead.Details()["cycle"])
	t.Logf("%v", dead)

	// With three banks the same program ends.
	_, err = run(boot(t, machine(80), o), 7, 9, 1, 2, 3, 4)
	require.NoError(t, err)
}

// omegaPort returns the port that a wait names.
func omegaPort(t *testing.T, text string) int {
	switch {
	case strings.HasSuffix(text, "at the end of the in-group link"):
		return 0
	case strings.HasSuffix(text, "at the end of the out-of-group link"):
		return 1
	}
	require.Fail(t, "no link", text)
	return 0
}

// The error for an invalid machine says what is wrong and what is allowed.
func TestValidate(t *testing.T) {
	for want, change := range map[string]func(c *em4.Config){
		"nearest sizes are 80 and 192":            func(c *em4.Config) { c.PEs = 81 },
		"hop_clocks is 9, it must be 1..8":        func(c *em4.Config) { c.HopClocks = 9 },
		"inject_clocks is 0, it must be 1..8":     func(c *em4.Config) { c.InjectClocks = 0 },
		"bank_clocks is 1, it must be 2..16":      func(c *em4.Config) { c.BankClocks = 1 },
		"banks is 4, it must be 1..3":             func(c *em4.Config) { c.Banks = 4 },
		"clock_ns is 0":                           func(c *em4.Config) { c.ClockNS = 0 },
		"even number":                             func(c *em4.Config) { c.FIFOWords = 7 },
		"segment_words is 24, it must be a power": func(c *em4.Config) { c.SegmentWords = 24 },
		"leave no room for a program":             func(c *em4.Config) { c.MemoryWords = 4096 },
		"segments is 9000, it must be 8..8191":    func(c *em4.Config) { c.Segments = 9000 },
	} {
		c := em4.Prototype80()
		change(&c)
		require.ErrorContains(t, c.Validate(), want)
		_, err := em4.New(c, em4.Program{}, 1)
		require.Error(t, err)
	}
	for _, c := range []em4.Config{em4.Prototype80(), em4.Target1024(), em4.Small12()} {
		require.NoError(t, c.Validate())
	}
	_, err := em4.New(machine(12), em4.Program{Words: 1 << 18}, 1)
	require.ErrorContains(t, err, "the program needs 262144 words")
}
