// A chain of two streams: runs 1; 9.
package main

func count(n int32, to chan<- int32) {
	defer close(to)
	for i := range n {
		to <- i * i
	}
}

func odd(from <-chan int32, to chan<- int32) {
	defer close(to)
	for x := range from {
		if x&1 == 1 {
			to <- x
		}
	}
}

//emsim:arg n 1 100
func f(n int32) int32 {
	squares := make(chan int32)
	odds := make(chan int32)
	go count(n, squares)
	go odd(squares, odds)
	s := int32(0)
	for x := range odds {
		s = s*3 + x
	}
	return s
}

func main() { println(f(9)) }
