// All goroutines wait: runs 0; 1; 2; 3; 4; 5; 6.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func two(a, b chan<- int32) {
	a <- 1
	b <- 2
}

func one(c <-chan int32) int32 {
	x := <-c
	return x + 1
}

func some(n int32, c chan<- int32) {
	for i := range n {
		c <- i
	}
}

func pass(in <-chan int32, out chan<- int32) {
	for x := range in {
		out <- x + 1
	}
	close(out)
}

// inOrder receives in another order than two sends.
func inOrder() int32 {
	a, b := make(chan int32), make(chan int32)
	go two(a, b)
	x := <-b
	return x + <-a
}

// called waits in a function.
func called() (s int32) {
	a, b := make(chan int32), make(chan int32)
	go two(a, b)
	s += one(b)
	s += one(a)
	return s
}

// open ranges over a channel that nobody closes.
func open(n int32) (s int32) {
	c, d := make(chan int32), make(chan int32)
	go some(n, c)
	go pass(c, d)
	for x := range d {
		s += x
	}
	return s
}

// more wants one item more than there are.
func more(n int32) int32 {
	c := make(chan int32)
	go some(n, c)
	x := <-c

	return x +
		<-c
}

//emsim:arg n 0 9
func f(n int32) int32 {
	c, d := make(chan int32), make(chan int32)
	switch n {
	case 0:
		return inOrder()
	case 1:
		return called()
	case 2:
		return open(3)
	case 3:
		return more(1)
	case 4:
		return open(0)
	case 5: // the receiver comes from a function that waits itself
		go some(2, c)
		go pass(c, d)
		x := <-d
		x += <-d
		x += <-d
		return x
	}
	go some(1, c)
	s, ok := <-c
	if ok {
		s, ok = <-c
	}
	return s
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(f(int32(n)))
}
