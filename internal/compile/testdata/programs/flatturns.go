// Loops of the entry whose turns do more than one statement, and change one sum: runs 3; 20; 70.
package main

func f(n int32) int32 {
	s := n
	for n > 2 {
		n -= 3
		s += n
	}
	return s
}

func fib(n int32) int32 {
	if n < 2 {
		return n
	}
	return fib(n-1) + fib(n-2)
}

//emsim:arg n 0 100
func flatturns(n int32) int32 {
	a := 0
	for k := range n { // a result decides
		x := f(k)
		if x&1 == 0 {
			a += int(x)
		} else if x > 20 {
			a -= int(fib(x & 7))
		}
	}
	b := uint32(n)
	for k := int32(2); k < n+9; k++ { // a loop with calls in a turn, and an array
		var t [3]int32
		for j := range int32(3) {
			t[j] = f(k + j)
		}
		for j := range int32(3) {
			b += uint32(t[2-j] * fib(j))
		}
	}
	k, c := int32(0), int32(0)
	for k = -3; k < n; k++ { // the number is used afterwards
		if k == 5 {
			continue
		}
		c -= f(k) + f(n-k)
	}
	for range n { // nothing counts up
		c += f(3)
	}
	for i := int32(0); i < n; i++ { // most turns call nothing
		if i&7 == 1 {
			c += fib(i & 3)
		}
	}
	for i := int32(0); i < n; i++ { // the last turn decides how many there are
		c += f(i)
		n -= f(i) & 1
	}
	return int32(a) ^ int32(b)<<3 ^ c<<7 ^ k
}

func main() { println(flatturns(70)) }
