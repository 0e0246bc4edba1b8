// An array on all PEs is filled, read and written: runs 1; 8.
package main

import "emsim/df"

var m df.Array[int32]

func row(i, n int32) int32 {
	s := int32(0)
	for k := range n {
		s += m.Get(i, k)
	}
	return s
}

//emsim:arg n 1 20
func f(n int32) int32 {
	m.Fill(n, n, func(i, k int32) int32 { return i*10 + k })
	m.Set(0, 0, 5)
	return df.Sum(0, n, func(i int32) int32 {
		x := row(i, n)
		if x > 40 {
			return x - 40
		}
		return x
	})
}

func main() { println(f(8)) }
