// A recursion of one call at each level: runs 1; 40.
package main

//emsim:arg n 0 2000000
func sum(n int32) int32 {
	if n == 0 {
		return 0
	}
	return sum(n-1) + n
}

func main() { println(sum(40)) }
