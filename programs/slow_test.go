//go:build slow

package programs_test

import (
	"testing"
)

// Every policy except line is right and does not overflow, with and without MLPE packets: on 80 PEs up to fib(24),
// the paper's largest, and on 1024 PEs up to fib(25), which on 80 PEs runs only with ring.
func TestFibToTheEnd(t *testing.T) {
	for pes, last := range map[int]uint64{80: 24, 1024: 25} {
		for _, policy := range allButLine() {
			for n := uint64(1); n <= last; n++ {
				exact(t, pes, params{"policy": policy}, n)
			}
			for _, mlpe := range []string{"on", "software"} {
				exact(t, pes, params{"policy": policy, "mlpe": mlpe}, last)
			}
		}
	}
	exact(t, 80, params{"policy": "ring"}, 25)
}
