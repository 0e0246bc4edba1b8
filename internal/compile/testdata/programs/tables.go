// Tables that init fills, and a table of constants: runs 1; 6.
package main

var squares, sums [16]int32

var order = [4]int32{3, 0, 2, 1}

func init() {
	for i := range int32(16) {
		squares[i] = i * i
		if i > 0 {
			sums[i] = sums[i-1] + squares[i]
		}
	}
}

func best(n, k int32) int32 {
	if n == 0 {
		return squares[k&15]
	}
	a := best(n-1, order[k&3])
	b := best(n-1, k+n)
	return max(a, b) - sums[n&15]&3
}

//emsim:arg n 0 12
func f(n int32) int32 { return best(n, 1) }

func main() { println(f(6)) }
