// Command permutations makes all orders of n numbers by exchanges, and counts those
// that leave nothing in its place and the inversions of all.
package main

import "fmt"

const most = 6

type order [most]int

func (o order) deranged(n int) bool {
	for i := range n {
		if o[i] == i {
			return false
		}
	}
	return true
}

func (o order) inversions(n int) int {
	count := 0
	for i := 0; i < n; i++ {
		for j := i + 1; j < n; j++ {
			if o[i] > o[j] {
				count++
			}
		}
	}
	return count
}

func permute(o order, k, n int) (deranged, inversions int) {
	if k == n {
		if o.deranged(n) {
			deranged = 1
		}
		return deranged, o.inversions(n)
	}
	for i := k; i < n; i++ {
		o[k], o[i] = o[i], o[k]
		d, v := permute(o, k+1, n)
		deranged += d
		inversions += v
		o[k], o[i] = o[i], o[k]
	}
	return deranged, inversions
}

//emsim:arg n 1 6
func permutations(n int) int {
	var o order
	for i := range o {
		o[i] = i
	}
	deranged, inversions := permute(o, 0, n)
	return deranged*10000 + inversions
}

func main() {
	fmt.Println(3, permutations(3))
	fmt.Println(4, permutations(4))
	fmt.Println(5, permutations(5))
}
