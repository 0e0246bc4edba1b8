// Loops do more with results than to add them, where results come and where they have to wait: runs 2; 9.
package main

func f(n, k int32) int32 {
	if n < 1 {
		return k&7 - 3
	}
	return f(n-1, k+1) + f(n-2, k)
}

func scaled(n int32) int32 {
	s, most, least, odd := int32(0), int32(-100), int32(100), int32(0)
	for k := range n {
		s -= n * f(k&3, k)
		if f(k&3, k) > 0 {
			odd++
		} else if x := f(3, k); x < least {
			least = x
		}
		y := f(2, k)
		z := y &^ 1
		if most <= y {
			most = y
		}
		if z != y && n > 3 {
			z -= n
			odd += z / 3
		}
	}
	return s ^ most<<20 ^ least<<10 ^ odd
}

func ofTurn(n int32) int32 {
	s, t := int32(0), int32(0)
	for k := range n {
		s += k * f(k&3, 1)
	}
	for k := range n {
		q := k ^ 5
		if x := f(k&3, k); x > q {
			t++
		}
	}
	return s*10 + t
}

func inOrder(n int32) int32 {
	s, last, at := int32(0), int32(0), int32(0)
	for k := range n {
		if x := f(k&3, k); x > s {
			s, at = x, k
		}
	}
	for k := range n {
		x := f(k&3, k)
		last = x
	}
	for k := range n {
		if f(k&3, k) > s {
			s--
		}
	}
	for k := range n {
		if k > 5 {
			s++
		}
		s = s*3 + f(1, k)
	}
	return s ^ last<<8 ^ at<<16
}

//emsim:arg n 0 100
func late(n int32) int32 { return scaled(n) ^ ofTurn(n)<<3 ^ inOrder(n)<<5 }

func main() { println(late(9)) }
