package mnc

import (
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/moves"
)

// Tell is called for every action of every PE, in order, and for every datum that moves. It keeps nothing and does
// not change the run.
func TestTell(t *testing.T) {
	want := statsWith(t, Auto, nil)
	c := Default(wiring(t, "mnc", 16))
	c.Items, c.Loops = 1000, 200
	m := build(t, c)
	last, counts, ended := int64(0), map[string]int64{}, make([]int64, 16)
	r := &Record{Tell: func(e Entry) {
		switch counts[e.Event]++; e.Event {
		case "begins", "gives", "gets", "ends":
			require.LessOrEqual(t, last, e.At)
			last = e.At
			counts[e.Event+e.What[:1]]++
		case "learns":
		default:
			require.LessOrEqual(t, e.Since, e.At)
			require.GreaterOrEqual(t, e.Since, ended[e.Worker], "one action at a time")
			ended[e.Worker] = e.At
		}
	}}
	m.Record(r)
	require.NoError(t, m.Run(t.Context()))
	got := m.Stats()
	require.Equal(t, want, got)
	require.Greater(t, counts["sense and plan"], int64(100))
	var actions, moved [actionKinds]int64
	for _, p := range got.PE {
		for k := Proc; k < actionKinds; k++ {
			actions[k] += p.Actions[k]
			moved[k] += p.Moved[k]
		}
	}
	for k := Proc; k < actionKinds; k++ {
		require.Equal(t, actions[k], counts[k.String()], k.String())
	}
	require.Equal(t, []int64{1000, 1000}, []int64{counts["endsX"], counts["beginsY"]}, "f() makes a Y of every X")
	require.Equal(t, moved[XPut]+moved[YPut], counts["gives"]+counts["endsY"])
	require.Equal(t, moved[XGet]+moved[YGet], counts["gets"]+counts["beginsX"])
	require.Equal(t, moves.Record{Workers: 16}.Moves, r.Moves)
}
