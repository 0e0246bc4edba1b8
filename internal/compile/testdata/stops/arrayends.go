// The entry returns an array while goroutines go on: runs 0; 1; 2; 3; 4; 5.

package main

import (
	"fmt"
	"os"
	"strconv"

	"emsim/df"
)

var m df.Array[int32]

func forever(n int32, c chan<- int32) {
	c <- n
	for x := n | 1; x != 0; {
		x = x*5 | 1
	}
	c <- n
}

// fork starts itself again and again.
func fork(n int32, c chan<- int32) {
	d := make(chan int32)
	c <- n
	go fork(n+1, d)
	c <- <-d
}

// late panics, long after the first item.
func late(n int32, c chan<- int32) {
	c <- n
	x := int32(1)
	for i := range int32(3000) {
		x = x*7 + i
	}
	c <- x / (n - n)
}

func waits(n int32, c chan<- int32) {
	d := make(chan int32)
	go forever(n, d)
	c <- n
	x := <-d
	x += <-d
	c <- x
}

//emsim:arg n 0 9
func f(n int32) df.Array[int32] {
	if n == 5 {
		m.Fill(0, 3, func(_, k int32) int32 { return k })
		return m // of no words
	}
	m.Fill(1, 3, func(_, k int32) int32 { return n*10 + k })
	c := make(chan int32)
	switch n {
	case 0:
		go forever(n, c)
	case 1:
		go late(n, c)
	case 2:
		go waits(n, c)
	case 3:
		go fork(n, c)
	default:
		return m // nothing goes on
	}
	m.Set(0, 1, <-c+20)
	return m
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	m := f(int32(n))
	fmt.Println(m.Words())
}
