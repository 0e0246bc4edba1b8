//go:build slow

package programs_test

import (
	"testing"
)

// Every policy but line, 80 and 1024 PEs, n from 1 to 25, with and without
// MLPE packets: right and without overflow.
func TestFibToTheEnd(t *testing.T) {
	for _, pes := range []int{80, 1024} {
		for _, policy := range allButLine() {
			for n := uint64(1); n <= 25; n++ {
				exact(t, pes, params{"policy": policy}, n)
			}
			for _, mlpe := range []string{"on", "software"} {
				exact(t, pes, params{"policy": policy, "mlpe": mlpe}, 25)
			}
		}
	}
}
