// An end is handed on after two receives: runs 0; 1; 2; 17.
package main

func gen(n int32, out chan<- int32) {
	for i := range n {
		out <- i * i
	}
	close(out)
}

func rest(in <-chan int32, out chan<- int32, k int32) {
	defer close(out)
	for x := range in {
		out <- x + k
	}
}

//emsim:arg n 0 40
func f(n int32) int32 {
	c, d := make(chan int32), make(chan int32)
	go gen(n, c)
	a := <-c
	b, ok := <-c
	go rest(c, d, a+b)
	if ok {
		a += 1000
	}
	for x := range d {
		a = a*3 + x
	}
	return a
}

func main() { println(f(9)) }
