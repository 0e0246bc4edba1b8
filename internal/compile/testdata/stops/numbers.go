// Division and shifts: runs 0; 1; 2; 3; 4; 5; 6; 7; 8.
package main

import (
	"fmt"
	"os"
	"strconv"
)

func quotient(a, b int32) int32 {
	return a / b
}

func rest(a, b uint32) (s uint32) {
	for range 3 {
		s += a % b
	}
	return s
}

func mean(n int32) int32 {
	s := int32(0)
	for i := range n {
		s += i
	}
	return s /
		n
}

func items(n int32, c chan<- int32) {
	for i := range n {
		c <- 12 / (2 - i)
	}
}

//emsim:arg n 0 9
func f(n int32) int32 {
	s := int32(1)
	switch n {
	case 0:
		return quotient(7, n)
	case 1:
		return int32(rest(7, uint32(n-1)))
	case 2:
		return mean(n) + mean(n-2)
	case 3:
		s = s<<1 +
			s<<(n-4)
	case 4:
		s >>= n
		s <<= 3 - n
	case 5:
		s /= n - 5
	case 6:
		c := make(chan int32)
		go items(n, c)
		return <-c + <-c + <-c
	case 7:
		if s > 0 && 7%(n-7) > 2 {
			s++
		}
	case 8:
		for i := int32(8); 100/i > 1; i-- {
			s += i
		}
	}
	return s
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(f(int32(n)))
}
