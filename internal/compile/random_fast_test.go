//go:build !slow

package compile_test

// randomPrograms is how many random programs are tried.
const randomPrograms = 90
