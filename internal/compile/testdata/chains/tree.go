// A tree of senders, whose ends are handed on after use: runs 0; 1; 3; 6.
package main

func leaf(n int32, out chan<- int32) {
	defer close(out)
	if n == 0 {
		out <- 1
		return
	}
	c, d := make(chan int32), make(chan int32)
	go leaf(n-1, c)
	go leaf(n-1, d)
	first := <-c
	out <- first
	e := make(chan int32)
	go zip(c, d, e)
	for x := range e {
		out <- x + n
	}
}

func zip(a, b <-chan int32, out chan<- int32) {
	defer close(out)
	for x := range a {
		out <- x
	}
	for x := range b {
		out <- x * 3
	}
}

//emsim:arg n 0 6
func f(n int32) int32 {
	c := make(chan int32)
	go leaf(n, c)
	s := int32(0)
	for x := range c {
		s = s*5 + x
	}
	return s
}

func main() { println(f(9)) }
