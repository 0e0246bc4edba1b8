// An end is handed on three times, each time after use: runs 0; 1; 3; 5; 9.
package main

func gen(n int32, out chan<- int32) {
	for i := range n {
		out <- i
	}
	close(out)
}

func take(in <-chan int32, k int32, out chan<- int32) {
	defer close(out)
	for range k {
		x, ok := <-in
		if !ok {
			return
		}
		out <- x
	}
	d := make(chan int32)
	go rest(in, d)
	for x := range d {
		out <- x
	}
}

func rest(in <-chan int32, out chan<- int32) {
	x := <-in
	out <- x * 100
	e := make(chan int32)
	go last(in, e)
	for y := range e {
		out <- y
	}
	close(out)
}

func last(in <-chan int32, out chan<- int32) {
	for x := range in {
		out <- -x
	}
	close(out)
}

//emsim:arg n 0 40
func f(n int32) int32 {
	c, d := make(chan int32), make(chan int32)
	go gen(n, c)
	a := <-c
	go take(c, 3, d)
	for x := range d {
		a = a*7 + x
	}
	return a
}

func main() { println(f(9)) }
