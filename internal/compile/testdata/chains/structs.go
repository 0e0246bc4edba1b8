// Items of two words, before and after a channel is handed on: runs 1; 2; 9.
package main

type pair struct{ a, b int32 }

func gen(n int32, out chan<- pair) {
	for i := range n {
		out <- pair{i, n - i}
	}
	close(out)
}

func mul(in <-chan pair, out chan<- pair) {
	p := <-in
	out <- p
	q := make(chan pair)
	go swap(in, q)
	for x := range q {
		out <- x
	}
	close(out)
}

func swap(in <-chan pair, out chan<- pair) {
	for x := range in {
		out <- pair{x.b, x.a}
	}
	close(out)
}

//emsim:arg n 0 40
func f(n int32) int32 {
	c := make(chan pair)
	go gen(n, c)
	p := <-c
	d := make(chan pair)
	go mul(c, d)
	s := p.a + 2*p.b
	for x := range d {
		s = s*3 + x.a - x.b*7
	}
	return s
}

func main() { println(f(9)) }
