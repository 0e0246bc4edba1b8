// Switches, labels, early returns and helpers that run in their callers: runs 0; 7; 23.
package main

func kind(n int32) int32 {
	switch {
	case n < 0:
		return -1
	case n%3 == 0:
		return 3
	case n%2 == 0:
		return 2
	}
	return 1
}

func steps(n int32) (count int32) {
outer:
	for i := int32(0); i < n; i++ {
		for k := i; ; k-- {
			if k < 0 {
				continue outer
			}
			if k*i > 40 {
				break outer
			}
			count++
		}
	}
	return
}

//emsim:arg n 0 100
func f(n int32) int32 {
	total := int32(0)
	for i := range n {
		switch kind(i) {
		case 3:
			total += i
		case 2:
			total -= i
			if total < -20 {
				total = 0
			}
		default:
			total++
		}
	}
	if total == 0 {
		return steps(n)
	}
	a := steps(n)
	b := steps(total)
	return a*100 + b
}

func main() { println(f(7)) }
