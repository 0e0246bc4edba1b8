// A loop makes many short calls: runs 5; 60.
package main

func g(j int32) int32 {
	i := j
	for j > 3 {
		j -= 2
		i += j
	}
	return i
}

//emsim:arg n 1 3000
func f(n int32) int32 {
	s := int32(0)
	for k := range n {
		s += g(k & 63)
	}
	return s
}

func main() { println(f(60)) }
