//go:build !slow

package compile_test

// randomPrograms is how many random programs are tried.
const randomPrograms = 20

// largeSeeds are those of random programs with large functions: two that are short.
func largeSeeds() []uint64 { return []uint64{38, 62} }

// largeInEveryWay is whether large functions are compiled in every way.
const largeInEveryWay = false
