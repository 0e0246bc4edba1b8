// An entry that would return an array stops before: runs 0; 1; 2.

package main

import (
	"fmt"
	"os"
	"strconv"

	"emsim/df"
)

var m df.Array[int32]

func some(n int32, c chan<- int32) {
	for i := range n {
		c <- i
	}
}

//emsim:arg n 0 9
func f(n int32) df.Array[int32] {
	c := make(chan int32)
	go some(n, c)
	if n < 2 { // before there are words, and after
		m.Fill(2*n, 2, func(p, k int32) int32 { return p + k })
		m.Set(1, 1, <-c+
			<-c)
	} else {
		m.Fill(3, 1, func(p, k int32) int32 { return 6 / (p - 2) })
	}
	return m
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	m := f(int32(n))
	fmt.Println(m.Words())
}
