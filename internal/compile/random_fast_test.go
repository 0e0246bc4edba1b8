//go:build !slow

package compile_test

// randomPrograms is the number of random programs that are tried.
const randomPrograms = 20

// largeSeeds returns the seeds of two random programs with large functions, which are short.
func largeSeeds() []uint64 { return []uint64{38, 62} }

// largeInEveryWay says whether large functions are compiled in every way.
const largeInEveryWay = false
