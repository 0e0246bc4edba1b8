// Command fermat counts the numbers below a limit that Fermat's test takes for
// primes, and those of them which are none.
package main

import "fmt"

// power returns base to the exponent, modulo m.
func power(base, exponent, m uint32) uint32 {
	if exponent == 0 {
		return 1 % m
	}
	half := power(base, exponent/2, m)
	square := half * half % m
	if exponent%2 == 1 {
		square = square * base % m
	}
	return square
}

func probable(n uint32) bool {
	return power(2, n-1, n) == 1
}

func prime(n uint32) bool {
	if n < 2 {
		return false
	}
	for d := uint32(2); d*d <= n; d++ {
		if n%d == 0 {
			return false
		}
	}
	return true
}

//emsim:arg limit 3 1000
func fermat(limit uint32) uint32 {
	found, liars := uint32(0), uint32(0)
	for n := uint32(3); n < limit; n += 2 {
		if !probable(n) {
			continue
		}
		found++
		if !prime(n) {
			liars++
		}
	}
	return 100*found + liars
}

func main() {
	fmt.Println(20, fermat(20))
	fmt.Println(100, fermat(100))
	fmt.Println(400, fermat(400))
}
