// A channel is made in every turn of a loop, which goes on and breaks early: runs 0; 1; 7; 20.
package main

func gen(a, n int32, out chan<- int32) {
	for i := range n {
		out <- a + i
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
	t := int32(0)
	for i := range n {
		c := make(chan int32)
		go gen(i, n, c)
		if i%3 == 0 {
			continue
		}
		t = t*5 + <-c
		if i%5 == 0 {
			t ^= sum(c)
		}
		if t%97 == 96 {
			break
		}
	}
	return t
}

func main() { println(f(9)) }
