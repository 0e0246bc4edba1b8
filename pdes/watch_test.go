package pdes

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/pdes/mapping"
	"emsim/pdes/network"
)

// A watch gets samples at its clocks and the end of every operation, and changes nothing.
func TestWatch(t *testing.T) {
	cfg := config(t, network.Torus, "4x4", 3, 100)
	cfg.Migrate = &Migration{
		At: 20_000, Weights: mapping.Reference(), Neighbour: mapping.Grid,
		Objective: mapping.ByCost,
	}
	want := run(t, cfg)
	var at []int64
	var last []SampleOfPP
	slots, states, sent, free := 0, 0, 0, make([]int64, 16)
	got, err := RunWatched(t.Context(), cfg, Watch{
		Every: 777,
		Sample: func(clock int64, pps []SampleOfPP) {
			at = append(at, clock)
			lps := 0
			for i, p := range pps {
				lps += p.LPs
				if last != nil {
					require.GreaterOrEqual(t, p.Slotted, last[i].Slotted)
					require.LessOrEqual(t, p.Slotted-last[i].Slotted, clock-at[len(at)-2])
				}
				require.NotEmpty(t, p.Doing)
			}
			require.LessOrEqual(t, lps, 12)
			last = pps
		},
		Record: &Record{Tell: func(e Entry) {
			switch e.Event {
			case "begins", "gives", "gets", "learns":
				return
			}
			require.GreaterOrEqual(t, e.Since, free[e.Worker], "one operation at a time")
			free[e.Worker] = e.At
			switch e.Event {
			case "slot":
				slots++
				require.EqualValues(t, 200, e.At-e.Since)
			case "send":
				sent += int(e.At-e.Since) / 100
			case "state":
				states++
				require.NotEmpty(t, e.What)
			case "resume":
				require.Empty(t, e.What)
			}
		}},
	})
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, 12*100, slots)
	require.Equal(t, want.Migrations[0].Moves, states)
	require.Positive(t, sent)
	for i, clock := range at[:len(at)-1] {
		require.EqualValues(t, 777*i, clock)
	}
	require.Equal(t, want.Clocks, at[len(at)-1])
	for i, p := range last {
		require.Equal(t, want.Slotted[i], p.Slotted)
	}
	_, err = RunWatched(t.Context(), cfg, Watch{Sample: func(int64, []SampleOfPP) {}})
	require.ErrorContains(t, err, "every 0 clocks")
}

// A sample shows the state after all events of its clock: the progress of a current operation and, at the clock of an
// operation's end, the next operation.
func TestSamplesAreExact(t *testing.T) {
	cfg := config(t, network.HXB, "1", 1, 2)
	var got []string
	_, err := RunWatched(t.Context(), cfg, Watch{Every: 50, Sample: func(clock int64, pps []SampleOfPP) {
		got = append(got, fmt.Sprint(clock, " ", pps[0].Doing, " ", pps[0].Slotted))
	}})
	require.NoError(t, err)
	lps := cfg.Banyan.LPs()
	want := []string{}
	for clock := 0; clock < 2*lps*200; clock += 50 {
		want = append(want, fmt.Sprint(clock, " slot ", clock))
	}
	require.Equal(t, append(want, fmt.Sprint(2*lps*200, " idle ", 2*lps*200)), got)
}
