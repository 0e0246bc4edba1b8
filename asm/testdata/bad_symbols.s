.early:	nop! ; ERROR "the local label .early has no ordinary label before it"
	.word .early ; ERROR "the local label .early has no ordinary label before it"
x:	nop!
x:	nop! ; ERROR "\"x\" is already defined at testdata/bad_symbols.s:3:1"
x = 5 ; ERROR "\"x\" is already defined at testdata/bad_symbols.s:3:1"
.a:	nop!
.a:	nop! ; ERROR "\"x.a\" is already defined at testdata/bad_symbols.s:6:1"
r3:	nop! ; ERROR "r3 is a register and cannot be another name"
fp = 1 ; ERROR "fp is a register"
A = B ; ERROR "\"B\" is not defined$"
C = D
D = E + 1
E = C ; ERROR "the constant \"C\" depends on itself"
	.word A, C, D, E
	.space late ; ERROR "\"late\" is not defined before this line, and .space needs its value here"
F = late
	.space F ; ERROR "the value of \"F\" is not known yet: it depends on names that are defined further down"
	.space -1 ; ERROR "-1 is out of range: .space takes 0..262144"
	.align 0 ; ERROR "0 is out of range: .align takes 1..262144"
	.org 1 ; ERROR "1 is out of range: .org takes 11..262144"
late:	.word 1 = 2 ; ERROR "expected the end of the line, found \"=\""
	= 3 ; ERROR "expected a label, an instruction or a directive, found \"=\""
	5: ; ERROR "expected a label, an instruction or a directive, found \"5\""
	.wrod 1 ; ERROR ".wrod is not a directive; did you mean \".word\""
	.equ 5 ; ERROR "expected the constant's name, found \"5\""
	.equ G ; ERROR "expected ,, found the end of the line"
	.error "stop here" ; ERROR "^stop here$"
	.error stop ; ERROR "expected text in double quotes, found \"stop\""
	.assert x == 99, "x is 99" ; ERROR "assertion failed: x is 99"
	.assert 1 ; ERROR "expected ,, found the end of the line"
	.code 0x80_0000_0000, -1 ; ERROR "549755813888 is out of range: a code word has 39 bits" "-1 is out of range"
