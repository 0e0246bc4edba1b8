// Command matrixchain finds the fewest multiplications that the product of a chain of
// matrices takes, over all ways to put parentheses.
package main

import "fmt"

// Matrix i has sides[i] rows and sides[i+1] columns.
var sides = [...]int{5, 10, 3, 12, 5, 50, 6, 4, 9}

const infinite = 1 << 30

func cost(first, last int) int {
	if first == last {
		return 0
	}
	best := infinite
	for k := first; k < last; k++ {
		c := cost(first, k) + cost(k+1, last) + sides[first]*sides[k+1]*sides[last+1]
		if c < best {
			best = c
		}
	}
	return best
}

//emsim:arg n 1 8
func matrixchain(n int) int { return cost(0, n-1) }

func main() {
	fmt.Println(2, matrixchain(2))
	fmt.Println(4, matrixchain(4))
	fmt.Println(6, matrixchain(6))
}
