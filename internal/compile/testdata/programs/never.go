// A branch of a loop never runs: runs 100.
package main

//emsim:arg n 1 100
func f(n int32) int32 {
	s := int32(0)
	for i := range int32(4) {
		if i > n {
			s += 7 // never
		}
	}
	return s
}

func main() { println(f(100)) }
