// A loop adds up products of two calls: runs 1; 7.
package main

func trees(n int32) int32 {
	if n <= 1 {
		return 1
	}
	s := int32(0)
	for i := range n {
		s += trees(i) * trees(n-1-i)
	}
	return s
}

//emsim:arg n 0 15
func catalan(n int32) int32 { return trees(n) }

func main() { println(catalan(7)) }
