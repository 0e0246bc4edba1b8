// Variables of the package begin with what functions make of others: runs 1; 6.
package main

import "fmt"

var (
	sum   = small[0] + small[3]
	small = [4]int{seed, next(seed), next(next(seed)), 9}
	seed  = 2
)

func next(n int) int { return n*n + 1 }

func f(n, k int) int {
	if n < 1 {
		return small[k&3]
	}
	a := f(n-1, k+1)
	b := f(n-2, k^sum)
	return a - b
}

//emsim:arg n 0 12
func entry(n int) int { return f(n, 1) }

func show(x int) { fmt.Println(x) }

func main() { show(entry(6)) }
