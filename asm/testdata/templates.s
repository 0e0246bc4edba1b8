; Templates, nodes, labels, space.
N = 3
	.arg n, 1, 30, main
	.init setup
main:	getseg r3, sum
	send.l r1, r3, @sum.join
	send.r! r4, r3, @sum.join

	.template sum
go:	blt! r1, r3, .small             ;= 00004: 5201180005
.small:	send.l r1, fp, @join            ;= 00005: 172f080004
	send.d! r1, fp, main            ;= 00006: 574f080000
sum.join:
join:	add r1, r1, r2                  ;= 00007: 0011100000
	st r1, fp, @save                ;= 00008: 160f080008
	jmp .out                        ;= 00009: 100000000a
.out:	out! r1                         ;= 0000a: 5800080000
save:	.space 2
	.endtemplate

	.template tiny
.one:	nop!                            ;= 0000e: 4000000000
ONE	= @.one + 7
	.endtemplate
end:	; the address after the last template
	.align 8
setup:	ld r1, r0, table                ;= 00010: 1510000014
	mlpe! main                      ;= 00011: 5a00000000
	.space 1
.pad:	.space 1
table:	.word 1, end, setup.pad, ONE    ;= 00014: 0000000001 000000000f 0000000013 0000000008
	.org 0x20
last:	nop!                            ;= 00020: 4000000000
	.code 0x7f_ffff_ffff            ;= 00021: 7fffffffff
	jmp last                        ; always taken: what follows is not run
	.word 0
	beq r1, r1, last
	.word 0
	.assert @join == 4 && last == 0x20, "layout"
