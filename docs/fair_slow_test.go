//go:build slow

package docs_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/machine/machines"
	"emsim/omega"
)

// The page has the effect of the fair switch on a full network: the load that saturates it, the load that it delivers
// at a load of 1, and the packets' latency there.
func TestFairSwitchInTheFullNetwork(t *testing.T) {
	page := load(t)
	var lines [][]string
	for _, pattern := range omega.Patterns() {
		var cells [2][4]string
		for i, fair := range []bool{false, true} {
			s := machines.DefaultNet()
			s.Pattern, s.Switch.Fair = pattern, fair
			s.Load, s.Clocks = 1, 20_000
			tr, err := s.Build()
			require.NoError(t, err)
			tr.Net.CountOvertakings()
			_, err = (&machines.Traffic{Traffic: tr}).Measure(t.Context(), &s, false)
			require.NoError(t, err)
			most := tr.Net.Overtakings(tr.Clock())
			s.Warm = 2000
			c, err := machines.RunCurve(t.Context(), s, 1)
			require.NoError(t, err)
			require.NotNil(t, c.Saturation)
			cells[i] = [4]string{
				fmt.Sprintf("%.4f", *c.Saturation), fmt.Sprintf("%.3f", c.Full), fmt.Sprint(most.Most.Times),
				fmt.Sprint(most.Longest.Clocks),
			}
		}
		if pattern == omega.Reverse {
			proseOf(t, "beyond/fair.csv", "BEYOND.md").says(t,
				"stands still for %s of the 20,000 clocks, while others take its room %s times; "+
					"with the fair switch none waits for more than %s.",
				cells[0][3], cells[0][2], cells[1][3])
		}
		line := []string{string(pattern)}
		for i := range cells[0] {
			line = append(line, cells[0][i], cells[1][i])
		}
		lines = append(lines, line)
	}
	page.block(t, "fair network", markdown([]string{
		"80 PEs", "saturation", "fair", "full", "fair", "overtaken at most", "fair", "longest wait", "fair",
	}, lines))
	page.save(t)
}

// The page says how often a packet is overtaken in a switch and how long it waits there, for the first run of each
// program.
func TestOvertakingsInBeyond(t *testing.T) {
	page := load(t)
	var lines [][]string
	for _, call := range read(t, "beyond/fair.csv").distinct(row.call) {
		line := []string{call}
		for _, mlpe := range []string{"off", "on"} {
			var cells [2][2]string
			for i, fair := range []bool{false, true} {
				c := em4.Prototype80()
				c.FairSwitch = fair
				m, n := booted(t, call, mlpe, c)
				m.Net.CountOvertakings()
				_, err := m.Run(t.Context(), []uint64{n}, em4.RunOptions{MaxClocks: 20_000_000})
				require.NoError(t, err)
				x := m.Net.Overtakings(m.Clock())
				cells[i] = [2]string{fmt.Sprint(x.Most.Times), fmt.Sprint(x.Longest.Clocks)}
			}
			line = append(line, cells[0][0], cells[1][0], cells[0][1], cells[1][1])
		}
		lines = append(lines, line)
	}
	page.block(t, "overtaken", markdown([]string{
		"program", "static: overtaken at most", "fair", "longest wait", "fair", "MLPE: overtaken at most", "fair",
		"longest wait", "fair",
	}, lines))
	page.save(t)
}
