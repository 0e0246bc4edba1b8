package sweep

// Shares lists which of n shares have runs that are missing, from 1.
func (x *Survey) Shares(n int) []int {
	has := make([]bool, n)
	for _, p := range x.Missing {
		has[x.place[p.ID]%n] = true
	}
	var list []int
	for i := range has {
		if has[i] {
			list = append(list, i+1)
		}
	}
	return list
}
