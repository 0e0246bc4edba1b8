// Command ackermann computes Ackermann's function of two small numbers.
package main

import "fmt"

//emsim:arg m 0 2
//emsim:arg n 0 9
func ackermann(m, n int) int {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ackermann(m-1, 1)
	default:
		return ackermann(m-1, ackermann(m, n-1))
	}
}

func main() {
	fmt.Println(1, 6, ackermann(1, 6))
	fmt.Println(2, 3, ackermann(2, 3))
	fmt.Println(2, 7, ackermann(2, 7))
}
