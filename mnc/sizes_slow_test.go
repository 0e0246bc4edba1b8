//go:build slow

package mnc

// sizes are the machines that the longer tests run: all of them.
func sizes() []int {
	var all []int
	for n := 1; n <= PaperPEs; n++ {
		all = append(all, n)
	}
	return all
}
