package machines

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// What a watch sees of a small run of every machine has the columns that are
// announced; the first rows of --series and --events are recorded, and how many
// there are. The run is the same without it.
func TestWatch(t *testing.T) {
	var all strings.Builder
	for _, name := range []string{"mnc", "rhinet", "spmd", "pdes"} {
		x := ModelOf(name)
		fmt.Fprintf(&all, "%s: --%s %v\n", name, x.Sampling.Flag, x.Sampling.Usual)
		rows := func(what string, columns []string, run func(write func(cells ...any))) {
			fmt.Fprintf(&all, "%s: %s\n", what, strings.Join(columns, ","))
			n := 0
			run(func(cells ...any) {
				require.Len(t, cells, len(columns))
				if n++; n <= 6 {
					fmt.Fprintln(&all, " ", strings.TrimSpace(fmt.Sprintln(cells...)))
				}
			})
			fmt.Fprintf(&all, "  %d in all\n", n)
		}
		plain, err := Run(t.Context(), machine(t, name), Watch{})
		require.NoError(t, err)
		same := func(w Watch) {
			seen, err := Run(t.Context(), machine(t, name), w)
			require.NoError(t, err)
			for _, n := range Numbers(name) {
				a, _ := n.Value(plain)
				b, _ := n.Value(seen)
				require.Equal(t, a, b, "%s: %s", name, n.Key)
			}
		}
		if x.Steps {
			same(Watch{Step: true})
			ctx, stop := context.WithCancel(t.Context())
			stop()
			_, err := Run(ctx, machine(t, name), Watch{Step: true})
			require.ErrorIs(t, err, context.Canceled)
		}
		every := int64(5000) // clocks
		if name == "rhinet" || name == "spmd" {
			every = 1e9 // nanoseconds
		}
		rows("series", x.Sampling.Columns, func(write func(cells ...any)) { same(Watch{Every: every, Sample: write}) })
		rows("events", x.Events, func(write func(cells ...any)) { same(Watch{Event: write}) })
	}
	golden.Check(t, "watched.txt", []byte(all.String()))
	for n, want := range map[int]string{-1: "", 0: "0", 7: "7"} {
		require.Equal(t, want, numberOrNone(n))
	}
}
