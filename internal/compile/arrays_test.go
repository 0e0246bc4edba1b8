package compile_test

import "testing"

// Programs with arrays of one dimension or more answer as Go does: literals, copies, comparisons, loops.
func TestArrays(t *testing.T) { programsOf(t, arrayForms) }

var arrayForms = []string{`
	var a [4][8]int32
	for i := range int32(4) {
		for j := range int32(8) {
			a[i][j] = i*n + j
		}
	}
	a[n&3][n&7] += 5
	a[2][n&7]++
	s := int32(0)
	for i, row := range a {
		for j, x := range row {
			s = s*3 + x*int32(i+j)
		}
	}
	return s + a[3][7]
}
`, `
	a := [4]int32{1, 2, n}
	b := a
	a[1] = 9
	var c = [...]int32{3: n, 4, 1: 7}
	c = [5]int32{c[4], c[3], c[2], c[1], c[0]}
	a, b = b, a
	if a == b {
		return 1
	}
	if b != [4]int32{1, 9, n, 0} {
		return 2
	}
	b = a
	if a != b || !(a == b) {
		return 3
	}
	return digits(a[1], b[3], c[0], c[1]) + a[2] + c[4]*10000 + int32(len(a)+len(c))
}
`, `
	s := int32(0)
	for i, row := range square {
		for j := range row {
			s = s*5 + row[j] - square[j][i]
		}
	}
	if square[1] == [3]int32{4, 5, 6} {
		s++
	}
	if square == other {
		s += 1000
	}
	r := square[n%3&1]
	r[n&1] = 50
	return s + r[0] + r[1]*3 + square[n&1][2] + other[n&1][n&1]
}

var square = [3][3]int32{{1, 2, 3}, {4, 5, 6}, 2: {1: 8, 9}}

var other [3][3]int32

func init() {
	other = square
	other[1] = [3]int32{7}
	for i := range other {
		other[2][i] += 3
	}
}
`, `
	var big [2]int32
	for _, big[n&1] = range [3]int32{n, 2, 5} {
		big[0] += 10
	}
	x, y := [2]float32{1, float32(n)}, [2]bool{n > 1, true}
	zero := float32(n - n)
	if x == [2]float32{1, float32(n)} && y == [2]bool{n > 1, true} {
		big[0]++
	}
	x[0] = zero
	if x == [2]float32{-zero, x[1]} {
		big[1]++
	}
	x[0] = (zero + 1e38) * 1e38
	x[0] -= x[0]
	if x == x {
		big[1] += 5
	}
	return big[0]*100 + big[1]
}
`, `
	type_ := row{n, 2}
	var m [2]row
	m[1] = type_
	m[0][1] = slow(n)
	a := [2]int32{slow(n), slow(n + 1)}
	for i, x := range a {
		a[1] = x + int32(i)
	}
	s := int32(0)
	for i := range 3 {
		s += slow(int32(i)*n + m[i&1][(i+1)%2])
	}
	for i := range a {
		switch i {
		case 1, 2:
			s += 7
		}
		if i > 0 && i/2 == 0 {
			if float32(i)+0.5 > 1 {
				s -= 3
			}
		}
		s += a[len(a)-1] * int32(i)
	}
	return s + m[1][0] + m[0][1]*10 + a[1] + [3]int32{5, 6, 7}[n%3&3]
}

type row [2]int32
`, `
	var none [0]int32
	var b [2][0]int32
	for range b {
		n++
	}
	for _, x := range none {
		n += x
	}
	c := none
	if c == none {
		n += 3
	}
	var w [1][4]int32
	w[0][n&3] = n
	for _, row := range w {
		row[1] = 5
		n += row[1] + row[2]
	}
	return n + w[0][1] + h(w[0][3])
}

func h(n int32) int32 {
	a := [3]int32{n, n + 1}
	for_ := a
	for_[2] = 4
	return a[0] + for_[1]*for_[2] + a[2]
}
`}

// An array argument is a copy: neither the caller nor the callee sees what the other changes later.
func TestArrayParameters(t *testing.T) { programsOf(t, arrayParameters) }

var arrayParameters = []string{`
	a := [4]int32{n, 2, 3}
	x := sum4(a, n&3)
	a[1] = 50
	y := sum4(a, 2) + first(a)
	return x*100 + y + a[0] + sum4([4]int32{1, n}, 3)
}

func first(a [4]int32) int32 { return a[0] }

func sum4(a [4]int32, depth int32) int32 {
	if depth <= 0 {
		return a[0] + a[3]
	}
	a[depth&3] += 7
	s := sum4(a, depth-1)
	a[0] = 100
	return s + a[0] + sum4([4]int32{a[1], s}, depth-2)
}
`, `
	var board [6]int32
	return solve(board, 0, 4+n&1)
}

func solve(board [6]int32, row, size int32) int32 {
	if row == size {
		return 1
	}
	found := int32(0)
	for column := range size {
		if fits(board, row, column) {
			board[row] = column
			found += solve(board, row+1, size)
		}
	}
	return found
}

func fits(board [6]int32, row, column int32) bool {
	for i := range row {
		if d := board[i] - column; d == 0 || d == row-i || d == i-row {
			return false
		}
	}
	return true
}
`, `
	var m [2][3]int32
	for i := range m {
		for j := range m[0] {
			m[i][j] = n + int32(i*4+j)
		}
	}
	s := walk(m[n&1], m, 3) - walk(m[1], [2][3]int32{m[1]}, 2)
	for i := range m {
		m[i][1] = 9
		s += walk(m[i], m, int32(i))
		m[0][i] = 5
	}
	return s
}

func walk(row [3]int32, m [2][3]int32, k int32) int32 {
	if k < 1 {
		row[0] += m[1][2]
		return row[0] + row[1]*3
	}
	row[2], m[k&1][0] = row[0], k
	return walk(m[k&1], m, k-1) + walk(row, m, k-2)
}
`, `
	a, b := [3]int32{1, 2, 3}, [3]int32{n, n + 1, n + 2}
	x := df.Sum(0, 5, func(i int32) int32 { return a[i%3]*10 + slow(b[i&1]) })
	y := df.Sum(0, 3, func(i int32) float32 { return float32(b[i]) * 0.5 })
	m.Fill(3, 2, func(p, k int32) int32 { return a[p]*100 + k })
	a[0] = 5
	c := make(chan int32)
	go sendAll(a, c)
	a[1] = 70
	for z := range c {
		x = x*3 + z
	}
	if y > 2 {
		x++
	}
	return x + swap(a, b, n&7) + m.Get(2, 1)
}

func sendAll(a [3]int32, c chan<- int32) {
	defer close(c)
	for _, x := range a {
		c <- x
	}
}

func swap(a, b [3]int32, n int32) int32 {
	if n == 0 {
		return a[0]*100 + b[0]
	}
	return swap(b, a, n-1)
}
`, `
	s := int32(0)
	for i := range n & 7 {
		b := [2]int32{i, n}
		b[1] += i
		s += pair(b, i)
	}
	var c [2]int32
	for i := range int32(5) {
		c[0] = i
		s += pair(c, 2)
		s += pair([2]int32{i, i}, 1)
		c[1] = i * n
	}
	return s + pair(table2[n&1], 1) + empty([0]int32{}, [2]bool{n > 2, true}, 2)
}

func pair(a [2]int32, d int32) int32 {
	if d > 2 {
		a[0]++
	}
	if d <= 0 {
		return a[0]*7 + a[1]
	}
	return pair(a, d-1) + pair([2]int32{a[1], d}, d-2)
}

func empty(none [0]int32, b [2]bool, d int32) int32 {
	for range none {
		d++
	}
	if b[0] && d > 0 {
		return d + empty(none, [2]bool{b[1], b[0]}, d-1)
	}
	return d
}

var table2 = [2][2]int32{{3, 4}, {5, 6}}
`}
