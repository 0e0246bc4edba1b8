// Command sieve finds the primes up to n by the sieve of Eratosthenes, 32 odd numbers
// at a time, and adds up their gaps.
package main

import "fmt"

const window = 32

// segment looks at a window of odd numbers from start on: how many of them are primes,
// the last of these, or the one before, and the widest gap in front of one.
func segment(start, n, before int32) (count, last, widest int32) {
	var composite [window]bool
	for d := int32(3); d*d < start+2*window; d += 2 {
		for i := range int32(window) {
			m := start + 2*i
			if m > d && m%d == 0 {
				composite[i] = true
			}
		}
	}
	last = before
	for i, c := range composite {
		p := start + 2*int32(i)
		if p > n {
			break
		}
		if c {
			continue
		}
		count++
		widest = max(widest, p-last)
		last = p
	}
	return
}

//emsim:arg n 3 600
func sieve(n int32) int32 {
	primes, last, widest := int32(1), int32(2), int32(0)
	for start := int32(3); start <= n; start += 2 * window {
		count, greatest, gap := segment(start, n, last)
		primes += count
		last = greatest
		if gap > widest {
			widest = gap
		}
	}
	return primes*100000 + last*100 + widest
}

func main() {
	fmt.Println(3, sieve(3))
	fmt.Println(100, sieve(100))
	fmt.Println(300, sieve(300))
}
