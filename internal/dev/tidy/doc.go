// Package tidy contains the project's rules as tests over the whole
// repository; it has no other code. Each message names a place and says what
// to do there. For each rule a fixture shows that it can fail.
//
//	tidy_test.go     reading the repository, running the rules
//	layers_test.go   imports go down the list of layers only
//	banned_test.go   what model packages may not contain
//	files_test.go    files are written whole, by one package
//	types_test.go    package variables and map ranges, which need types
//	length_test.go   length of functions, files and lines, with a ratchet
//	comments_test.go exported identifiers and packages have doc comments
//	verbs_test.go    comments of functions begin with a verb
//	dialect_test.go  phrases that are not plain English, by room
//	names_test.go    package comments name their files; paths in comments exist
//	text_test.go     no paths of one computer, no registry hosts, no dead links
//	skips_test.go    no test is skipped in CI because a program is missing
//	programs_test.go .ci/tools installs the programs that tests run
//	recipes_test.go  docs/CHANGING.md lists what names the last addition of each kind
//	runs_test.go     every go test -run of a page names a test
//	slow_test.go     .ci/slow runs the tests that need -tags slow
//	testdata/ratchet.txt  exceptions to the limits of length, with the reasons
//	testdata/dialect.txt  how many phrases of dialect each room may still have
package tidy
