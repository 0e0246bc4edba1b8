// A sum over pairs, of calls without a guard: runs 4; 12.
package main

func one(a, b int32) int32 {
	for b != 0 {
		a, b = b, a%b
	}
	if a == 1 {
		return 1
	}
	return 0
}

//emsim:arg n 1 300
func coprime(n int32) int32 {
	s := int32(0)
	for i := int32(1); i <= n; i++ {
		for j := int32(1); j <= n; j++ {
			s += one(i, j)
		}
	}
	return s
}

func main() { println(coprime(4)) }
