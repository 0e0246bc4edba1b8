// Command knapsack finds the greatest value of those of N items that together
// weigh at most a third of the total.
package main

import (
	"fmt"
	"os"
	"strconv"
)

// By item from 1 on: what it weighs and is worth, and what all up to it do.
var weight, weights, value, values [32]uint32

func init() {
	x := uint32(1)
	for i := uint32(1); i <= 24; i++ {
		x = next(x)
		weight[i] = 1 + x>>10
		weights[i] = weights[i-1] + weight[i]
		x = next(x)
		value[i] = weight[i] + x>>12
		values[i] = values[i-1] + value[i]
	}
}

func next(x uint32) uint32 { return (25173*x + 13849) & 0xffff }

//emsim:arg n 1 24
func knapsack(n uint32) uint32 { return best(weights[n]/3<<5 | n) }

// best is the value of the best choice: state is the weight left and, in the
// lowest five bits, the number of items left.
func best(state uint32) uint32 {
	for {
		if state>>5 >= weights[state&31] { // all fit
			return values[state&31]
		}
		if state>>5 >= weight[state&31] {
			break
		}
		state--
	}
	without := best(state - 1)
	with := best(state - 1 - weight[state&31]<<5)
	return max(without, with+value[state&31])
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(knapsack(uint32(n)))
}
