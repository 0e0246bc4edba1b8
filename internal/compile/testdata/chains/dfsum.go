// A parallel loop whose turns make chains: runs 0; 1; 8; 15.
package main

import "emsim/df"

func gen(n int32, out chan<- int32) {
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

//emsim:arg n 0 20
func f(n int32) int32 {
	return df.Sum(0, n, func(i int32) int32 {
		c := make(chan int32)
		go gen(i, c)
		for range i % 3 {
			d := make(chan int32)
			go inc(c, d)
			c = d
			if i > 5 {
				<-c
			}
		}
		s := int32(0)
		for x := range c {
			s = s*3 + x
		}
		return s
	})
}

func main() { println(f(9)) }
