package mnc

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// toAndFro returns a machine of two PEs that hand the same X to and fro for ever.
func toAndFro(t *testing.T, slots int) Config {
	c := Default(wiring(t, "mnc", 2))
	c.Slots, c.Batch, c.Loops, c.Items = slots, 1, 1000, 2000
	return c
}

func stallOf(t *testing.T, c Config) (*Machine, *Stall) {
	t.Helper()
	m := build(t, c)
	var stall *Stall
	require.ErrorAs(t, m.Run(context.Background()), &stall)
	return m, stall
}

// A livelock is reported as one. When the machine continues, it does what the error predicts for the next clocks.
func TestLivelock(t *testing.T) {
	for _, slots := range []int{4, 8} {
		c := toAndFro(t, slots)
		m, stall := stallOf(t, c)
		require.Equal(t, Livelock, stall.After.Verdict())
		require.Len(t, stall.After.Gifts, 2)
		a, b := stall.After.Gifts[0], stall.After.Gifts[1]
		require.Equal(t, [2]int{a.From, a.To}, [2]int{b.To, b.From})
		for _, g := range []Gift{a, b} {
			require.Greater(t, g.Ability, 1.)
			require.Greater(t, float64(g.Holds), g.Proper)
			require.Equal(t, m.Held(g.From).X, g.Holds)
		}
		require.ErrorContains(t, stall, fmt.Sprintf("because each finds the other abler, %.2f and %.2f times itself: "+
			"PE %d holds %d X of a proper load of %.1f, PE %d %d of %.1f",
			a.Ability, b.Ability, a.From, a.Holds, a.Proper, b.From, b.Holds, b.Proper))

		before := m.Stats()
		m.err, m.stall = nil, maxClocks
		require.NoError(t, m.RunTo(t.Context(), stall.Clock+stall.After.Clocks))
		after, moved := m.Stats(), [actionKinds]int64{}
		for i := range after.PE {
			for k := range moved {
				moved[k] += after.PE[i].Moved[k] - before.PE[i].Moved[k]
			}
			require.Equal(t, before.PE[i].Processed, after.PE[i].Processed, "nothing is processed for ever")
		}
		require.Equal(t, moved, stall.After.Moved)

		c.Guard = 256
		_, s := run(t, c)
		require.Equal(t, c.Items, s.Delivered, "the guard ends it")
	}
}

// A machine that stands still and one that is only slow get different verdicts.
func TestStandstillAndSlow(t *testing.T) {
	c := heavy16(t)
	c.Events = []Event{DeadAt(1_000_000, 5)}
	_, stall := stallOf(t, c)
	require.Equal(t, Standstill, stall.After.Verdict())
	require.ErrorContains(t, stall, "in the next 100,000 clocks nothing would move\ndead PEs: [5]")

	c = Default(wiring(t, "mnc", 16))
	c.Items, c.Stall = 200, 40_001
	c.Cost.Datum = 1 << 12
	_, stall = stallOf(t, c)
	require.Equal(t, Slow, stall.After.Verdict())
	require.Positive(t, stall.After.Moved[YPut]+stall.After.Moved[YGet]+stall.After.Moved[Proc])
	require.ErrorContains(t, stall, "it works, and a longer stall would let it")
	c.Stall = 0
	m := build(t, c)
	require.NoError(t, m.Run(context.Background()), "as it says")
}

// The error explains all exchanges between PEs, not only those with the abler PE.
func TestMotionInWords(t *testing.T) {
	v := Motion{Clocks: 100, Moved: [actionKinds]int64{XPut: 5}, Actions: [actionKinds]int64{XPut: 2}}
	require.Equal(t, "in the next 100 clocks 2 XPUT and 0 XGET would move X, but no X would be processed and no Y get "+
		"nearer to the sink\nwith a guard (--guard 256) a PE processes X after 256 other actions in a row", v.text())
	v.Gifts = []Gift{{From: 1, To: 2, X: 3, Ability: 2, Holds: 7, Proper: 4.25}, {From: 2, To: 3, X: 2, Ability: 2}}
	require.Contains(t, v.text(), "\nmost go from PE 1 to PE 2, 3 X: it holds 7 of a proper load of 4.2\n")
	v.Gifts = append(v.Gifts, Gift{From: 3, To: 2, X: 1, Ability: .5, Holds: 9, Proper: 8})
	require.Contains(t, v.text(), "\nPE 2 and PE 3 give each other 2 and 1 X, because each holds more than its "+
		"proper load: PE 2 holds 0 X of a proper load of 0.0, PE 3 9 of 8.0\n")
}
