// Command tictactoe counts how games end that begin with a number of moves that are
// given: wins of X, wins of O, draws.
package main

import "fmt"

const full = 0x1ff

var lines = [8]uint32{0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054}

var opening = [6]uint32{4, 0, 8, 2, 1, 7} // squares

type result struct{ wins, losses, draws int32 }

func won(side uint32) bool {
	for _, line := range lines {
		if side&line == line {
			return true
		}
	}
	return false
}

// play counts the ends of all games in which the side "me" has the move.
func play(me, other uint32) result {
	if won(other) {
		return result{losses: 1}
	}
	free := full &^ (me | other)
	if free == 0 {
		return result{draws: 1}
	}
	var total result
	for free != 0 {
		square := free & -free
		free ^= square
		r := play(other, me|square)
		total.wins += r.losses
		total.losses += r.wins
		total.draws += r.draws
	}
	return total
}

//emsim:arg given 3 6
func tictactoe(given int32) int32 {
	var me, other uint32
	for i := range given {
		me, other = other, me|1<<opening[i]
	}
	r := play(me, other)
	return r.wins<<20 | r.losses<<10 | r.draws
}

func main() {
	fmt.Println(4, tictactoe(4))
	fmt.Println(5, tictactoe(5))
	fmt.Println(6, tictactoe(6))
}
