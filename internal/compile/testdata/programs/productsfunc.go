// A loop adds up products that a function of its own makes: runs 1; 7.
package main

func trees(n int32) int32 {
	if n <= 1 {
		return 1
	}
	s := int32(0)
	for i := range n {
		s += both(i, n-1-i)
	}
	return s
}

func both(i, j int32) int32 { return trees(i) * trees(j) }

//emsim:arg n 0 15
func catalan(n int32) int32 { return trees(n) }

func main() { println(catalan(7)) }
