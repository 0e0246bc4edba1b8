// Command editdistance finds how many letters must be changed, added or taken away to
// make the beginning of one word from that of another.
package main

import "fmt"

// "kitten" and "sitting", a letter a word.
var (
	from = [6]uint32{'k', 'i', 't', 't', 'e', 'n'}
	to   = [7]uint32{'s', 'i', 't', 't', 'i', 'n', 'g'}
)

// distance returns the distance of the first i letters from the first j letters.
func distance(i, j int32) int32 {
	if i == 0 {
		return j
	}
	if j == 0 {
		return i
	}
	if from[i-1] == to[j-1] {
		return distance(i-1, j-1)
	}
	replace := distance(i-1, j-1)
	remove := distance(i-1, j)
	insert := distance(i, j-1)
	return 1 + min(replace, remove, insert)
}

//emsim:arg m 0 6
//emsim:arg n 0 7
func editdistance(m, n int32) int32 { return distance(m, n) }

func main() {
	fmt.Println(3, 4, editdistance(3, 4))
	fmt.Println(5, 5, editdistance(5, 5))
	fmt.Println(6, 7, editdistance(6, 7))
}
