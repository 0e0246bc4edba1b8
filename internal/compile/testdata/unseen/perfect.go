// Command perfect adds up the perfect numbers up to n, and counts those that have
// too few and too many divisors.
package main

import "fmt"

type kind int32

const (
	deficient kind = iota
	perfect
	abundant
)

func divisors(n int32) int32 {
	sum := int32(1)
	d := int32(2)
	for d*d < n {
		if n%d == 0 {
			sum += d + n/d
		}
		d++
	}
	if d*d == n {
		sum += d
	}
	return sum
}

func classify(n int32) kind {
	s := divisors(n)
	if s == n {
		return perfect
	} else if s > n {
		return abundant
	}
	return deficient
}

//emsim:arg n 2 2000
func numbers(n int32) int32 {
	var few, many, sum int32
	for k := int32(2); k <= n; k++ {
		switch classify(k) {
		case deficient:
			few++
		case abundant:
			many++
		case perfect:
			sum += k
		}
	}
	return sum*1000000 + few*1000 + many
}

func main() {
	fmt.Println(6, numbers(6))
	fmt.Println(30, numbers(30))
	fmt.Println(150, numbers(150))
}
