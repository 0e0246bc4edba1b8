package mnc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/internal/base/knob"
)

// little limits the knobs that determine how long a run takes. Random tests draw all other knobs from their whole
// range.
var little = map[string][2]int64{
	"pes": {1, 40}, "items": {0, 400}, "loops": {0, 1000}, "cost_loop": {0, 8},
	"batch": {1, 40}, "xcap": {1, 60}, "ycap": {1, 60}, "slice": {1, 5000}, "keep_clk": {0, 5000}, "t_pa": {1, 20_000},
	"cost_qpr_word": {1, 8}, "cost_local_word": {0, 8}, "cost_datum": {0, 16}, "cost_ring": {0, 16},
	"cost_iteration": {0, 32},
	"cost_neighbour": {0, 32}, "cost_pa": {0, 32}, "idle": {1, 200}, "idle_max": {1, 2000},
	"stall": {0, 0}, // tests of stalls draw this knob themselves
}

// randomSetup draws a value for every knob.
func randomSetup(t *rapid.T) Setup {
	s := DefaultSetup()
	for _, r := range knob.Bind(Knobs(), &s) {
		if b, ok := little[r.Key]; ok {
			r.Min, r.Max = b[0], b[1]
		}
		r.Draw(func(n uint64) uint64 { return rapid.Uint64Range(0, n-1).Draw(t, r.Key) })
	}
	s.AbilityMin, s.AbilityMax = min(s.AbilityMin, s.AbilityMax), max(s.AbilityMin, s.AbilityMax)
	s.Cost.IdleMax = max(s.Cost.Idle, s.Cost.IdleMax)
	if s.Topology == "net16" {
		s.PEs = 16
	}
	if rapid.Bool().Draw(t, "heterogeneous") {
		for pe := range s.PEs {
			s.Speeds = append(s.Speeds, fmt.Sprintf("%d=%d", pe, rapid.IntRange(1, 900).Draw(t, "percent")))
		}
	}
	return s
}

// randomConfig draws a machine of any kind with little work.
func randomConfig(t *rapid.T) Config {
	s := randomSetup(t)
	c, err := s.Build()
	require.NoError(t, err)
	return c
}

// Random machines vary every knob.
func TestKnobsVary(t *testing.T) {
	drawn := map[string]map[string]bool{}
	rapid.Check(t, func(t *rapid.T) {
		s := randomSetup(t)
		for _, r := range knob.Bind(Knobs(), &s) {
			if drawn[r.Key] == nil {
				drawn[r.Key] = map[string]bool{}
			}
			drawn[r.Key][r.Text()] = true
		}
	})
	for key, values := range drawn {
		if key != "stall" && key != "slow_at" && key != "dead_at" { // TestStepEqualsRun draws stalls and events
			require.Greater(t, len(values), 1, key)
		}
	}
}

// The bounds of every knob are exactly those that Validate accepts.
func TestKnobLimits(t *testing.T) {
	for _, k := range Knobs() {
		s := DefaultSetup()
		r := k.Bind(&s)
		if _, ok := r.Get().(int64); !ok {
			continue
		}
		for _, v := range []int64{k.Min - 1, k.Max + 1} {
			require.NoError(t, r.Put(v))
			_, err := s.Build()
			require.Error(t, err, "%s is %d", k.Key, v)
			require.Error(t, r.Check())
		}
		s = DefaultSetup()
		s.Items, s.Loops, s.Cost.Idle = 1, 1, 0
		for _, v := range []int64{k.Min, k.Max} {
			require.NoError(t, r.Put(v))
			require.NoError(t, r.Check())
			if _, err := s.Build(); err != nil {
				require.NotContains(t, err.Error(), fmt.Sprintf("expected %d to", k.Min), "%s is %d", k.Key, v)
			}
		}
	}
}

// The texts of speeds and events are parsed or rejected correctly.
func TestSetupTexts(t *testing.T) {
	s := DefaultSetup()
	s.PEs, s.Speeds, s.SlowAt, s.DeadAt = 4, []string{"odd=400", "0-1=50", "even=70"}, []string{"5:1:200"},
		[]string{"9:2"}
	c, err := s.Build()
	require.NoError(t, err)
	require.Equal(t, []int64{70, 50, 70, 400}, c.Slow)
	require.Equal(t, []Event{SlowAt(5, 1, 200), DeadAt(9, 2)}, c.Events)
	for _, bad := range []struct {
		to   *[]string
		text string
		want string
	}{
		{&s.Speeds, "5", `slow: "5": expected PE=PERCENT`},
		{&s.Speeds, "2-9=100", `slow: "2-9=100": expected PEs from 0 to 3`},
		{&s.SlowAt, "5:5", `slow_at: "5:5": expected CLOCK:PE:PERCENT`},
		{&s.DeadAt, "5:x", `dead_at: "5:x": expected CLOCK:PE`},
	} {
		*bad.to = []string{bad.text}
		_, err := s.Build()
		require.ErrorContains(t, err, bad.want)
		*bad.to = nil
	}
}

// A given wiring overrides the named topology.
func TestSetupWithAWiring(t *testing.T) {
	s := DefaultSetup()
	c, err := s.Build()
	require.NoError(t, err)
	require.Equal(t, 16, c.Wiring.PEs)
	s.Wiring = wiring(t, "mnc", 3)
	s.Speeds = []string{"2=400"}
	c, err = s.Build()
	require.NoError(t, err)
	require.Equal(t, s.Wiring, c.Wiring)
	require.Len(t, c.Slow, 3)
}
