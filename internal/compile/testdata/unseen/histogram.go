// Command histogram throws two dice n times, and gives the commonest sum, the number of
// throws up to it, and by how much the counts differ from what is expected.
package main

import "fmt"

type dice struct{ seed uint32 }

// throw gives the next number of 1..6, and the dice after it.
func (d dice) throw() (int32, dice) {
	d.seed = d.seed*1103515245 + 12345
	return int32(d.seed>>16%6) + 1, d
}

func abs(x int32) int32 {
	if x < 0 {
		x = -x
	}
	return x
}

//emsim:arg n 1 1000
func histogram(n int32) int32 {
	var counts, upTo [13]int32
	d := dice{seed: 2024}
	for range n {
		var a, b int32
		a, d = d.throw()
		b, d = d.throw()
		counts[a+b]++
	}
	mode, error := int32(2), int32(0)
	for sum := int32(2); sum <= 12; sum++ {
		upTo[sum] = upTo[sum-1] + counts[sum]
		if counts[sum] > counts[mode] {
			mode = sum
		}
		error += abs(36*counts[sum] - n*(6-abs(sum-7)))
	}
	if upTo[12] != n {
		panic("a throw is missing")
	}
	return mode*1000000 + upTo[mode]*1000 + error/36
}

func main() {
	fmt.Println(5, histogram(5))
	fmt.Println(36, histogram(36))
	fmt.Println(200, histogram(200))
}
