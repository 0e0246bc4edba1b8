// Channels move between variables in the cases of a switch: runs 0; 1; 4; 11; 18.
package main

func gen(a int32, out chan<- int32) {
	for i := int32(0); ; i++ {
		out <- a * i
	}
}

func addk(k int32, in <-chan int32, out chan<- int32) {
	for {
		x := <-in
		out <- x + k
	}
}

//emsim:arg n 0 40
func f(n int32) int32 {
	a := make(chan int32)
	go gen(n, a)
	s := int32(0)
	for i := range n {
		b := make(chan int32)
		switch i & 3 {
		case 0:
			go addk(i, a, b)
			a = b
		case 1:
			s += <-a
		case 2:
			c := make(chan int32)
			go addk(1, a, c)
			go addk(2, c, b)
			a, c = b, a
			s ^= <-a
		default:
			go gen(i, b)
			s -= <-b
		}
	}
	return s + <-a
}

func main() { println(f(9)) }
