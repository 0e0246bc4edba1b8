// Floats are divided, multiplied and subtracted: runs 7 -3; 100 9.
package main

//emsim:arg a -1000 1000
//emsim:arg b -1000 1000
func f(a, b int32) float32 {
	x, y := float32(a), float32(b)
	q := x / y
	p := float32(x * y)
	d := x - y
	return q + p - d/(x+y)
}

func main() { println(f(7, -3)) }
