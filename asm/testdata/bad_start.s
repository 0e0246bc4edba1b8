	.start main
	.arg n, 1, 2, main ; ERROR "the program has both .arg and, at testdata/bad_start.s:1:2, .start"
	.template a
	.template b ; ERROR "the template \"a\" of testdata/bad_start.s:3:12 is still open: expected .endtemplate first"
	.endtemplate
	.endtemplate ; ERROR ".endtemplate without .template"
	.template ; ERROR "expected the template's name, found the end of the line"
main:	nop!
	.start 1 << 20 ; ERROR "a second .start"
	.init 1 << 20 ; ERROR "1048576 is out of range: an address is 0..262143"
	.space 262140
	.space 100 ; ERROR "the program is too large: 100 words at address 262142 reach beyond the 262144 words"
