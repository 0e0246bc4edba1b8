// A loop adds up twice what its calls give: runs 3; 4.
package main

func f(n, k int32) int32 {
	if n == 0 {
		return k&7 + 1
	}
	s := int32(0)
	for i := range int32(4) {
		s += 2 * f(n-1, i)
	}
	return s
}

//emsim:arg n 0 10
func entry(n int32) int32 { return f(n, 3) }

func main() { println(entry(4)) }
