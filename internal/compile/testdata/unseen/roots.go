// Command roots evaluates a polynomial by Horner's rule, and looks for its roots between
// the numbers of a grid by halving, in fixed point.
package main

import "fmt"

const one = 1 << 8 // the fixed point

type polynomial [4]int32

// at returns the value at x.
func (p polynomial) at(x int32) int32 {
	y := int32(0)
	for i := len(p) - 1; i >= 0; i-- {
		y = y*x/one + p[i]*one
	}
	return y
}

// bisect halves low..high, in which p changes its sign, until it is short.
func (p polynomial) bisect(low, high int32) int32 {
	if high-low <= 1 {
		return high
	}
	middle := low + (high-low)/2
	if p.at(low) > 0 != (p.at(middle) > 0) {
		return p.bisect(low, middle)
	}
	return p.bisect(middle, high)
}

//emsim:arg width 1 10
func roots(width int32) int32 {
	p := polynomial{5, -8, -2, 1} // x^3 - 2x^2 - 8x + 5
	found, sum := int32(0), int32(0)
	for x := -width; x < width; x++ {
		a, b := x*one, (x+1)*one
		if (p.at(a) > 0) == (p.at(b) > 0) {
			continue
		}
		found++
		sum += p.bisect(a, b) * found
	}
	return found*100000 + sum
}

func main() {
	fmt.Println(1, roots(1))
	fmt.Println(3, roots(3))
	fmt.Println(5, roots(5))
}
