// Command catalan counts binary trees with n nodes by the recurrence of Catalan's numbers.
package main

import "fmt"

//emsim:arg n 0 12
func catalan(n int32) int32 {
	if n <= 1 {
		return 1
	}
	sum := int32(0)
	for i := int32(0); i < n; i++ {
		sum += catalan(i) * catalan(n-1-i)
	}
	return sum
}

func main() {
	fmt.Println(3, catalan(3))
	fmt.Println(5, catalan(5))
	fmt.Println(7, catalan(7))
}
