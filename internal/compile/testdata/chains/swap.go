// Two variables exchange their channels: runs 0; 1; 2; 13.
package main

func gen(a, n int32, out chan<- int32) {
	for i := range n {
		out <- a + i
	}
	close(out)
}

//emsim:arg n 0 40
func f(n int32) int32 {
	a, b := make(chan int32), make(chan int32)
	go gen(0, n, a)
	go gen(100, n, b)
	t := int32(0)
	for i := range n {
		x := <-a
		if i%3 != 1 {
			a, b = b, a
		}
		y := <-b
		t = t*3 + x - y
	}
	c := a
	return t ^ <-c
}

func main() { println(f(9)) }
