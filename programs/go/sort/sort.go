// Command sort sorts N keys by merging, and adds up each key times its place.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const run = 4 // keys that one instance sorts

//emsim:arg n 1 32767
func sort(n int32) uint32 {
	keys := make(chan uint32)
	go part(0, n, keys)
	sum, place := uint32(0), uint32(0)
	for k := range keys {
		place++
		sum += place * k
	}
	return sum
}

// part sends n keys in order, those from number first on. Behind the last one a
// receiver gets 0, which is no key; less 1 it is greater than all of them.
func part(first, n int32, sorted chan<- uint32) {
	defer close(sorted)
	if n <= run {
		var keys [run]uint32
		for i := range n {
			k, j := uint32((first+i+1)*40503&0xffff<<15+first+i), i
			for ; j > 0 && keys[j-1] > k; j-- {
				keys[j] = keys[j-1]
			}
			keys[j] = k
		}
		for i := range n {
			sorted <- keys[i]
		}
		return
	}
	left, right := make(chan uint32), make(chan uint32)
	go part(first, n/2, left)
	go part(first+n/2, n-n/2, right)
	for x, y := <-left, <-right; x != y; {
		if x-1 < y-1 {
			sorted <- x
			x = <-left
		} else {
			sorted <- y
			y = <-right
		}
	}
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(sort(int32(n)))
}
