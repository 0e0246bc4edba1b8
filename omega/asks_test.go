package omega

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"
)

// How often switches are asked for the packets that they move. A scheduler that
// asks more often is as right as this one, only slower; no other test would see
// it.
func TestAsksPerMove(t *testing.T) {
	for _, c := range []struct {
		load        float64
		asks, moves uint64
	}{{0.05, 26286, 24367}, {1, 48648, 41020}} {
		tr := traffic(t, 80, published, TrafficConfig{Uniform, c.load, 1})
		part, asks := tr.Net.scheduler().Part(0), uint64(0)
		moves := func() (sum uint64) {
			for i := range tr.Net.su {
				for _, n := range tr.Net.su[i].Packets {
					sum += n
				}
			}
			return sum
		}
		for range 500 {
			tr.Step(true)
		}
		before := moves()
		for range 2000 {
			turn := int(tr.clock%wheelClocks) * part.words()
			for _, set := range part.wheel[turn : turn+part.words()] {
				asks += uint64(bits.OnesCount64(set))
			}
			tr.Step(true)
		}
		got := fmt.Sprintf("load %v: asked %d times for %d packets", c.load, asks, moves()-before)
		require.Equal(t, fmt.Sprintf("load %v: asked %d times for %d packets", c.load, c.asks, c.moves), got)
	}
}
