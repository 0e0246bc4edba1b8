// An array inside of a function, with indices that loops count: runs 1; 100.
package main

//emsim:arg n 1 100
func f(n int32) int32 {
	a := [5]int32{1, 2, 3, 4, 5}
	s := int32(0)
	for i := range int32(5) {
		s += a[4-i]
		if i > 0 {
			s += a[i-1] * 2
		}
	}
	for i := range int32(4) {
		s += a[i+1] * n
	}
	return s
}

func main() { println(f(1)) }
