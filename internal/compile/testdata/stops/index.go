// An index out of range: runs 0; 1; 2; 3; 4; 5; 6; 7.
package main

import (
	"fmt"
	"os"
	"strconv"
)

type point struct{ x, y int32 }

var table = [4]int32{1, 2, 3, 4}

var points [3]point

// pick reads a table; its code lies in its callers.
func pick(i int32) int32 {
	return table[i]
}

// sum adds products.
func sum(n int32) (s int32) {
	a := [4]int32{1, 2, 3, 4}
	for i := range n {
		s += a[i] *
			a[i]
	}
	return s
}

func items(n int32, c chan<- int32) {
	a := [3]int32{1, 2, 3}
	for i := range n {
		c <- a[i]
	}
}

//emsim:arg n 0 9
func f(n int32) int32 {
	a := [4]int32{4, 3, 2, 1}
	var m [2][2]int32
	switch n {
	case 0:
		a[n+4]++
	case 1:
		return 1 +
			a[n+3] +
			a[n-2]
	case 2:
		x := pick(n)
		x += pick(n + 1)
		x += pick(n + 2)
		return x
	case 3:
		return sum(n) + sum(n+2)
	case 4:
		c := make(chan int32)
		go items(n, c)
		return <-c + <-c + <-c + <-c
	case 5:
		a[1], a[0] = a[n-4], points[n].y
	case 6:
		m[n-5][n-6] = 1
		m[n-5][n-4] = 2
	case 7:
		for i, x := range a {
			a[int32(i)+x] = 1
		}
	}
	return a[0] + m[1][0]
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(f(int32(n)))
}
