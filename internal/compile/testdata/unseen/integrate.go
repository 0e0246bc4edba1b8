// Command integrate integrates 4 / (1 + x*x) over 0..1, which is pi, by Simpson's
// rule with halves that are halved again while they differ from the whole.
package main

import "fmt"

func f(x float32) float32 { return 4 / (1 + float32(x*x)) }

func abs(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}

func simpson(a, b float32) float32 {
	return float32((b - a) / 6 * (f(a) + 4*f((a+b)/2) + f(b)))
}

func adaptive(a, b, whole, tolerance float32, depth int32) float32 {
	m := (a + b) / 2
	left, right := simpson(a, m), simpson(m, b)
	if depth == 0 || abs(left+right-whole) < tolerance {
		return left + right
	}
	return adaptive(a, m, left, tolerance/2, depth-1) + adaptive(m, b, right, tolerance/2, depth-1)
}

//emsim:arg depth 0 10
func integrate(depth int32) float32 {
	return adaptive(0, 1, simpson(0, 1), 1e-6, depth)
}

func main() {
	fmt.Println(0, integrate(0))
	fmt.Println(2, integrate(2))
	fmt.Println(4, integrate(4))
}
