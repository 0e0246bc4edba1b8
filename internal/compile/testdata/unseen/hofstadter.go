// Command hofstadter counts for which numbers Hofstadter's male and female sequences
// differ: the numbers are those before Fibonacci's.
package main

import "fmt"

func female(n int32) int32 {
	if n == 0 {
		return 1
	}
	return n - male(female(n-1))
}

func male(n int32) int32 {
	if n == 0 {
		return 0
	}
	return n - female(male(n-1))
}

//emsim:arg n 0 15
func hofstadter(n int32) int32 {
	var differ, last int32
	for k := int32(0); k <= n; k++ {
		if female(k) != male(k) {
			differ++
			last = k
		}
	}
	return 100*differ + last
}

func main() {
	fmt.Println(3, hofstadter(3))
	fmt.Println(7, hofstadter(7))
	fmt.Println(10, hofstadter(10))
}
