// Command queens counts the ways to put N queens on an N x N board so that
// none attacks another.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const (
	size = 10
	all  = 1<<size - 1
)

//emsim:arg n 1 10
func queens(n uint32) uint32 { return place(all << n & all) }

// place counts the ways to go on. A board is three fields of ten bits: the columns and
// the two kinds of diagonals that are attacked in the next row. Columns beyond
// N are attacked from the start.
func place(board uint32) uint32 {
	columns := ^board & all
	free := columns &^ (board >> size) &^ (board >> (2 * size))
	if free == 0 {
		return 0
	}
	if columns&(columns-1) == 0 { // the last row
		return 1
	}
	ways := uint32(0)
	for left := open(board); left != 0; left &= left - 1 {
		ways += place(with(board, left&-left))
	}
	return ways
}

// open is the free fields of the next row.
func open(board uint32) uint32 {
	return ^board & all &^ (board >> size) &^ (board >> (2 * size))
}

// with is the board for the row after the next if there is a queen in a field.
func with(board, field uint32) uint32 {
	board |= field | field<<size | field<<(2*size)
	left := board >> size & (all >> 1) << (size + 1)
	right := board >> (2*size + 1) << (2 * size)
	return board&all | left | right
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(queens(uint32(n)))
}
