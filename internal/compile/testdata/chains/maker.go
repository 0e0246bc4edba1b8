// The function that makes a channel sends, and closes it on some ways: runs 0; 3; 6; 20.
package main

func show(in <-chan int32, out chan<- int32) {
	defer close(out)
	for x := range in {
		out <- x * 2
	}
}

//emsim:arg n 0 40
func f(n int32) int32 {
	to, from := make(chan int32), make(chan int32)
	go show(to, from)
	s := int32(0)
	for i := range n {
		to <- i
		s = s*3 + <-from
		if i == 12 {
			break
		}
	}
	if n > 5 {
		close(to)
		s += <-from
	} else {
		close(to)
	}
	return s
}

func main() { println(f(9)) }
