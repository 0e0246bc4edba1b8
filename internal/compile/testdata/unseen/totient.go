// Command totient adds up Euler's function of 1..n, and takes the share of pairs
// without a common factor in thousandths.
package main

import "fmt"

func gcd(a, b int) int {
	if b == 0 {
		return a
	}
	return gcd(b, a%b)
}

func phi(n int) int {
	count := 0
	for k := 1; k <= n; k++ {
		if gcd(n, k) == 1 {
			count++
		}
	}
	return count
}

//emsim:arg n 1 60
func totient(n int) int {
	sum := 0
	for k := 1; k <= n; k++ {
		sum += phi(k)
	}
	pairs := n * (n + 1) / 2
	return sum*10000 + sum*1000/pairs
}

func main() {
	fmt.Println(1, totient(1))
	fmt.Println(12, totient(12))
	fmt.Println(25, totient(25))
}
