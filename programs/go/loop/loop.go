// Command loop adds up the last values of many loops of N turns, two for each PE.
package main

import (
	"fmt"
	"os"
	"strconv"

	"emsim/df"
)

//emsim:arg n 1 32767
func loop(n int32) int32 {
	return df.Sum(0, min(2*df.PEs(), 32767), func(j int32) int32 {
		x, y := j+1, int32(1)
		for range n {
			x, y = (x+y)&0xffff, (x+2*y)&0xffff
		}
		return x + y + n
	})
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(uint32(loop(int32(n))))
}
