	.macro two p, q=r0
	add \p, \p, \q
	.endm
	two r1
	two ; ERROR "the macro two needs its argument \"p\": two p, q=r0"
	two r1, r2, r3 ; ERROR "the macro two takes 2 arguments, 3 given: two p, q=r0"
	two r99 ; ERROR "expected a register .*, found \"r99\"" "expected a register .*, found \"r99\""
	.macro two ; ERROR "the macro \"two\" is already defined at testdata/bad_macros.s:1:2"
	.endm
	.macro add ; ERROR "\"add\" is an instruction: a macro needs another name"
	nonsense here
	.endm
	.macro p q, q ; ERROR "two parameters are called \"q\""
	.endm
	.macro 5 ; ERROR "expected the macro's name, found \"5\""
	.endm
	.macro m a b ; ERROR "expected ,, found \"b\""
	.endm
	.macro m2 a, 5 ; ERROR "expected the name of a parameter, found \"5\""
	.endm
	.macro wrong value
	.word \valeu ; ERROR "the macro \"wrong\" has no parameter \"valeu\"; did you mean \"value\""
	.word x\value ; ERROR "the parameter stands for 1 \\+ 2, which cannot be part of a word"
	.if 1 ; ERROR ".if without .endif"
	.endm
	wrong 1 + 2
	.endm ; ERROR ".endm without .macro"
	.endif ; ERROR ".endif without .if"
	.else ; ERROR ".else without .if"
	.if 1
	.else
	.else ; ERROR ".else after the .else of the .if at testdata/bad_macros.s:30:2"
	.elif 1 ; ERROR ".elif after the .else"
	.endif x ; ERROR "expected the end of the line, found \"x\""
	.if nosuch ; ERROR "\"nosuch\" is not defined before this line, and .if needs its value here"
	.word also bad
	.else
	.word also bad
	.endif
y:	.if 1 ; ERROR ".if must come first in its line"
	.macro open ; ERROR "the macro has no .endm"
