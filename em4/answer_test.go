package em4_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/em4"
	"emsim/packet"
	"emsim/trace"
)

// From priority level 2 on, the request that a search causes and the segment that is returned are answers. Requests of
// ordinary calls are not answers, and below that level there are none.
func TestAnswersFollowFromSearches(t *testing.T) {
	for level := range packet.MaxPriority + 1 {
		o := fib(t, "ring", "on")
		m := boot(t, machine(12, func(c *em4.Config) { c.IBUPriority = level }), o)
		entry := func(name string) uint32 {
			i := slices.IndexFunc(o.Symbols, func(s asm.Symbol) bool { return s.Name == name })
			require.GreaterOrEqual(t, i, 0, name)
			return uint32(o.Symbols[i].Value)
		}
		made := map[uint32]map[packet.Kind]int{} // by entry
		m.Watch(trace.NewRecorder(trace.Func(func(e *trace.Event) {
			if e.Kind != trace.Made || !e.Packet.Direct {
				return
			}
			if made[e.Packet.Addr] == nil {
				made[e.Packet.Addr] = map[packet.Kind]int{}
			}
			made[e.Packet.Addr][e.Packet.Kind]++
		}), m.Config().PEs, trace.All(m.Config().PEs)), 0, math.MaxUint64)
		_, err := run(m, 10)
		require.NoError(t, err)
		want := packet.Data
		if level >= packet.AnswerPriority {
			want = packet.Answer
		}
		for name, kind := range map[string]packet.Kind{
			"new": packet.Data, "found": packet.MLPE, "reserve": want,
			"fill_mlpe": want,
		} {
			require.Len(t, made[entry(name)], 1, "level %d, %s", level, name)
			require.Positive(t, made[entry(name)][kind], "level %d, %s", level, name)
		}
	}
}
