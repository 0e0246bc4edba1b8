// Command stream adds up what many producers send to consumers of their own, N
// items each, two producers for each PE.
package main

import (
	"fmt"
	"os"
	"strconv"

	"emsim/df"
)

//emsim:arg n 1 32767
func stream(n int32) uint32 {
	return df.Sum(0, min(2*df.PEs(), 32767), func(j int32) uint32 {
		items := make(chan uint32)
		go produce(uint32(j), n, items)
		total := uint32(0)
		for x := range items {
			total += x ^ x>>4
		}
		return total
	})
}

func produce(x uint32, n int32, items chan<- uint32) {
	defer close(items)
	for range n {
		x = (25173*x + 13849) & 0xffff
		items <- x
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(stream(int32(n)))
}
