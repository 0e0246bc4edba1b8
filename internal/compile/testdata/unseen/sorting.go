// Command sorting sorts small arrays of random numbers in three ways, which must
// come to the same, and counts what each exchanges.
package main

import "fmt"

const size = 12

func random(seed uint32) (a [size]uint32) {
	for i := range a {
		seed = seed*1664525 + 1013904223
		a[i] = seed >> 24
	}
	return a
}

func bubble(a [size]uint32) ([size]uint32, int32) {
	swaps := int32(0)
	for again := true; again; {
		again = false
		for i := 1; i < size; i++ {
			if a[i-1] > a[i] {
				a[i-1], a[i] = a[i], a[i-1]
				swaps++
				again = true
			}
		}
	}
	return a, swaps
}

func selection(a [size]uint32) ([size]uint32, int32) {
	swaps := int32(0)
	for i := range a {
		least := i
		for j := i + 1; j < len(a); j++ {
			if a[j] < a[least] {
				least = j
			}
		}
		if least != i {
			a[i], a[least] = a[least], a[i]
			swaps++
		}
	}
	return a, swaps
}

//emsim:arg seed 0 1000
func sorting(seed uint32) int32 {
	numbers := random(seed)
	a, many := bubble(numbers)
	b, few := selection(numbers)
	if a != b {
		return -1
	}
	median := int32(a[size/2-1]+a[size/2]) / 2
	return many*100000 + few*1000 + median
}

func main() {
	fmt.Println(1, sorting(1))
	fmt.Println(7, sorting(7))
	fmt.Println(42, sorting(42))
}
