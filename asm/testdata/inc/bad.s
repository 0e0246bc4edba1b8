	add r1, r2 ; ERROR "add takes 3 operands, found 2: add rd, ra, s"
	.if 1 ; ERROR ".if without .endif"
