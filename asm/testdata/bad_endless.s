	.macro again
	again ; ERROR "macros are nested more than 256 deep: does again call itself without end"
	.endm
	again
