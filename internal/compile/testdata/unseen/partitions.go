// Command partitions counts the ways to write n as a sum of positive numbers,
// and those of them whose parts are all different.
package main

import "fmt"

// all counts the partitions of n into parts of at most largest.
func all(n, largest int) int {
	if n == 0 {
		return 1
	}
	count := 0
	for part := min(n, largest); part >= 1; part-- {
		count += all(n-part, part)
	}
	return count
}

// distinct counts those in which no part comes twice.
func distinct(n, largest int) int {
	if n == 0 {
		return 1
	}
	if n < 0 || largest == 0 {
		return 0
	}
	return distinct(n-largest, largest-1) + distinct(n, largest-1)
}

//emsim:arg n 1 20
func partitions(n int) int {
	return 1000*all(n, n) + distinct(n, n)
}

func main() {
	fmt.Println(5, partitions(5))
	fmt.Println(9, partitions(9))
	fmt.Println(13, partitions(13))
}
