// Channels that are closed, and panic: runs 0; 1; 2; 3; 4; 5.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func twice(n int32, c, d chan<- int32) {
	defer close(c)
	for i := range n {
		c <- i
	}
	close(c)
	if n > 9 {
		d <- n
	}
}

func after(n int32, c chan<- int32) {
	for i := range n {
		if i == 2 {
			close(c)
		}
		c <- i
	}
}

func again(n int32, c chan<- int32) {
	for range n {
		close(c)
	}
}

func all(c <-chan int32) (s int32) {
	for x := range c {
		s += x
	}
	return s
}

func checked(x int32) int32 {
	if x > 3 {
		panic("too large")
	}
	return x
}

//emsim:arg n 0 9
func f(n int32) int32 {
	c := make(chan int32)
	switch n {
	case 0:
		d := make(chan int32)
		go twice(3, c, d)
		s := <-c + <-c + <-c
		return s + <-c + <-d
	case 1:
		go after(4, c)
		s := <-c + <-c
		return s + <-c
	case 2:
		go again(2, c)
		return <-c
	case 3:
		return checked(n) + checked(n+1)
	case 4:
		if n == 4 {
			panic(n)
		}
	}
	d := make(chan int32)
	close(d)
	close(d)
	return all(d)
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(f(int32(n)))
}
