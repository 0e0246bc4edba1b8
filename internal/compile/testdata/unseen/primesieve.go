// Command primesieve finds prime numbers by a chain of filters, each of which takes out
// the multiples of one prime.
package main

import "fmt"

func numbers(limit int32, out chan<- int32) {
	for i := int32(2); i <= limit; i++ {
		out <- i
	}
	close(out)
}

// filter sends its first number, which is a prime, and then the primes that the next filter finds in the numbers that
// it does not divide.
func filter(in <-chan int32, primes chan<- int32) {
	defer close(primes)
	prime, ok := <-in
	if !ok {
		return
	}
	primes <- prime
	rest, more := make(chan int32), make(chan int32)
	go without(prime, in, rest)
	go filter(rest, more)
	for p := range more {
		primes <- p
	}
}

func without(prime int32, in <-chan int32, out chan<- int32) {
	defer close(out)
	for x := range in {
		if x%prime != 0 {
			out <- x
		}
	}
}

//emsim:arg limit 2 60
func primesieve(limit int32) int32 {
	source, primes := make(chan int32), make(chan int32)
	go numbers(limit, source)
	go filter(source, primes)
	count, sum := int32(0), int32(0)
	for p := range primes {
		count++
		sum += p
	}
	return sum*100 + count
}

func main() {
	fmt.Println(2, primesieve(2))
	fmt.Println(15, primesieve(15))
	fmt.Println(40, primesieve(40))
}
