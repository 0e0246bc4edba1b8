// Command pascal looks at the first rows of Pascal's triangle: how many numbers
// are odd, and the greatest one.
package main

import "fmt"

func binomial(n, k int32) int32 {
	if k == 0 || k == n {
		return 1
	}
	return binomial(n-1, k-1) + binomial(n-1, k)
}

//emsim:arg rows 1 10
func pascal(rows int32) int32 {
	odd, greatest := int32(0), int32(0)
	for n := range rows {
		for k := range n + 1 {
			b := binomial(n, k)
			if b%2 == 1 {
				odd++
			}
			greatest = max(greatest, b)
		}
	}
	return odd*10000 + greatest
}

func main() {
	fmt.Println(1, pascal(1))
	fmt.Println(5, pascal(5))
	fmt.Println(8, pascal(8))
}
