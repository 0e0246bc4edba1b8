// An end is handed on on some ways only: runs 0; 1; 12; 13; 20; 22.
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

//emsim:arg n 0 40
func f(n int32) int32 {
	c := make(chan int32)
	go gen(n, c)
	x := <-c
	if n&1 == 1 {
		return x + sum(c)
	}
	if n > 20 {
		x += 5
	} else if n > 10 {
		x += sum(c) * 3
	}
	return x - n
}

func main() { println(f(9)) }
