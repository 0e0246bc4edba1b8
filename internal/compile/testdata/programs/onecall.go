// One call of a function with a loop: runs 100; 3.
package main

func g(n int32) int32 {
	for n > 5 {
		n -= 2
	}
	return n
}

//emsim:arg n 1 100
func f(n int32) int32 {
	x := n * 3
	y := g(x)
	return y
}

func main() { println(f(100)) }
