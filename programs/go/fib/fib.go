// Command fib computes the Nth Fibonacci number by recursion.
package main

import (
	"fmt"
	"os"
	"strconv"
)

//emsim:arg n 1 47
func fib(n int32) int32 {
	if n < 3 {
		return 1
	}
	return fib(n-1) + fib(n-2)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(uint32(fib(int32(n))))
}
