; Errors in nested macros: each call is shown, innermost first.
	.macro inner to, by=fq
	add	\to, r1, \by
	.endm
	.macro outer to
	inner	\to, r2
	.endm
	.macro wrong
	inner	r1, r2
	ad	r1, r2, r3
	.endm
	.macro deep n
  .if \n > 0
	deep	\n - 1
  .else
	ad	r1, r2, r3
  .endif
	.endm
	.start	go
go:	outer	rx		; the argument goes through two macros
	inner	r1		; the default is wrong
	wrong			; a line of the macro is wrong
	deep	9		; a long way
	.include "nested.inc"
	nop!
