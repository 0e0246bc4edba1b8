// Command pi computes DIGITS decimals of pi = 16 arctan(1/5) - 4 arctan(1/239).
package main

import (
	"fmt"
	"os"
	"strconv"

	"emsim/df"
)

var (
	words df.Array[int32] // 3, then four decimals each
	ten   = [4]int32{1, 10, 100, 1000}
)

//emsim:arg digits 1 4000
func pi(digits int32) df.Array[int32] {
	n := (digits + 3) / 4
	words.Fill(1, n+1, func(_, _ int32) int32 { return 0 })
	terms, carry := make(chan int32), make(chan int32)
	go cell(0, digits, terms, carry)
	for t := -(n+2)*2862/1000 - 2; t <= (n+2)*841/1000+2; t++ {
		terms <- (t*t - 1) >> 31 // 0, but -1 in the middle
	}
	close(terms)
	_ = <-carry + <-carry // of the last word, and when all words are there
	return words
}

// cell computes word i of every term and of their sum. What dividing by 5*5 or 239*239 and
// by 1, 3, 5 .. has left comes from the word before; -1 begins the second series.
func cell(i, digits int32, terms <-chan int32, up chan<- int32) {
	defer close(up)
	n := (digits + 3) / 4
	if i > n+2 { // two words more make the last digit right
		for range terms {
		}
		return
	}
	next, carry := make(chan int32), make(chan int32)
	go cell(i+1, digits, next, carry)
	by, odd, power, sum := int32(5*5), int32(1), max(1-i, 0)*16*5, int32(0)
	for left := range terms {
		if left < 0 {
			by, odd, power, sum = 239*239, -1, max(1-i, 0)*4*239, -sum
		} else if left|power != 0 {
			a := left&0xffff*10000 + power
			power = a / by
			b := left>>16*10000 + power
			term := b / odd
			left = (b-term*odd)<<16 | (a - power*by)
			sum += term - odd&2*term
		}
		odd += 2
		next <- left
	}
	close(next)
	sum = 10000*10000 - sum + <-carry // not negative: the division rounds down
	up <- sum/10000 - 10000
	if i <= n {
		words.Set(0, i, sum%10000/ten[(4*n-digits)*(i/n&1)])
	}
	<-carry
}

func main() {
	digits, _ := strconv.Atoi(os.Args[1])
	fmt.Println(pi(int32(digits)).Words())
}
