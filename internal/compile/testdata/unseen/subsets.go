// Command subsets counts the choices of numbers of a list that have a given sum, by
// recursion and by trying all bit patterns. Both must agree.
package main

import "fmt"

const size = 9

var numbers = [size]int32{3, 34, 4, 12, 5, 2, 7, 8, 10}

func count(i, target int32) int32 {
	if target == 0 && i == size {
		return 1
	}
	if i == size || target < 0 {
		return 0
	}
	return count(i+1, target) + count(i+1, target-numbers[i])
}

func byPattern(target int32) int32 {
	found := int32(0)
	for pattern := range int32(1 << size) {
		sum := int32(0)
		for i := range int32(size) {
			if pattern>>i&1 != 0 {
				sum += numbers[i]
			}
		}
		if sum == target {
			found++
		}
	}
	return found
}

//emsim:arg target 0 100
func subsets(target int32) int32 {
	a, b := count(0, target), byPattern(target)
	if a != b {
		panic("the two ways differ")
	}
	return a
}

func main() {
	fmt.Println(0, subsets(0))
	fmt.Println(15, subsets(15))
	fmt.Println(30, subsets(30))
}
