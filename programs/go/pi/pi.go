// Command pi computes DIGITS decimals of pi = 16 arctan(1/5) - 4 arctan(1/239).
package main

import (
	"fmt"

	"emsim/df"
)

var words df.Array[int32] // 3, then four decimals each

//emsim:arg digits 1 4000
func pi(digits int32) df.Array[int32] {
	n := (digits + 3) / 4
	words.Fill(1, n+1, func(_, _ int32) int32 { return 0 })
	terms, carry := make(chan int32), make(chan int32)
	go cell(0, digits, terms, carry)
	for t := -(n + 2) * 2862 / 1000; t <= (n+2)*841/1000; t++ {
		terms <- (t*t - 1) >> 31 // 0, but -1 in the middle
	}
	close(terms)
	_ = <-carry + <-carry // of the last word, and when all words are there
	return words
}

// cell computes word i of all terms and of their sum; the word before sends what divisions leave.
func cell(i, digits int32, terms <-chan int32, up chan<- int32) {
	defer close(up)
	if digits < -11 { // decimals behind this word; two words more make the last one right
		for range terms {
		}
		return
	}
	by, odd, power, sum := int32(5*5), int32(-1), max(1-i, 0)*16*5, int32(0)
	next, carry := make(chan int32), make(chan int32)
	go cell(i+1, digits-4, next, carry)
	for left := range terms {
		if odd += 2; left < 0 { // the second series begins
			by, odd, power, sum = 239*239, -1, max(1-i, 0)*4*239, -sum
		} else if left|power != 0 {
			a := left&0xffff*10000 + power
			power = a / by
			b := left>>16*10000 + power
			term := b / odd
			sum += term - odd&2*term
			left = (b-term*odd)<<16 | (a - power*by)
		}
		next <- left
	}
	close(next)
	sum = 10000*10000 - sum + <-carry // not negative: the division rounds down
	up <- sum/10000 - 10000
	if over := max(-digits, 0); over < 4 { // decimals that the last word has too many
		words.Set(0, i, sum%10000/((1+over&1*9)*(1+over>>1*99)))
	}
	<-carry
}

func main() { fmt.Println(pi(df.Arg(1)).Words()) }
