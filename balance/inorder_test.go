package balance

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Nothing happens before its cause: no message is read before it is sent, and no unit ends before it begins, whatever
// the policy, workload and network.
func TestEventsAreInOrder(t *testing.T) {
	rapid.Check(t, eventsInOrder)
}

// eventsInOrder runs a random world event by event.
func eventsInOrder(t *rapid.T) {
	s := rapid.SampledFrom(Policies()).Draw(t, "scheme")
	l := small(rapid.SampledFrom(Workloads()).Draw(t, "workload"))
	if s.Only != "" && s.Only != string(l.Shape) {
		return
	}
	clocks := rapid.Int64Range(0, 200)
	setup := cellOf(s, l, rapid.IntRange(2, 9).Draw(t, "workers"), rapid.IntRange(1, 30).Draw(t, "grain"),
		rapid.Uint64().Draw(t, "seed"))
	setup.Fabric = Fabric{
		Message: clocks.Draw(t, "message"), Unit: clocks.Draw(t, "unit"), Probe: clocks.Draw(t, "probe"),
		Latency: clocks.Draw(t, "latency"),
		Hop:     clocks.Draw(t, "hop"), Hold: clocks.Draw(t, "hold"), InOrder: rapid.Bool().Draw(t, "in order"),
		Asks:   rapid.Bool().Draw(t, "asks"),
		Buffer: rapid.IntRange(0, 3).Draw(t, "buffer"), Spill: clocks.Draw(t, "spill"),
	}
	w := newWorld(&setup)
	const enough = 50_000 // events: worlds whose peeks cost more than their moves would take long
	for n := 0; w.left > 0 && w.result.NA == "" && n < enough; n++ {
		at, e, ok := w.events.Next()
		require.True(t, ok, "%s at %s: nothing happens any more", s.Name, l.Name)
		require.GreaterOrEqual(t, at, w.now, "%s at %s: event %+v at %d, made at %d", s.Name, l.Name, e, at, w.now)
		w.now = at
		w.handle(e)
	}
	for i, end := range w.result.End {
		require.True(t, 0 <= end && end <= w.now, "%s at %s: worker %d ends at %d, the run at %d", s.Name, l.Name, i,
			end, w.now)
	}
}
