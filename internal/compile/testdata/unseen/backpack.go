// Command backpack packs the first items of a list so that they are worth most.
package main

import "fmt"

type item struct {
	weight, value int32
}

var items = [...]item{
	{4, 12}, {2, 2}, {1, 1}, {7, 25}, {3, 9}, {5, 13}, {6, 17}, {2, 7}, {8, 27}, {3, 4},
}

// best returns the greatest value of items from number i on that weigh at most room; n are in the shop.
func best(i, n, room int32) int32 {
	if i == n || room == 0 {
		return 0
	}
	value := best(i+1, n, room)
	if it := items[i]; it.weight <= room {
		if with := it.value + best(i+1, n, room-it.weight); with > value {
			value = with
		}
	}
	return value
}

//emsim:arg n 1 10
//emsim:arg room 0 50
func backpack(n, room int32) int32 { return best(0, n, room) }

func main() {
	fmt.Println(4, 8, backpack(4, 8))
	fmt.Println(7, 15, backpack(7, 15))
	fmt.Println(10, 20, backpack(10, 20))
}
