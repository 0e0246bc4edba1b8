// Command hanoi plays the towers of Hanoi with n disks, and counts the moves that
// end on each peg, weighted by the size of the disk.
package main

import "fmt"

const pegs = 3

type tally struct {
	moves int32
	onto  [pegs]int32
}

func (t tally) add(u tally) tally {
	t.moves += u.moves
	for i, x := range u.onto {
		t.onto[i] += x
	}
	return t
}

func move(n, from, to, spare int32) tally {
	if n == 0 {
		return tally{}
	}
	before := move(n-1, from, spare, to)
	after := move(n-1, spare, to, from)
	var this tally
	this.moves = 1
	this.onto[to] = n
	return before.add(this).add(after)
}

//emsim:arg n 1 10
func hanoi(n int32) int32 {
	t := move(n, 0, 2, 1)
	code := t.moves
	for peg := range t.onto {
		code = code*7 + t.onto[peg]
	}
	return code
}

func main() {
	fmt.Println(1, hanoi(1))
	fmt.Println(4, hanoi(4))
	fmt.Println(7, hanoi(7))
}
