// Command maze counts the ways through a maze that visit no field twice, and finds
// the length of the shortest.
package main

import "fmt"

const (
	side = 5
	goal = side*side - 1
	far  = 99
)

// A bit is 1 where there is a wall: bit 5*y + x.
var walls = [3]uint32{0x0082140, 0x0051140, 0x00a2880}

func paths(x, y, length int32, blocked uint32) (ways, shortest int32) {
	if x < 0 || y < 0 || x >= side || y >= side {
		return 0, far
	}
	field := y*side + x
	if blocked>>field&1 == 1 {
		return 0, far
	}
	if field == goal {
		return 1, length
	}
	blocked |= 1 << field
	shortest = far
	for direction := range 4 {
		var w, s int32
		switch direction {
		case 0:
			w, s = paths(x+1, y, length+1, blocked)
		case 1:
			w, s = paths(x, y+1, length+1, blocked)
		case 2:
			w, s = paths(x-1, y, length+1, blocked)
		case 3:
			w, s = paths(x, y-1, length+1, blocked)
		}
		ways += w
		shortest = min(shortest, s)
	}
	return ways, shortest
}

//emsim:arg number 0 2
func maze(number int32) int32 {
	ways, shortest := paths(0, 0, 0, walls[number])
	return 100*ways + shortest
}

func main() {
	for number := range int32(3) {
		fmt.Println(number, maze(number))
	}
}
