package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/machines"
)

// statisticsTable returns the table of statistics for docs/COMMAND.md.
func statisticsTable() string {
	var b strings.Builder
	b.WriteString(`| statistic | unit | kind | counted for each | ` + "`--json`" + ` | ` + "`--series`" +
		` | sweep | meaning |
| --- | --- | --- | --- | --- | --- | --- | --- |
`)
	mark := map[bool]string{true: "yes"}
	for _, s := range em4.Statistics() {
		place := s.Key
		if s.JSON != "" {
			place = s.JSON
		}
		unit := s.MachineUnit()
		if s.Unit != unit && s.Unit != "" {
			unit = s.Unit + ", " + unit
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | `%s` | %s | %s | %s |\n", s.Key, unit,
			map[em4.Kind]string{em4.Sum: "sum", em4.Peak: "peak", em4.Derived: "derived"}[s.Kind],
			map[em4.Level]string{em4.OfPE: "PE", em4.OfSwitch: "switch", em4.OfLink: "link"}[s.Level],
			place, mark[s.AppearsIn(em4.InSeries)], mark[s.AppearsIn(em4.InSweep)], s.Doc)
	}
	return b.String()
}

// The table of docs/COMMAND.md matches em4's statistics; -update writes it.
func TestStatisticsPage(t *testing.T) {
	golden.Block(t, "../../docs/COMMAND.md", "statistics", statisticsTable())
}

// Every statistic appears with the same value in the answer, the CSV files and the help. The rows of --stats add up to
// the answer, and so do the windows.
func TestStatisticsReachEveryOutput(t *testing.T) {
	dir := t.TempDir()
	stats, series := filepath.Join(dir, "stats.csv"), filepath.Join(dir, "series.csv")
	x := jsonOf(t, "run", "fib", "12", "--pes", "12", "--mlpe", "--set", "fifo_words=4", "--stats", stats,
		"--series", series, "--sample", "300")
	_, help, _ := emsim("run", "--help")
	counted := map[string][]uint64{} // by unit and counter
	for _, r := range readCSV(t, stats, columnsOf("stats")) {
		n, err := strconv.ParseUint(r["value"], 10, 64)
		require.NoError(t, err)
		name := r["unit"] + "." + r["counter"]
		counted[name] = append(counted[name], n)
	}
	windows := readCSV(t, series, columnsOf("series"))
	clocks := x["clocks"].(float64)
	for _, s := range em4.Statistics() {
		object, key := s.Place()
		in := x
		if object != "" {
			in = x[object].(map[string]any)
		}
		require.Contains(t, in, key)
		total := in[key].(float64)

		if s.AppearsIn(em4.InStats) {
			units := []string{map[em4.Level]string{em4.OfPE: "pe", em4.OfSwitch: "switch"}[s.Level]}
			if s.Level == em4.OfLink {
				units = []string{"in_group", "out_of_group", "own"}
			}
			sum, peak := counted["host."+s.Key], uint64(0)
			for _, u := range units {
				require.Len(t, counted[u+"."+s.Key], 12, "%s of each %s", s.Key, u)
				sum = append(sum, counted[u+"."+s.Key]...)
			}
			all := 0.0
			for _, n := range sum {
				all, peak = all+float64(n), max(peak, n)
			}
			switch {
			case s.Kind == em4.Peak:
				all = float64(peak)
			case s.Share:
				all /= 12 * clocks
			}
			require.InDelta(t, total, all, 1e-9, s.Key)
		}
		if s.AppearsIn(em4.InSeries) {
			all := 0.0
			for _, r := range windows {
				v := number(t, r[s.Key])
				switch {
				case s.Kind == em4.Peak:
					all = max(all, v)
				case s.Share:
					all += v * number(t, r["clocks"]) / clocks
				default:
					all += v
				}
			}
			require.InDelta(t, total, all, 1e-5, s.Key)
		}
		if s.AppearsIn(em4.InStats) || s.AppearsIn(em4.InSeries) {
			require.Regexp(t, `(?m)^    `+s.Key+`  +\S`, help)
		}
	}
	require.Equal(t,
		"run,time,clocks,busy_pes,exu_fmu,ibu_only,network_wait,idle,"+
			"instructions,calls,mlpe_calls,mlpe_packets,packets_sent,packets_spilled,hops",
		strings.Join(columnsOf("series")[:15], ","), "columns that scripts count on")
}

// A checkpoint keeps the counts so far: the answer and the files of a resumed run equal the ones of an uninterrupted
// run.
func TestCheckpointKeepsStatistics(t *testing.T) {
	t.Chdir(t.TempDir())
	files := func(name string) []string {
		return []string{"--stats", name + ".stats.csv", "--series", name + ".series.csv", "--json"}
	}
	statistics := func(args ...string) map[string]any {
		status, out, errs := emsim(args...)
		require.Zero(t, status, errs)
		var x map[string]any
		require.NoError(t, json.Unmarshal([]byte(out), &x))
		delete(x, "wall_seconds")
		delete(x, "pe_clocks_per_second")
		delete(x, "fast_share")
		delete(x, "recipe")
		return x
	}
	run := []string{"run", "fib", "12", "--pes", "12", "--mlpe", "--set", "fifo_words=4", "--sample", "70"}
	whole := statistics(append(append(run, "--checkpoint", "c", "--at", "500"), files("whole")...)...)
	resumed := statistics(append([]string{"run", "--resume", "c"}, files("resumed")...)...)
	golden.Same(t, whole, resumed, "the answer")
	for _, name := range []string{".stats.csv", ".series.csv"} {
		want, err := os.ReadFile("whole" + name)
		require.NoError(t, err)
		got, err := os.ReadFile("resumed" + name)
		require.NoError(t, err)
		golden.Same(t, string(want), string(got), "the file *%s", name)
	}
}

// columnsOf returns the columns of a file of rows for the EM-4.
func columnsOf(flag string) []string {
	rows := machines.ModelOf("em4").Rows
	return rows[slices.IndexFunc(rows, func(r machines.Rows) bool { return r.Flag == flag })].Columns
}
