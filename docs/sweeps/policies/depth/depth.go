// Command depth calls itself as deep as its argument says.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// depth counts the calls that wait for each other.
//
//emsim:arg n 0 2000000
func depth(n int32) int32 {
	if n == 0 {
		return 0
	}
	return depth(n-1) + 1
}

func main() {
	n, _ := strconv.ParseInt(os.Args[1], 10, 32)
	fmt.Println(depth(int32(n)))
}
