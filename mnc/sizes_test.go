//go:build !slow

package mnc

// sizes are the machines that the longer tests run: sizes at and around which
// the wiring changes its base block or fills the plane, and a few between.
// With -tags slow they run every size.
func sizes() []int { return []int{1, 2, 3, 7, 12, 13, 14, 25, 26, 49, 50, 128} }
