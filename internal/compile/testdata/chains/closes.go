// A channel is closed on some ways, and twice on others: runs 0; 2; 3; 4; 5; 7.
package main

func g(n int32, out chan<- int32) {
	if n > 3 {
		out <- 1
		close(out)
	}
	if n == 2 {
		close(out)
		return
	}
	if n > 5 {
		close(out)
	}
	if n <= 3 {
		out <- n
		close(out)
	}
}

//emsim:arg n 0 40
func f(n int32) int32 {
	c := make(chan int32)
	go g(n, c)
	s := int32(0)
	for x := range c {
		s += x + 10
	}
	d := make(chan int32)
	go h(n, d)
	return s + <-d
}

func h(n int32, out chan<- int32) {
	for i := range int32(100) {
		n += i
	}
	out <- n
}

func main() { println(f(9)) }
