// Calls that Go makes only sometimes, right of && and ||, in all places: runs 2; 4.

package main

func f(n, a int32) int32 {
	if n <= 0 {
		return a
	}
	s := int32(0)
	if n > 1 && f(n-1, a+1) > 2 {
		s += f(n-2, a)
	}
	ok := a > 3 || f(n-1, 2) > 5 && f(n-2, s) < 9
	if ok {
		s++
	}
	for i := int32(0); i < 2 && f(n-2, i) > -5; i++ {
		if i&1 == 0 || g(n-1, a, i > 0 && f(n-2, 1) > 0) > 2 {
			s += i + 1
		}
	}
	switch {
	case a == 1 && f(n-1, 9) == 3, a == 2 || f(n-2, 1) > 4:
		s += 7
	}
	return s + g(n-1, s, n > 2 && f(n-1, 0) > 0) + g(n-2, 2, f(n-3, 1) > 0 || f(n-1, 5) == 2)
}

func g(n, a int32, b bool) int32 {
	if n <= 0 {
		return a
	}
	if b {
		return f(n-1, a) + 1
	}
	return g(n-1, a^5, !b)
}

//emsim:arg n 0 9
func entry(n int32) int32 {
	return f(n, 1)
}
