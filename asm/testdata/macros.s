; Macros, parameters, conditionals.
	.macro give value, to=fp, form=l
	send.\form\()! \value, \to, 4
	.endm
	.macro pair p, q
.a\@\p:	.word \p, \q
	.endm
	.macro fill n
	.if \n > 0
	.word \n
	fill \n - 1
	.endif
	.endm
	.macro op name, r
	\name r\r, r\r, \r\()0
	.endm
	.macro define name
name_\name = 1\()0
	.macro make\name
	.word name_\name
	.endm
	.endm

top:	give r1                         ;= 00000: 572f080004
	give r2, r3, r                  ;= 00001: 5733100004
	give r1, , 1                    ;= 00002: 571f080004
	pair 1, 2 * (3 + 4)             ;= 00003: 0000000001 000000000e
	pair 7, top.a31                 ;= 00005: 0000000007 0000000003
	fill 3                          ;= 00007: 0000000003 0000000002 0000000001
	op add, 1                       ;= 0000a: 001180000a
	give r2                         ;= 0000b: 572f100004
	define x
	makex                           ;= 0000c: 000000000a

; Only one branch is read; the others may hold anything.
	.param policy, ring, round-robin
	.param depth = 3, 1, 10
	.if policy == policy.round_robin
	.word 1 2 3 $
	.elif depth > 3
	.word "unclosed
	.elif depth == 3
	.if 0
	.else
	.word policy, depth             ;= 0000d: 0000000000 0000000003
	.endif
	.elif 1
	.error "not here"
	.else
	.macro never
	.endif
	.include "inc/values.s"
	.word INCLUDED                  ;= 00011: 000000002a
	.if 0
	.if 1
	.error "not here"
	.elif nonsense
	.else
	.endif
	.macro skipped p
	.if \p == 'ab
	.elif \p
	.endif
	.endm
	.error "not here"
	.endif
