// Pieces of an array are read as channels in a loop, and handed on: runs 1; 2; 7.
package main

import "emsim/df"

var m df.Array[int32]

func sum(in <-chan int32) int32 {
	s := int32(0)
	for x := range in {
		s = s*3 + x
	}
	return s
}

func rest(in <-chan int32, out chan<- int32) {
	for x := range in {
		out <- x + 1
	}
	close(out)
}

//emsim:arg n 1 20
func f(n int32) int32 {
	m.Fill(n, 6, func(i, k int32) int32 { return i*10 + k })
	s := int32(0)
	for i := range n {
		row := m.Stream(i)
		s += <-row
		if i&1 == 1 {
			s ^= sum(row)
		} else {
			d := make(chan int32)
			go rest(row, d)
			for x := range d {
				s = s*5 + x
			}
		}
	}
	return s
}

func main() { println(f(9)) }
