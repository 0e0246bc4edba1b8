package machines

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"emsim/internal/base/answer"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/state"
	"emsim/internal/dev/golden"
)

// The rows that a watch receives from a small run of every machine have the announced columns. The first rows of
// --series and --events, and their numbers, equal the recorded ones. The watch does not change the run.
func TestWatch(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"mnc", "rhinet", "spmd", "pdes"} {
		x := ModelOf(name)
		fmt.Fprintf(&all, "%s: --%s %v\n", name, x.Sampling.Flag, x.Sampling.Usual)
		rows := func(what string, columns []string, run func(rows map[string]func(cells ...any))) {
			fmt.Fprintf(&all, "%s: %s\n", what, strings.Join(columns, ","))
			n := 0
			run(map[string]func(cells ...any){what: func(cells ...any) {
				require.Len(t, cells, len(columns))
				if n++; n <= 6 {
					fmt.Fprintln(&all, " ", strings.TrimSpace(fmt.Sprintln(cells...)))
				}
			}})
			fmt.Fprintf(&all, "  %d in all\n", n)
		}
		plain, err := Run(t.Context(), machine(t, name), Watch{})
		require.NoError(t, err)
		same := func(w Watch) {
			seen, err := Run(t.Context(), machine(t, name), w)
			require.NoError(t, err)
			for _, n := range Numbers(name) {
				a, _ := plain.Float(n.Key)
				b, _ := seen.Float(n.Key)
				require.Equal(t, a, b, "%s: %s", name, n.Key)
			}
		}
		if name == "mnc" {
			step := map[string]bool{"every-clock": true}
			same(Watch{On: step})
			ctx, stop := context.WithCancel(t.Context())
			stop()
			_, err := Run(ctx, machine(t, name), Watch{On: step})
			require.ErrorIs(t, err, context.Canceled)
		}
		every := int64(5000) // clocks
		if name == "rhinet" || name == "spmd" {
			every = 1e9 // nanoseconds
		}
		require.Equal(t, [2]string{"series", "events"}, [2]string{x.Rows[0].Flag, x.Rows[1].Flag})
		rows("series", x.Rows[0].Columns,
			func(rows map[string]func(cells ...any)) { same(Watch{Every: every, Rows: rows}) })
		rows("events", x.Rows[1].Columns, func(rows map[string]func(cells ...any)) { same(Watch{Rows: rows}) })
	}
	golden.Check(t, "watched.txt", []byte(all.String()))
	for n, want := range map[int]string{-1: "", 0: "0", 7: "7"} {
		require.Equal(t, want, numberOrNone(n))
	}
}

// All machines end an interrupted run by the same rule: the last sample is at the time of the shown state. In a
// complete run, no time up to the end is missed.
func TestEndsAlike(t *testing.T) {
	for _, name := range []string{"mnc", "rhinet", "spmd", "pdes"} {
		x, column := ModelOf(name), 0
		m := machine(t, name)
		for key, value := range map[string]string{
			"mnc": "items=200000", "rhinet": "rows=256", "spmd": "tasks=2000",
			"pdes": "slots=2000",
		} {
			if key == name {
				require.NoError(t, m.Set([]string{value}))
			}
		}
		ctx, stop := context.WithCancel(t.Context())
		last, shown, looks := -1., -1., 0
		_, err := Run(ctx, m, Watch{
			Every: 1e6, Rows: map[string]func(cells ...any){"series": func(cells ...any) {
				var at float64
				_, err := fmt.Sscan(fmt.Sprint(cells[column]), &at)
				require.NoError(t, err)
				require.GreaterOrEqual(t, at, last, name)
				last = at
			}},
			Progress: func(func() answer.Far) {
				if looks++; looks == 2 {
					stop()
				}
			},
			Snapshots: &state.Snapshots{
				At:   state.Never,
				Stop: func(at int64, _ func(*state.Codec)) { shown = float64(at) / float64(x.Terms.PerUnit) },
			},
		})
		stop()
		require.ErrorIs(t, err, context.Canceled, name)
		require.Positive(t, shown, name)
		require.InDelta(t, shown, last, 1e-9, name)

		// A time after the end is never reached, whatever events would follow.
		late, end := false, machine(t, name)
		said, err := Run(t.Context(), end, Watch{})
		require.NoError(t, err)
		time, _ := said.Float("time")
		_, err = Run(t.Context(), end, Watch{
			Every: 1,
			Snapshots: &state.Snapshots{
				At:   int64(time*float64(x.Terms.PerUnit)) + 1,
				Show: func(int64, func(*state.Codec)) int64 { late = true; return state.Never },
			},
		})
		require.NoError(t, err)
		require.False(t, late, name)
	}
}
