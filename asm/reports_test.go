package asm

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// The programs with errors give the recorded reports: places, carets and calls.
func TestReports(t *testing.T) {
	files, err := filepath.Glob("testdata/bad_*.s")
	require.NoError(t, err)
	var all strings.Builder
	for _, file := range files {
		_, l, err := Assemble(file, Options{})
		require.Error(t, err)
		fmt.Fprintf(&all, "==== %s\n%v\n\n", filepath.Base(file), err)
		if text := l.String(); len(text) < 8000 { // longer listings have grown without end
			all.WriteString(text + "\n")
		}
	}
	golden.Check(t, "reports.txt", []byte(all.String()))
}

// The programs without errors give the recorded listings and disassembly.
func TestListings(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"expressions", "instructions", "macros"} {
		o, l, err := Assemble("testdata/"+name+".s", Options{})
		require.NoError(t, err)
		fmt.Fprintf(&all, "==== %s.s\n%s\n%s\n", name, l, Disassemble(o))
	}
	golden.Check(t, "listings.txt", []byte(all.String()))
}

// small holds programs whose words or reports are recorded. In them ; stands for the end of a line.
var small = []string{
	// Values at the ends of their ranges.
	".space 262144", ".space 262145", ".space -1", ".align 0", ".align 262144;nop!", ".align 262145",
	"nop!;.align 4;nop!", "nop!;.org 1;nop!", "nop!;.org 0", ".org 262144", ".org 262145", ".org 262143;nop!",
	".org 262144;nop!",
	".code 0x7fffffffff", ".code 0x8000000000", ".code -1",
	"mov! r1, 262143", "mov! r1, 262144", "mov! r1, -262144", "mov! r1, -262145", "mov! r1, 0x3ffff",
	"jmp! 262144", "jmp! -1", "a: jmp! a", ".word 9223372036854775807", ".word 9223372036854775808",
	".word 0xffffffffffffffff", ".word 0x10000000000000000",
	".word 1 << 62", ".word 1 << 63", ".word 1 << 64", ".word 1 << -1", ".word -1 << 63", ".word -8 >> 1",
	".word 3 << 62",
	".word 9223372036854775807 + 1", ".word -9223372036854775807 - 1", ".word -9223372036854775807 - 2",
	".word -(-9223372036854775807 - 1)",
	".word 4611686018427387904 * 2", ".word -4611686018427387904 * 2", ".word (-9223372036854775807 - 1) / -1",
	".word (-9223372036854775807 - 1) % -1", ".word -1 * (-9223372036854775807 - 1)",
	".word 0 * -5, -1 * 5, 7 * -1, 7 / -2, -7 % 3, 7 / 0", ".word 7 % 0",
	".word 1 + 2 * 3 - 4 << 1, 6 & 3 | 8 ^ 1, ~5, !5, !0, +7, - -7",
	".word 1 < 1, 1 <= 1, 1 > 1, 1 >= 1, 1 == 1, 1 != 1, 2 < 1, 1 < 2, 2 > 1, 1 > 2",
	".word 0 && nosuch, 2 && 3, 2 && 0, 1 || nosuch, 0 || 5, 0 || 0",
	".init 262143;.start -1", ".start 262144;nop!", "nop;.init 0", ".start a;.start a;a: nop!",
	".arg n, 2, 1, a;a: nop!", ".arg n, 1, 1, a;a: nop!", ".arg n, 1, 2;nop!",
	".arg n, 1, 2, a;.start a;a: nop!", ".arg n, 1, 2, a;.arg n, 1, 2, a;a: nop!",
	// Words and quotes.
	".word 'a', '\\n', '\\t', '\\r', '\\0', '\\\\', '\\'', '\\\"', '\\x41', 'é'", ".word \"a\\n\\x41é\"", ".word \"\"",
	".word '", ".word ''", ".word 'ab'", ".word '\\", ".word '\\q'", ".word '\\x4'", ".word '\\xg0'", ".word \"a",
	".word \"\\", ".word \"\\x4\"", ".word \"a\" + 1", ".code \"a\"",
	".word 1_000, 0x_f, 0b1_1, 0o17", ".word 010", ".word 0_1", ".word 08", ".word 1_", ".word 0x", ".word 0b2",
	".word 12ab", ".word 1.5", ".float 1.5, -2, +3, inf, -INF, nan, 1e38, 1e-50", ".float 1e39", ".float 1.2.3",
	".float x", ".float", ".float 1,", ".word",
	"a.: nop!", "a..b: nop!", ".1: nop!", "a: .b: nop!; jmp! a.b; jmp! .b", ".b: nop!", "a: .b: nop!;c: jmp! .b",
	"a: .bb: nop!; jmp! .bc", "r1: nop!", "r01: nop!", "fp: nop!", "r16: nop!", "1a: nop!", "a:;a: nop!",
	"N = 3;N = 4", "N = M;M = N", "N = M;M = 5;.space N", "M = 5;N = M;.space N", ".equ N, 4;.word N", ".equ N",
	".equ 5, 4", "N =", "N = 1 2", "N = nop", ".word .", "nop!;.word ., . + 1",
	".word (1", ".word 1)", ".word 1 +", ".word * 2", ".word @", ".word @a;a = 4", ".word @a;a: nop!", ".word r1",
	".template t;.word @t, @n;n: nop!;.endtemplate;.word @n, n",
	"nosuch r1", "ad r1, r2, r3", "add.x r1, r2, r3", "add r1, r2", "add r1, r2, r3, r4", "add 1, r2, r3",
	"add r1, 2, r3", "N = 1;add r1, N, r3", "add r1, fq, r3", "add r16, r1, r2", "nop ! ", "nop! !", "nop!x",
	"add r1,, r2", "add r1, r2,", "add! r1 r2 r3",
	"rds! r1, pe", "rds! r1, 5", "rds! r1, pee", "rds! r1, nosuch", "wrs! r1, pe", "wrs! mlpe, r1", "send.x r1, r2, 1",
	"getseg! r1, 0", "getseg! r1, -1", "getseg! r1, t;.template t;.endtemplate",
	"nop", "jmp 0", "nop;.word 1", "nop;.space 1", "nop;.perpe", "jmp! a;.space 1;a: .word 1", "jmp! a;a: .perpe",
	"jmp! 1;.template t;nop!;.endtemplate",
	".template t;nop;.endtemplate;nop!", "nop;.template t;.endtemplate", ".template t;.template u", ".template t",
	".endtemplate", ".template", ".template t, 5;n: nop!;.endtemplate", ".template t, -1;.endtemplate",
	".template t, 262144;.endtemplate", ".template t u",
	".template t;n: send.1! r1, fp, @n;.endtemplate", ".template t;n: send.1! r1, fp, @t;.endtemplate",
	".template t;n: .space 1;send.1! r1, fp, @n;.endtemplate",
	".template t;send.1! r1, fp, @n + 1;n: nop!;nop!;.endtemplate",
	".template t;send.1! r1, fp, @n + 9;n: nop!;.endtemplate",
	// Parameters.
	".param", ".param p", ".param p,", ".param p = 1", ".param p = 1, 0", ".param p = 1, 1, 1;.word p",
	".param p = 2, 0, 1", ".param p = -1, 0, 1", ".param p = 1, 0, 1, 2", ".param p = q, 0, 1",
	".param p, a, *b;.word p, p.a, p.b", ".param p, *a, *b", ".param p, a, a", ".param p, a-b, a_b", ".param p, a.b",
	".param p, 01", ".param p, a-", ".param p, 5, 6-a, b_1;.word p.5, p.6_a", ".param p, a;.param p, b",
	".param p, a;p: nop!", ".param p, 99999999999999999999", ".param p, é",
	// Conditions.
	".if 1;.word 1;.elif 1;.word 2;.else;.word 3;.endif", ".if 0;.word 1;.elif 1;.word 2;.else;.word 3;.endif",
	".if 0;.word 1;.elif 0;.word 2;.else;.word 3;.endif",
	".if 0;.if 1;.word 1;.else;.word 2;.endif;.else;.word 3;.endif",
	".if nosuch;.word 1;.else;.word 2;.endif", ".if 0;.elif nosuch;.else;.word 2;.endif",
	".if 1;.elif nosuch;.endif;.word 1", ".if 1", ".if", ".if 1 1;.endif", ".else", ".elif 1", ".endif",
	".if 0;.else;.else;.endif", ".if 0;.else;.elif 1;.endif", ".if 1;.else 1;.endif", ".if 1;.endif 1",
	"a: .if 1;.endif",
	".error \"no\"", ".error no", ".error \"no\" 1", ".assert 1, \"no\"", ".assert 0, \"no\"", ".assert 0",
	".assert 0, no", ".assert a == 1, \"no\";nop!;a: nop!", ".nocheck;nop", ".nocheck 1", ".nosuch", ".wrod 1",
	".include x", ".include \"x\" 1", ".include \"small.s\"", ".endm",
	// Macros.
	".macro m a, b=2;.word \\a, \\b, \\@;.endm;m 1;m 1, 3;m (1, 3), 4;m 1,", ".macro m a;.word \\a;.endm;m",
	".macro m a;.word \\a;.endm;m 1, 2", ".macro m a, b=5;.endm;m", ".macro m;.word 1;.endm;m 5",
	".macro m a, a;.endm;m 1", ".macro m a b;.endm", ".macro m a.b;.endm", ".macro m 5;.endm",
	".macro m a=(1, 2), b;.word \\b;.endm;m , 3",
	".macro;.endm", ".macro a.b;.endm", ".macro nop;.endm", ".macro m;.endm;.macro m;.endm", ".macro m",
	".macro m;.endm x", "a: .macro m;.endm", ".macro m a;.word \\b;.endm;m 1", ".macro m a;.word \\;.endm;m 1",
	".word \\a", ".macro m a;.word x\\a, x\\a\\(), \\a\\()1;.endm;x7 = 5;m 7",
	".macro m a;.word 'x, \\a;.endm;m 1", ".macro m a;.word \"x, \\a;.endm;m 1",
	".macro m a;.word 'x', \"\\a\", \\a ; \\a \"\n.endm\nm 1", ".macro m a;.word \"\\\";.endm;m 1",
	".macro m a;.if \\a;.word \\a;m \\a - 1;.endif;.endm;m 3", ".macro m;n;.endm;.macro n;nosuch;.endm;m",
	".macro m a;.word \\a;.endm;m nosuch", ".macro m;m;.endm;m", ".macro m;.macro n a;.word \\a;.endm;.endm;m;n 7",
	".macro m;.if 1;.endm;m",
	// Invalid text.
	"#", "add r1, #5, r2", "5", "\"a\"", "a b: nop!", "nop! // x", "nop!// x", "$", "\x7f", "= 5", "(", ": nop!",
	"a:b: nop!; jmp! b", ".code 1 2", ".space 1, 2", ".space x;x = 5", ".space",
}

// Small programs give the recorded words or reports.
func TestSmallPrograms(t *testing.T) {
	var all strings.Builder
	for _, text := range small {
		program := strings.ReplaceAll(text, ";", "\n")
		o, l, err := Assemble("small.s", textOptions(program))
		require.NotNil(t, l, text)
		fmt.Fprintf(&all, "%q\n", text)
		if err != nil {
			fmt.Fprintf(&all, "%v\n", err)
		} else {
			for i := range o.Sections {
				s := &o.Sections[i]
				fmt.Fprintf(&all, "%s %05x..%05x: %x\n", s.Kind, s.Start, s.End(), s.Words)
			}
			for _, s := range o.Symbols {
				fmt.Fprintf(&all, "%s %s = %d, size %d, reach %d\n", s.Kind, s.Name, s.Value, s.Size, s.Reach)
			}
		}
		all.WriteString("\n")
	}
	golden.Check(t, "small.txt", []byte(all.String()))
}
