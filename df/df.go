// Package df is imported by dataflow programs in Go. It has parallel loops, which the
// compiler of emsim turns into trees of function instances on the EM-4. Here they run on
// goroutines, so that go run gives the answer that the machine must give.
// docs/DATAFLOW.md shows how such programs are written.
//
//	df.go      loops
//	array.go   arrays spread over the PEs
//	policy.go  what a policy in Go can read
package df

import (
	"embed"
	"fmt"
	"os"
	"strconv"
)

// Sources holds the files of this package, for the compiler of emsim.
//
//go:embed array.go df.go policy.go
var Sources embed.FS

// Number is a type whose values a loop can add up.
type Number interface {
	~int32 | ~uint32 | ~float32
}

// Sum returns the sum of f(i) for i from lo to hi-1. The calls run in parallel, in any
// order, but the results are always added in the same binary tree, so floating-point sums
// are reproducible. An empty range gives 0.
func Sum[T Number](lo, hi int32, f func(i int32) T) T {
	if hi <= lo {
		return 0
	}
	return sum(lo, uint32(hi)-uint32(lo), f, 6)
}

// sum adds up the results of n calls; the upper levels of the tree run on goroutines.
func sum[T Number](lo int32, n uint32, f func(i int32) T, levels int) T {
	if n == 1 {
		return f(lo)
	}
	left := n / 2
	mid := int32(uint32(lo) + left)
	if levels == 0 {
		return sum(lo, left, f, 0) + sum(mid, n-left, f, 0)
	}
	first := make(chan T)
	go func() { first <- sum(lo, left, f, levels-1) }()
	second := sum(mid, n-left, f, levels-1)
	return <-first + second
}

// PEs returns the number of processing elements of the machine. Under go run it is 80,
// or the value of the environment variable EMSIM_PES.
func PEs() int32 {
	if n, err := strconv.ParseInt(os.Getenv("EMSIM_PES"), 10, 32); err == nil && n > 0 {
		return int32(n)
	}
	return 80
}

// Arg returns argument i of the command line, for func main; the first one is 1. On the
// machine, the entry gets its arguments directly. If there is no such argument, or if it is
// not a 32-bit integer, the program ends with a message.
func Arg(i int) int32 {
	n, err := arg(os.Args, i)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	return n
}

func arg(list []string, i int) (int32, error) {
	if i < 1 || i >= len(list) {
		return 0, fmt.Errorf("argument %d is missing: there are %d", i, len(list)-1)
	}
	n, err := strconv.ParseInt(list[i], 10, 32)
	if err != nil {
		return 0, fmt.Errorf("argument %d is %q: expected a whole number from %d to %d", i, list[i], -1<<31, 1<<31-1)
	}
	return int32(n), nil
}
