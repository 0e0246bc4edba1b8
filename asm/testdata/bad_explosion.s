	.macro twice x
	twice (\x + \x) ; ERROR "the line has grown to more than 10000 tokens"
	.endm
	twice 1
