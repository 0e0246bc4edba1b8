// Command mutate checks for each package whether its own tests would notice a
// mistake. It changes one place of a package at a time (a comparison, a
// constant, an omitted statement), runs the package's tests against the changed
// copy and counts how many of these mutants the tests kill.
//
//	go run ./internal/dev/mutate                    # a sample of every package
//	go run ./internal/dev/mutate omega emcr         # these packages
//	go run ./internal/dev/mutate -since main~20     # packages changed since then
//	go run ./internal/dev/mutate -table docs/MUTATION.md
//
// The files of the repository are never touched: the compiler gets the changed
// copy as an overlay. Every verdict is kept in a file below -store, under a hash
// of the package and its tests, so a stopped run continues where it was, and an
// unchanged package costs nothing.
//
//	points.go      the places of a file that can be changed, and how
//	sample.go      which of them are tried
//	package.go     a package, its hash, its test binary, its coverage
//	run.go         one mutant: compile, test, verdict
//	store.go       verdicts kept between runs
//	table.go       the table of docs/MUTATION.md
//	equivalent.txt mutants that no test can kill, and why
package main
