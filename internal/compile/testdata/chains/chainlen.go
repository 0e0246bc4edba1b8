// A chain of channels is as long as the argument says: runs 0; 1; 2; 30.
package main

func count(n int32, out chan<- int32) {
	for i := range n {
		out <- i
	}
	close(out)
}

func inc(in <-chan int32, out chan<- int32) {
	for x := range in {
		out <- x + 1
	}
	close(out)
}

//emsim:arg n 0 40
func f(n int32) int32 {
	ch := make(chan int32)
	go count(5, ch)
	for range n {
		next := make(chan int32)
		go inc(ch, next)
		ch = next
	}
	s := int32(0)
	for x := range ch {
		s = s*10 + x
	}
	return s
}

func main() { println(f(9)) }
