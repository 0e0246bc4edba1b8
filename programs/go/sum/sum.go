// Command sum adds up the numbers 1..N in runs, a tree of calls over all PEs.
package main

import (
	"fmt"
	"os"
	"strconv"

	"emsim/df"
)

const run = 16 // numbers that one instance adds up

//emsim:arg n 1 92681
func sum(n int32) uint32 {
	return df.Sum(0, (n+run-1)/run, func(b int32) uint32 {
		total, last := uint32(0), min(n, b*run+run)
		for i := b*run + 1; i <= last; i++ {
			total += uint32(i)
		}
		return total
	})
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(sum(int32(n)))
}
