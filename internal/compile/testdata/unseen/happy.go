// Command happy counts the happy numbers, the palindromes and the numbers that their own
// digits divide, up to a limit.
package main

import "fmt"

func squares(n int) int {
	sum := 0
	for n > 0 {
		digit := n % 10
		sum += digit * digit
		n /= 10
	}
	return sum
}

func happy(n int) bool {
	for n != 1 && n != 4 {
		n = squares(n)
	}
	return n == 1
}

func reversed(n int) int {
	r := 0
	for ; n > 0; n /= 10 {
		r = r*10 + n%10
	}
	return r
}

func dividedByDigits(n int) bool {
	for rest := n; rest != 0; rest /= 10 {
		digit := rest % 10
		if digit == 0 || n%digit != 0 {
			return false
		}
	}
	return true
}

//emsim:arg limit 1 999
func counts(limit int) int {
	var h, p, d int
	for n := 1; n <= limit; n++ {
		if happy(n) {
			h++
		}
		if n == reversed(n) {
			p++
		}
		if dividedByDigits(n) {
			d++
		}
	}
	return (h*1000+p)*1000 + d
}

func main() {
	for _, limit := range []int{9, 50, 130} {
		fmt.Println(limit, counts(limit))
	}
}
