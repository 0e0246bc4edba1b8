// Command binarysearch looks up numbers in a sorted table, and adds up where they are
// and how many comparisons that takes.
package main

import "fmt"

const length = 64

var table [length]int32

func init() {
	x := int32(0)
	for i := range table {
		x += 1 + int32(i*i)%5
		table[i] = x
	}
}

// search gives the place of x, or where it would be, and the comparisons.
func search(x int32) (place int, found bool, comparisons int) {
	low, high := 0, length
	for low < high {
		middle := (low + high) / 2
		comparisons++
		switch {
		case table[middle] == x:
			return middle, true, comparisons
		case table[middle] < x:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, false, comparisons
}

//emsim:arg queries 1 200
func binarysearch(queries int32) int {
	places, hits, work := 0, 0, 0
	for q := range queries {
		place, found, comparisons := search(q * 3 / 2)
		work += comparisons
		if !found {
			continue
		}
		hits++
		places += place
	}
	return places*10000 + hits*100 + work%100
}

func main() {
	fmt.Println(10, binarysearch(10))
	fmt.Println(50, binarysearch(50))
	fmt.Println(120, binarysearch(120))
}
