// Command pipeline sends numbers through stages: a generator, a filter, a stage that
// squares and one that gives running sums.
package main

import "fmt"

func generate(n int32, out chan<- int32) {
	defer close(out)
	for i := int32(1); i <= n; i++ {
		out <- i
	}
}

func dropMultiples(of int32, in <-chan int32, out chan<- int32) {
	defer close(out)
	for x := range in {
		if x%of == 0 {
			continue
		}
		out <- x
	}
}

func square(in <-chan int32, out chan<- int32) {
	defer close(out)
	for x := range in {
		out <- x * x
	}
}

func accumulate(in <-chan int32, out chan<- int32) {
	defer close(out)
	sum := int32(0)
	for {
		x, ok := <-in
		if !ok {
			return
		}
		sum += x
		out <- sum
	}
}

//emsim:arg n 0 100
func pipeline(n int32) int32 {
	numbers, few := make(chan int32), make(chan int32)
	squares, sums := make(chan int32), make(chan int32)
	go generate(n, numbers)
	go dropMultiples(3, numbers, few)
	go square(few, squares)
	go accumulate(squares, sums)
	last, even := int32(0), int32(0)
	for s := range sums {
		if s%2 == 0 {
			even++
		}
		last = s
	}
	return last*100 + even
}

func main() {
	fmt.Println(0, pipeline(0))
	fmt.Println(7, pipeline(7))
	fmt.Println(40, pipeline(40))
}
