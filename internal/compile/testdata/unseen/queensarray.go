// Command queensarray counts the solutions of the queens problem with an array of
// the columns in use, as textbooks do it.
package main

import "fmt"

const most = 7

// safe says whether a queen in this row and column is not attacked by those above.
func safe(columns [most]int, row, column int) bool {
	for r := 0; r < row; r++ {
		c := columns[r]
		if c == column || c-column == row-r || column-c == row-r {
			return false
		}
	}
	return true
}

func place(columns [most]int, row, n int) int {
	if row == n {
		return 1
	}
	count := 0
	for column := 0; column < n; column++ {
		if safe(columns, row, column) {
			columns[row] = column
			count += place(columns, row+1, n)
		}
	}
	return count
}

//emsim:arg n 1 7
func queensarray(n int) int {
	var columns [most]int
	return place(columns, 0, n)
}

func main() {
	fmt.Println(4, queensarray(4))
	fmt.Println(5, queensarray(5))
	fmt.Println(6, queensarray(6))
}
