; How errors look: see report.txt and report.lst.
LIMIT	= 3
	.macro give value, to
	send.l! \value, \to, @jion
	.endm

	.template sum
go:	mov r2, LIMT		; a comment
	sub r1, r1, 400000
.small:	give r1, fq
	give 16, fp
join:	add r1, r1, r2
	.endtemplate
	.word "abc
	.word "é", 1 / (LIMIT - 3)
	.include "../inc/bad.s"
