; Blocks that run on into something that is not code, and other things that
; dataflow programs get wrong.
	.arg n, 1, 30, table ; ERROR "there is data at the code address 14"
	.arg n, 1, 30, main ; ERROR "the argument \"n\" is already declared at testdata/bad_blocks.s:3:7"
	.arg m, 30, 1, main ; ERROR "the range 30..1 is empty"
	.arg k, 1, 2 ; ERROR "expected ,, found the end of the line"
	.init main
	.init main ; ERROR "a second .init: the first one is at testdata/bad_blocks.s:7:2"
	.template f ; 0
a:	add r1, r1, 1
	blt r1, r3, a
	send.l r1, fp, @f ; ERROR "@f is displacement 0, which names the template and is not a node"
	send.l r1, fp, @save ; ERROR "there is reserved space at this node"
	ld r1, fp, @f
b:	add r1, r1, 1 ; ERROR "the block runs on into reserved space: an end mark \\(!\\) is missing"
save:	.space 2
	jmp table ; ERROR "there is data at the code address 14"
c:	blt r1, r3, a ; ERROR "the block runs on beyond the end of the template \"f\""
	.endtemplate
main:	nop!
	getseg r1, main ; ERROR "no template begins at 11: expected the name of a template"
	getseg! r1, f
table:	.word 1
	blt r1, r1, main ; ERROR "runs on into data"
	.word 1
	blt r1, r3, main ; ERROR "runs on into data"
	.word 1
	bne r3, r3, main ; ERROR "runs on into data"
	.word 1
	send.d r1, fp, 0x3ffff ; fills the prefetch register
	cont.d r3, fp, 0x3ffff
	jmp 0x3ffff ; ERROR "there is nothing at the code address 262143"
	mlpe table ; ERROR "there is data at the code address 14" "the block runs on into nothing"
