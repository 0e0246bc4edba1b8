	.include "../bad_include.s" ; ERROR "testdata/bad_include.s includes itself by way of testdata/inc/cycle.s"
