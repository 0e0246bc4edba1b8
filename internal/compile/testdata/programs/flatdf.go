// A parallel loop makes many short calls: runs 5; 60.
package main

import "emsim/df"

func g(j int32) int32 {
	i := j
	for j > 3 {
		j -= 2
		i += j
	}
	return i
}

//emsim:arg n 1 3000
func f(n int32) int32 { return df.Sum(0, n, func(k int32) int32 { return g(k & 63) }) }

func main() { println(f(60)) }
