//go:build !slow

package mnc

// sizes returns the sizes of the machines that the longer tests run: those around which the wiring changes its base
// block or fills the plane, and a few between. With -tags slow the tests run every size.
func sizes() []int { return []int{1, 2, 3, 7, 12, 13, 14, 25, 26, 49, 50, 128} }
