// Structures, arrays of them, and functions with two results: runs 1; 9.
package main

type point struct{ x, y int32 }

func (p point) turned() point { return point{-p.y, p.x} }

func ends(n int32) (low, high int32) {
	if n < 2 {
		return n, n + 1
	}
	a, b := ends(n - 1)
	c, d := ends(n - 2)
	low = min(a, c) - 1
	high = max(b, d) + 1
	return low, high
}

//emsim:arg n 0 20
func f(n int32) int32 {
	p := point{n, 1}
	var list [3]point
	for i := range list {
		list[i] = p
		p = p.turned()
	}
	low, high := ends(n & 7)
	s := int32(0)
	for _, q := range list {
		s = s*10 + q.x - q.y
	}
	return s + low*7 + high
}

func main() { println(f(9)) }
