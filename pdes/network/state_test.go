package network

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/agenda"
	"emsim/internal/base/state"
)

// A restored fabric has every packet in one place: idle, under way by one event, or
// delivered. Everything else is refused.
func TestStateHasEveryPacketOnce(t *testing.T) {
	net, err := New(HXB, 4, 4)
	require.NoError(t, err)
	route := net.Route(nil, 0, 5)
	restore := func(change func(f *Fabric)) (delivered []bool, err error) {
		f := NewFabric(net, 10, &Queue{})
		for range 4 {
			f.Send(0, route, 64)
		}
		f.queue.Push(500, Done, 2, 2)
		for range 3 * (len(route) + 1) { // three packets are delivered, and one of them is released
			if e, _ := f.queue.Pop(); e.Class() == Head {
				f.Head(e.Clock, e.Arg)
			}
		}
		f.Release(1)
		change(f)
		walk := func(f *Fabric) func(c *state.Codec) {
			return func(c *state.Codec) {
				delivered = f.State(c, func(int32) []int32 { return route }, func(e Event) bool { return e.Class() == Done && e.Arg < 3 })
			}
		}
		c := state.Saver(nil)
		walk(f)(c)
		return delivered, (&state.Moments{Resume: c.Bytes()}).Restore(walk(NewFabric(net, 10, &Queue{})))
	}
	delivered, err := restore(func(*Fabric) {})
	require.NoError(t, err)
	require.Contains(t, delivered, true)
	require.Contains(t, delivered, false)
	event := func(f *Fabric, what Class) *agenda.Item[int32] {
		return &f.queue.events[slices.IndexFunc(f.queue.events, func(x agenda.Item[int32]) bool { return Event{order: x.Order}.Class() == what })]
	}
	for what, change := range map[string]func(f *Fabric){
		"idle twice":       func(f *Fabric) { f.idle = append(f.idle, 1) },
		"no packet idle":   func(f *Fabric) { f.idle[0] = 9 },
		"two events":       func(f *Fabric) { f.queue.Push(600, Deliver, 3, f.queue.events[0].What) },
		"an idle one's":    func(f *Fabric) { event(f, Head).What = 1 },
		"no packet's":      func(f *Fabric) { event(f, Head).What = 4 },
		"below all":        func(f *Fabric) { event(f, Head).What = -1 },
		"beyond its route": func(f *Fabric) { f.packets[event(f, Head).What].next = int32(len(route)) },
		"a stranger":       func(f *Fabric) { event(f, Done).What = 3 },
		"in the past":      func(f *Fabric) { event(f, Done).At = f.queue.now - 1 },
		"at no time":       func(f *Fabric) { event(f, Done).At = never },
	} {
		_, err := restore(change)
		require.ErrorIs(t, err, state.ErrMisfit, what)
	}
}
