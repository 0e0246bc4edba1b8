; Included by other programs.
INCLUDED = 42
	.include "more.s"
