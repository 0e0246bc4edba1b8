// The entry returns while endless functions still send: runs 0; 1; 12.
package main

func count(out chan<- int32) {
	for i := int32(0); ; i++ {
		out <- i
	}
}

func evens(in <-chan int32, out chan<- int32) {
	for x := range in {
		if x&1 == 0 {
			out <- x
		}
	}
}

//emsim:arg n 0 40
func f(n int32) int32 {
	ch := make(chan int32)
	go count(ch)
	x := <-ch
	d := make(chan int32)
	go evens(ch, d)
	for range n {
		x += <-d
	}
	return x
}

func main() { println(f(9)) }
