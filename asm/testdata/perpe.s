; A table of one word per PE, and templates that say how far they reach.
	.param wide, off, on
	.start main
SECOND	= @second                       ; a constant may stand for a displacement
LAST	= 1 * TOP                       ; also one that depends on others
TOP	= @last + 0
main:	getseg r3, f                    ;= 00000: 1b30800005
	send.1 r1, r3, @f.first         ;= 00001: 1713080003
	send.1 r1, r3, SECOND           ;= 00002: 1713080004
	ld r4, r3, far + @f.first       ;= 00003: 1543000016
	ld! r1, r2, table - 1           ;= 00004: 5512000017

	.template f                     ; reaches 6: the word that it stores
	mov r2, @unused                 ; not an address of an operand
	nop!
.first:	st! r1, fp, @kept + 1           ;= 00008: 560f080006
second:	out! r1
kept:	.space 2
unused:	nop!
	.endtemplate

	.template g, 40                 ; reaches 40
.a:	send.1! r1, fp, @.a
	.endtemplate

	.template h                     ; reaches 3
	nop
	cont.1! r1, fp, LAST            ;= 00011: 591f080003
last:	nop!
	.endtemplate

far:	.word 7
size	= table - main
	.assert size == 0x18, "the address is known, only the end is not"
	.org 0x18
; No address may follow the table; other things may.
table:	.perpe                          ;= 00018:
	.align 1
	.space 0
	.equ end, .
	.init main
