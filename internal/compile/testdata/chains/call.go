// An end is handed through two calls: runs 0; 2; 3; 12.
package main

func gen(n int32, out chan<- int32) {
	for i := range n {
		out <- i
	}
	close(out)
}

func sum(in <-chan int32) int32 {
	s := int32(0)
	for x := range in {
		s += x
	}
	return s
}

func skip(in <-chan int32, k int32) int32 {
	for range k {
		<-in
	}
	return sum(in)
}

//emsim:arg n 0 40
func f(n int32) int32 {
	c := make(chan int32)
	go gen(n, c)
	x := <-c
	y := <-c
	return x*1000 + y*100 + skip(c, <-c)
}

func main() { println(f(9)) }
