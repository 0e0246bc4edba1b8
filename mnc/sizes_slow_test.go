//go:build slow

package mnc

// sizes returns the sizes of the machines that the longer tests run: all up to the paper's.
func sizes() []int {
	var all []int
	for n := 1; n <= PaperPEs; n++ {
		all = append(all, n)
	}
	return all
}
