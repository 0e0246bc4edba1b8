package programs_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/emcr"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/machinefile"
)

// fibPage is the page that compares the readings of the paper's number of calls. Its tables of measured numbers begin
// after a comment with their name. 'go test ./programs -run FibPage -update' rewrites them.
const fibPage = "../docs/CALIBRATION.md"

// fibTable replaces, or compares, the rows of a table of the page, without its head.
func fibTable(t *testing.T, name string, rows []string) {
	t.Helper()
	text, err := os.ReadFile(fibPage)
	require.NoError(t, err)
	head, rest, ok := strings.Cut(string(text), "<!-- measured: "+name+" -->\n")
	require.True(t, ok, name)
	head += "<!-- measured: " + name + " -->\n"
	for range 2 {
		line, after, _ := strings.Cut(rest, "\n")
		head, rest = head+line+"\n", after
	}
	end := strings.Index(rest, "\n\n") + 1
	want := strings.Join(rows, "\n") + "\n"
	if golden.Update() {
		require.NoError(t, os.WriteFile(fibPage, []byte(head+want+rest[end:]), 0o644))
		return
	}
	require.Equal(t, want, rest[:end], "the page is behind the machine: go test ./programs -run FibPage -update")
}

// callers returns the paper's number of calls of fib(n).
func callers(n uint64) float64 { return float64(number(n) - 1) }

// work is the work in PE-clocks per call of the paper.
type work struct{ exuFMU, ibu, wait float64 }

func (w work) String() string { return fmt.Sprintf("%.1f / %.1f / %.1f", w.exuFMU, w.ibu, w.wait) }

func (w work) busy() float64 { return w.exuFMU + w.ibu }

func workOf(r em4.Result, n uint64) work {
	per := func(s emcr.Activity) float64 { return float64(r.States()[s]) / callers(n) }
	return work{per(emcr.ExuFmu), per(emcr.IbuOnly), per(emcr.NetworkWait)}
}

// paperWork returns the work that follows from the paper's times and shares on 80 PEs.
func paperWork(ms float64, n uint64, exuFMU, ibu, wait float64) work {
	per := ms * 12500 * 80 / callers(n) / 100
	return work{exuFMU * per, ibu * per, wait * per}
}

// readings are the two readings of the paper's number of calls that the page compares: leaves as instances and inline
// leaves (older), the second also on a machine set as far as possible like the older model.
var readings = []struct {
	name string
	p    params
	sets []string
}{
	{"`leaves=instances`", params{}, nil},
	{"`leaves=inline`", params{"leaves": "inline"}, nil},
	{
		"`leaves=inline`, older machine",
		params{"leaves": "inline", "ring_first": "in", "ring_table": "next", "line_first": "far"},
		[]string{"hop_clocks=2", "inject_clocks=2", "bank_clocks=8", "refill_blocks_intake=false"},
	},
}

// on runs fib in a reading on 80 PEs.
func on(t *testing.T, reading int, p params, n uint64) (*em4.Machine, em4.Result) {
	t.Helper()
	m := machineOf(t, reading, p)
	r, err := m.Run(t.Context(), []uint64{n}, runOptions)
	require.NoError(t, err)
	return m, r
}

func machineOf(t *testing.T, reading int, p params) *em4.Machine {
	t.Helper()
	all := params{}
	maps.Copy(all, readings[reading].p)
	maps.Copy(all, p)
	c := machinefile.ForSize(80)
	for _, s := range readings[reading].sets {
		key, value, _ := strings.Cut(s, "=")
		require.NoError(t, c.Set(key, value))
	}
	m, _ := boot(t, c, all)
	return m
}

// The page has the values of both readings for the paper's table 3.
func TestFibPageTable3(t *testing.T) {
	rows := []string{fmt.Sprintf("| paper | 46,367 | 31.9 | 34.1 | | %v | %v |",
		paperWork(7.16, 24, 44.1, 17.3, 9.2), paperWork(7.10, 24, 45.3, 34.3, 13.4))}
	for i, reading := range readings {
		_, static := on(t, i, nil, 24)
		_, mlpe := on(t, i, params{"mlpe": "on"}, 24)
		a := callers(24)
		rows = append(rows, fmt.Sprintf("| %s | %s | %.1f | %.1f | %.1f | %v | %v |", reading.name,
			table3Calls(static.Calls), float64(static.Instructions)/a, float64(mlpe.Instructions)/a,
			float64(static.Sent)/a,
			workOf(static, 24), workOf(mlpe, 24)))
	}
	fibTable(t, "table 3", rows)
}

// table3Calls formats a number of five digits.
func table3Calls(n uint64) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }

// The page has the busy PE-clocks per call in the paper's table 1, by policy.
func TestFibPageTable1(t *testing.T) {
	paper := []struct {
		policy   string
		ms, busy float64
	}{{"ring", 1.12, 54.6}, {"random", 1.98, 44.0}, {"round-robin", 1.99, 40.1}, {
		"ring-random", 1.49,
		62.1,
	}, {"ring-round-robin", 1.37, 62.7}, {"line", 8.44, 8.6}}
	var rows []string
	for _, x := range paper {
		line := fmt.Sprintf("| %s | %.1f |", x.policy, paperWork(x.ms, 20, x.busy, 0, 0).busy())
		for i := range readings {
			m := machineOf(t, i, params{"policy": x.policy})
			r, err := m.Run(t.Context(), []uint64{20}, runOptions)
			var f *emcr.Fault
			if errors.As(err, &f) && f.Kind() == emcr.SegmentOverflow {
				line += " overflow |"
				continue
			}
			require.NoError(t, err)
			line += fmt.Sprintf(" %.1f |", workOf(r, 20).busy())
		}
		rows = append(rows, line)
	}
	fibTable(t, "table 1", rows)
}

// Both links of a PE lead to the next column, so all instances of one depth run
// in one column.
func TestFibPageColumns(t *testing.T) {
	smaller, _ := on(t, 0, nil, 24)
	larger, _ := on(t, 0, params{"first_child": "larger"}, 24)
	var depths [5]int // instances of fib(24) by depth mod 5
	var count func(n, depth int)
	count = func(n, depth int) {
		depths[depth%5]++
		if n > 2 {
			count(n-1, depth+1)
			count(n-2, depth+1)
		}
	}
	count(24, 0)
	var rows []string
	for column := range 5 {
		var calls int
		ibu := func(m *em4.Machine) float64 {
			busy, all := uint64(0), uint64(0)
			for pe := range 80 {
				if int(m.Net.Address(pe).CA) == column {
					p := m.PE(pe)
					busy += p.Clocks[emcr.IbuOnly]
					for _, n := range p.Clocks {
						all += n
					}
				}
			}
			return 100 * float64(busy) / float64(all)
		}
		for pe := range 80 {
			if int(smaller.Net.Address(pe).CA) == column {
				calls += int(smaller.PE(pe).Calls)
			}
		}
		require.Equal(t, depths[column], calls, "the instances of every fifth depth run in column %d", column)
		rows = append(rows, fmt.Sprintf("| %d | %d | %.0f %% | %.0f %% |", column, (calls+8)/16, ibu(smaller),
			ibu(larger)))
	}
	fibTable(t, "columns", rows)
}
