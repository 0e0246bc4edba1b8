//go:build !slow

package compile_test

// randomPrograms is how many random programs are tried.
const randomPrograms = 24

// largeInEveryWay is whether large functions are compiled in every way.
const largeInEveryWay = false
