// Command matmul multiplies two N x N matrices and reduces the product to one number.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"

	"emsim/df"
)

// The rows of A, then the columns of B.
var m df.Array[float32]

//emsim:arg n 1 64
func matmul(n int32) float32 {
	m.Fill(2*n, n, func(piece, k int32) float32 {
		if piece < n {
			return float32((3*piece+5*k)&7 - 3)
		}
		j := piece - n
		return float32((k*j+2*k+j)&7 - 4)
	})
	return df.Sum(0, n*n, func(c int32) float32 {
		i := c / n
		j := c - i*n
		row := m.Stream(i)
		column := m.Stream(n + j)
		sum := float32(0)
		for range n {
			sum += float32(<-row * <-column)
		}
		return sum * float32((i+2*j)&3+1)
	})
}

func main() {
	n, _ := strconv.Atoi(os.Args[1])
	fmt.Println(math.Float32bits(matmul(int32(n))))
}
