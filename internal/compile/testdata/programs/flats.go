// Flat sums of the entry, with bounds and sums of many forms: runs 0; 5; 16; 70.
package main

func g(j int32) int32 {
	i := j
	for j > 3 {
		j -= 2
		i += j
	}
	return i
}

func tree(n, k int32) int32 {
	if n < 1 {
		return k
	}
	return tree(n-1, k+1) + tree(n-2, k)
}

//emsim:arg n 0 100
func flats(n int32) int32 {
	s, least := n, n-20
	u := uint32(7)
	for k := least; k < n*2; k++ {
		s -= g(k&31) * k
	}
	for k := range int32(20) {
		u += uint32(g(k)) << 3
	}
	for k := int32(-9); k < 9; k++ {
		s += tree(k&3, k) + n
	}
	for k := range int32(15) {
		s += tree(2, k)
	}
	if n > 3 {
		for k := range n {
			s += g(k) - g(n-k)
		}
	}
	for k := int32(2147483640); k < n-2147483640; k++ {
		s += g(k)
	}
	for k := range n {
		s += g(s & k)
	}
	for k := int32(0); k < s&63; k++ {
		s += g(k & 7)
	}
	for k := range n & 3 {
		for i := range int32(17) {
			s += tree(1, i*k)
		}
	}
	m := 0
	for k := range 18 {
		m += int(tree(2, int32(k)))
	}
	return s ^ int32(u) ^ int32(m)<<7
}

func main() { println(flats(70)) }
