// Command PROGRAM adds up the squares of 1 to N:
//
//	emsim run PROGRAM.go 1000    prints 333833500, and how many clocks 80 PEs took
//	go run PROGRAM.go 1000       prints 333833500, as an ordinary program
//
// 'emsim docs DATAFLOW' says what else emsim compiles.
package main

import (
	"fmt"

	"emsim/df"
)

//emsim:arg n 1 2343
func squares(n int32) uint32 {
	return df.Sum(1, n+1, func(i int32) uint32 { return uint32(i * i) }) // all turns at the same time
}

// main is for go run: emsim does not compile it.
func main() { fmt.Println(squares(df.Arg(1))) }
