// Command collatz finds the number up to a limit whose Collatz sequence is longest.
package main

import "fmt"

// steps counts the steps from n to 1.
func steps(n uint32) int32 {
	count := int32(0)
	for n != 1 {
		if n%2 == 0 {
			n /= 2
		} else {
			n = 3*n + 1
		}
		count++
	}
	return count
}

//emsim:arg limit 1 1000
func collatz(limit uint32) uint32 {
	best, longest := uint32(1), int32(0)
	for n := uint32(1); n <= limit; n++ {
		if s := steps(n); s > longest {
			best, longest = n, s
		}
	}
	return best
}

func main() {
	for _, limit := range []uint32{10, 60, 100} {
		fmt.Println(limit, collatz(limit))
	}
}
