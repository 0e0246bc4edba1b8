package rtl_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"emsim/em4"
	"emsim/isa"
)

const twoOperands = ".template f\nboth: nop!\n.endtemplate\n"

// faults are programs that end with a fault, and the text of its message.
var faults = map[string]struct {
	text, says string
	config     func(*em4.Config)
}{
	"no segment free": {
		text: twoOperands + "start: getseg r3, f\njmp start\nnop!",
		says: "no operand segment is free", config: func(c *em4.Config) { c.Segments = 20 },
	},
	"no structure free": {
		text: "start: getstr r3, 30\njmp start\nnop!", says: "no 30 consecutive words",
		config: func(c *em4.Config) { c.StructureWords = 100 },
	},
	"structure of 0 words": {text: "start: getstr! r3, r0", says: "a structure of 0 words"},
	"MIB full": {
		text: "start: mov r4, 200\nagain: send.d r1, fp, sink\nsub r4, r4, 1\nbne! r4, " +
			"r0, again\nsink: nop!", says: "memory input buffer is full",
		config: func(c *em4.Config) { c.FIFOWords, c.MIBWords = 4, 8 },
	},
	"second left operand": {text: twoOperands +
		"start: getseg r3, f\nsend.l r1, r3, @both\nsend.l! r1, r3, @both", says: "a second left operand"},
	"second right operand": {text: twoOperands +
		"start: getseg r3, f\nsend.r r1, r3, @both\nsend.r! r1, r3, @both", says: "a second right operand"},
	"operand, released segment": {
		text: twoOperands + "start: getseg r3, f\nrelseg r3\nsend.1! r1, r3, @both",
		says: "which is not in use",
	},
	"operand, unknown segment": {
		text: twoOperands + "start: getseg r3, f\nadd r3, r3, 64\nsend.l! r1, r3, @both",
		says: "which is not in use",
	},
	"operand outside": {text: "start: send.1! r1, fp, 5", says: "not a node of an operand segment"},
	"operand for word 0": {
		text: twoOperands + "start: getseg r3, f\nsend.1! r1, r3, 0",
		says: "not a node of an operand segment",
	},
	"released while it matches": {text: twoOperands +
		"start: getseg r3, f\nst r3, r0, word\nsend.l r1, r3, @both\nrelseg! r3\nword: .space 1", says: "segment"},
	"store to code":     {text: "start: st! r1, r0, start", says: "which is code"},
	"load from the MIB": {text: "start: ld! r3, r0, 0x3ffff", says: "load from 0x3ffff"},
	"store to the MIB":  {text: "start: mov r3, -1\nst! r1, r3, 0", says: "store to 0x3ffff"},
	"load outside": {
		text: "start: ld! r3, r0, 0x20000", says: "load from 0x20000",
		config: func(c *em4.Config) { c.MemoryWords, c.Segments, c.StructureWords = 1<<16, 16, 64 },
	},
	"release of no segment": {text: "start: relseg! r1", says: "not an operand segment in use"},
	"release of a node": {
		text: twoOperands + "start: getseg r3, f\nadd r3, r3, 1\nrelseg! r3",
		says: "not an operand segment in use",
	},
	"second release": {
		text: twoOperands + "start: getseg r3, f\nrelseg r3\nrelseg! r3",
		says: "not an operand segment in use",
	},
	"release with an operand": {text: twoOperands +
		"start: getseg r3, f\nsend.l r1, r3, @both\nst r3, r0, word\nsend.d! r1, fp, later\nlater: ld r3, r0, " +
		"word\nrelseg! r3\nword: .space 1", says: "in which 1 operand waits"},
	"damaged list": {
		text: twoOperands +
			"start: getseg r3, f\ngetseg r4, f\nrelseg r3\nrelseg r4\nmov r5, -1\nst r5, r4, 0\ngetseg r3, " +
			"f\ngetseg! r3, f",
		says: "which is not a released segment",
	},
	"list to a segment in use": {
		text: twoOperands +
			"start: getseg r3, f\ngetseg r4, f\nrelseg r4\nst r3, r4, 0\ngetseg r5, f\ngetseg! r5, f",
		says: "which is not a released segment",
	},
	"list to a segment unused": {
		text: twoOperands +
			"start: getseg r3, f\nadd r4, r3, 64\nrelseg r3\nst r4, r3, 0\ngetseg r5, f\ngetseg! r5, f",
		says: "which is not a released segment",
	},
	"release of no structure": {text: "start: relstr! r1", says: "where no structure begins"},
	"release of a middle": {
		text: "start: getstr r3, 4\nadd r3, r3, 1\nrelstr! r3",
		says: "where no structure begins",
	},
	"a member that is not there": {
		text: "start: mov r3, 3\nshl r3, r3, 18\nsend.d! r1, r3, start",
		says: "send to [0,3]",
	},
	"a group that is not there": {
		text: "start: mov r3, 4\nshl r3, r3, 21\nsend.d! r1, r3, start",
		says: "send to [4,0]",
	},
	"jump to data": {text: ".template f\nx: nop!\n.word 5\n.endtemplate\nstart: getseg r3, " +
		"f\nsend.1! r1, r3, 2", says: "no instruction here"},
	"jump to nothing": {
		text: twoOperands + "start: getseg r3, f\nsend.1! r1, r3, 60",
		says: "no instruction here",
	},
	"fault elsewhere": {
		text: "start: mov r3, 17\nshl r3, r3, 18\nsend.d! r1, r3, bad\nbad: relseg! r1",
		says: "PE [2,1]",
	},
}

// hostSends returns a program with a block for each argument, which sends while the host sends: the first one after
// nops instructions, each other one after one instruction more, modulo 8.
func hostSends(nops int) string {
	var b strings.Builder
	for i := range 6 {
		fmt.Fprintf(&b, ".arg a%d, 0, 9, b%d\n", i, i)
	}
	for i := range 6 {
		fmt.Fprintf(&b, "b%d: %s send.d r1, fp, sink\n send.d! r1, fp, sink\n", i, strings.Repeat("nop\n", (nops+i)%8))
	}
	return b.String() + "sink: nop!\n"
}

// waves is a program that sends packets to itself faster than it takes them, in as many waves as its argument says.
const waves = `.arg n, 1, 100, start
start: mov r4, %d
again: send.d r4, fp, sink
       sub r4, r4, 1
       bne r4, r0, again
       sub r1, r1, 1
       beq r1, r0, end
       send.d! r1, fp, start
end:   out! r1
sink:  nop!
`

// fills is a program that writes a word to the prefetch register and reads the register, a number of instructions after
// a send. The packet for the register arrives in the meantime.
const fills = `.arg n, 1, 100, start
start: mov r3, %s
       send.d r1, fp, 0x3ffff
%s       wrs mlpe, r3
       rds r4, mlpe
       rds r5, mlpe
       nop
       nop
       nop
       nop
       nop
       rds r6, mlpe
       out! r6
`

// corners are programs for corners of the rules.
var corners = map[string]string{
	"segments of odd templates": twoOperands +
		"start: mov r4, -1\ngetseg r3, r4\nld r5, r3, 0\nmov r4, 1\nshl r4, r4, 20\nadd r4, r4, 77\ngetseg r3, " +
		"r4\nld r5, r3, 0\nrelseg r3\nld r5, r3, 0\ngetseg r3, r4\nld! r5, r3, 0",
	"addresses wrap around": "start: mov r3, -5\nld r4, r3, 5\nld r4, r3, 6\nmov r5, 1\nshl r5, r5, 18\nld r4, " +
		"r5, 1\nst r1, r5, word\nld r4, r0, word\ncont r4, r3, 9\ncont! r4, fp, -1\nword: .space 1",
	"stores among operands": twoOperands +
		"start: getseg r3, f\nsend.l r1, r3, @both\nnop\nnop\nnop\nnop\nnop\nnop\nnop\nmul r4, r4, r4\nmul r4, r4, " +
		"r4\nst r0, r3, @both\nsend.r! r1, r3, @both",
	"a lost list": twoOperands +
		"start: getseg r3, f\ngetseg r4, f\nrelseg r3\nrelseg r4\nst r0, r4, 0\ngetseg r3, f\ngetseg r3, " +
		"f\ngetseg! r3, f",
	"a send by a continuation": "start: cont.d r3, fp, there\nsend! r1, r3, 0\nthere: out! r1",
	"prefetch into r0":         "start: wrs mlpe, r1\nrds r0, mlpe\nrds! r4, mlpe",
	"constants of a PE": "start: movpe r3, out, 1\nfilled: movpe r4, all, -7\nld r5, r0, filled\nsend.d! r5, " +
		"r3, there\nthere: out! r1",
	"21 structure words free": "start: mov r3, 65513\ngetstr r4, r3\nrds r5, load\ngetstr r4, 1\nrds r6, load\nshl " +
		"r5, r5, 4\nor r5, r5, r6\nout! r5",
	"MLPE packets": "start: mlpe back\nmlpe back\nrds r3, mlpe\nmlpe! back\nback: wrs mlpe, r1\nout! r1",
}

// everyInstruction is a program that works through the pairs of a table of words. The text's parameters are the
// instructions that compute, the instructions that branch, and the number of words.
const everyInstruction = `
start:  mov r10, 0
outer:  mov r11, 0
inner:  ld r3, r10, table
        ld r4, r11, table
%[1]s        cont r5, r3, -7
        cont.1 r5, r3, 9
        cont.l r5, r4, -262144
        cont.r r5, r4, 262143
        cont.d r5, r4, start
%[2]s        add r11, r11, 1
        mov r12, %[3]d
        bltu r11, r12, inner
        add r10, r10, 1
        bltu r10, r12, outer
        rds r3, pe
        rds r3, ga
        rds r3, ca
        rds r3, k
        rds r3, clock
        rds r3, load
        rds r3, segs
        rds r3, strs
        rds r3, seed
        rds r3, gapos
        rds r3, prefetch
        movpe r3, in, 1
        movpe r3, out, -1
        movpe r3, line, 2
        movpe r3, number, -63
        movpe r3, all, 63
        wrs mlpe, r12
        wrs mlpe, r11
        rds r4, mlpe
        rds r4, mlpe
        wrs mlpe, r12
        wrs mlpe, r0
        rds r4, mlpe
        add r0, r12, 1
        out! r5
table:
`

// pure returns code for each row of the instruction table that is a pure function of the operands r3 and r4. The
// result, or whether it branches, is put into a register.
func pure(class isa.Class) string {
	var b strings.Builder
	for i, row := range isa.Table {
		switch {
		case row.Class != class:
		case class == isa.ClassBranch:
			fmt.Fprintf(&b, "        mov r5, 1\n        %s r3, r4, taken%d\n        mov r5, 0\ntaken%[2]d:\n", row.Name,
				i)
		case len(row.Operands) == 2:
			fmt.Fprintf(&b, "        %s r5, r3\n", row.Name)
		default:
			fmt.Fprintf(&b, "        %s r5, r3, r4\n", row.Name)
		}
	}
	return b.String()
}

// arithmetic returns a program that tries every instruction on pairs of special and random operands. The test need not
// check the results, because all registers are compared anyway.
func arithmetic(r *rand.Rand, random int) string {
	words := []uint32{
		0, 1, 2, 3, 31, 32, 0xffffffff, 0x80000000, 0x7fffffff, 0x80000001, // integers
		0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x7f7fffff, 0xff7fffff, 0x3f800000,
		0xbf800000, // inf, NaN, largest, ±1
		0x00800000, 0x007fffff, 0x00000001, 0x80000001, 0x00ffffff, 0x33800000, 0x4b800000, 0x4b800001, 0x3f800001,
		0x3f7fffff, // subnormal, halfway cases
	}
	for range random {
		w := r.Uint32()
		switch r.IntN(3) {
		case 0: // of size near 1
			w = w&0x807fffff | uint32(120+r.IntN(16))<<23
		case 1: // products at the limit of the subnormal numbers
			w = w&0x807fffff | uint32(60+r.IntN(8))<<23
		}
		words = append(words, w)
	}
	words = append(words, math.Float32bits(16777217), math.Float32bits(-0.5))
	var b strings.Builder
	fmt.Fprintf(&b, everyInstruction, pure(isa.ClassALU), pure(isa.ClassBranch), len(words))
	for _, w := range words {
		fmt.Fprintf(&b, "        .word %#x\n", w)
	}
	return b.String() + ".arg n, 1, 100, start\n"
}
