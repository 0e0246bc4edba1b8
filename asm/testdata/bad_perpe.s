	.template f
	.perpe ; ERROR ".perpe inside the template \"f\": expected it after everything else in the program"
	nop!
	.endtemplate
	.template g, 1 << 18 ; ERROR "262144 is out of range: .template takes 0..262143"
a:	send.1! r1, fp, @a
	.endtemplate
	.template h, later ; ERROR "\"later\" is not defined before this line, and .template needs its value here"
	nop!
	.endtemplate
later:	.start table ; ERROR "there is the table of one word per PE at the code address 7: an instruction was expected"
	nop ; ERROR "the block runs on into the table of one word per PE"
	.perpe 5 ; ERROR "expected the end of the line, found \"5\""
table:	.perpe
	.perpe ; ERROR "a second .perpe: the first one is at testdata/bad_perpe.s:14:8"
behind: ; ERROR "expected nothing with an address after the .perpe at testdata/bad_perpe.s:14:8: only the loader knows how many words that takes"
	.org 100
	.word 5
