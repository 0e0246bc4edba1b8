// A loop keeps the largest result of its calls with an if statement: runs 3; 4.
package main

func f(n, k int32) int32 {
	if n == 0 {
		return k&7 + 1
	}
	m := int32(0)
	for i := range int32(4) {
		if x := f(n-1, i); x > m {
			m = x
		}
	}
	return m
}

//emsim:arg n 0 10
func entry(n int32) int32 { return f(n, 3) }

func main() { println(entry(4)) }
