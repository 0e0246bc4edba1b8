package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"emsim/em4"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/machines"
	"emsim/internal/machine/run"
	"emsim/omega"
	"emsim/programs"
)

// emsim runs a command line and returns its exit status and outputs.
func emsim(args ...string) (status int, out, errs string) {
	var o, e bytes.Buffer
	status = command(args, strings.NewReader(""), &o, &e)
	return status, o.String(), e.String()
}

// jsonOf runs a command line with --json and parses its output, without the recipe.
func jsonOf(t *testing.T, args ...string) map[string]any {
	t.Helper()
	status, out, errs := emsim(append(args, "--json")...)
	require.Zero(t, status, "%s%s", out, errs)
	require.Empty(t, errs)
	var v map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &v), out)
	require.Contains(t, v, "recipe")
	delete(v, "recipe")
	return v
}

// The keys are fixed: scripts rely on them.
func TestRunKeys(t *testing.T) {
	x := jsonOf(t, "run", "fib", "10")
	for _, k := range strings.Fields(`program args machine pes policy mlpe seed result clocks time_ms mips states pe_utilisation
		instructions calls mlpe_calls packets segments_peak mib_peak_words runs bands wall_seconds pe_clocks_per_second fast_share`) {
		require.Contains(t, x, k)
	}
	require.ElementsMatch(t, []string{"exu_fmu", "ibu_only", "network_wait", "idle"},
		slices.Collect(maps.Keys(x["states"].(map[string]any))))
	require.Subset(t, slices.Collect(maps.Keys(x["packets"].(map[string]any))), []string{"sent", "spilled", "hops"})
	require.Equal(t, []any{55.0}, x["result"])
	require.Equal(t, []any{10.0}, x["args"])
	require.Equal(t, "fib", x["program"])
	require.Equal(t, "emc-r", x["machine"])
	require.Equal(t, "ring", x["policy"])
	require.Equal(t, false, x["mlpe"])
	require.Equal(t, 80.0, x["pes"])
	require.Equal(t, 1.0, x["seed"])
	require.InDelta(t, x["clocks"].(float64)*80e-6, x["time_ms"], 1e-9)
	require.InDelta(t, x["instructions"].(float64)/x["time_ms"].(float64)/1e3, x["mips"], 1e-9)
	require.Equal(t, []any{x["clocks"]}, x["runs"])
	require.ElementsMatch(t, strings.Fields("time_ms pe_utilisation exu_fmu ibu_only network_wait idle instructions "+
		"mlpe_calls work_per_call"),
		slices.Collect(maps.Keys(x["bands"].(map[string]any))))
	for name, band := range x["bands"].(map[string]any) {
		require.ElementsMatch(t, []string{"best", "mean", "min", "max"},
			slices.Collect(maps.Keys(band.(map[string]any))), name)
	}
	require.Equal(t, x["time_ms"], x["bands"].(map[string]any)["time_ms"].(map[string]any)["mean"])
	sum := 0.0
	for _, share := range x["states"].(map[string]any) {
		sum += share.(float64)
	}
	require.InDelta(t, 1, sum, 1e-12)
	require.Len(t, x["knobs"], len(em4.Knobs()))
}

func TestNetKeys(t *testing.T) {
	x := jsonOf(t, "net", "--pes", "80")
	for _, k := range strings.Fields("pes groups members diameter distance_sum reverse_circuit") {
		require.Contains(t, x, k)
	}
	require.Equal(t, []any{[]any{0., 0.}, []any{8., 1.}, []any{4., 2.}, []any{2., 3.}, []any{1., 4.}},
		x["reverse_circuit"])

	x = jsonOf(t, "net", "traffic", "--pes", "80", "--load", "0.08", "--clocks", "5000")
	for _, k := range strings.Fields("offered queued injected delivered in_flight latency_mean latency_max " +
		"flit_hops wall_seconds") {
		require.Contains(t, x, k)
	}
	n := func(key string) float64 { return x[key].(float64) }
	require.Equal(t, n("injected"), n("delivered")+n("in_flight"))
	require.Equal(t, n("offered"), n("injected")+n("queued"))
	require.InEpsilon(t, 0.08*80*5000/2, n("offered"), 0.02)
}

// Two runs of one command line differ only in their wall times, and the number of threads does not matter either.
func TestRunRepeats(t *testing.T) {
	clean := func(args ...string) map[string]any {
		x := jsonOf(t, args...)
		delete(x, "wall_seconds")
		delete(x, "pe_clocks_per_second")
		delete(x, "fast_share")
		return x
	}
	first := clean("run", "fib", "14", "--policy", "random", "--mlpe", "--runs", "2")
	for _, threads := range []string{"2", "auto"} {
		golden.Same(t, first, clean("run", "fib", "14", "--policy", "random", "--mlpe", "--runs", "2",
			"--threads", threads), "the answer with --threads %s", threads)
	}
	other := clean("run", "fib", "14", "--policy", "random", "--mlpe", "--runs", "2", "--seed", "2")
	require.NotEqual(t, first["clocks"], other["clocks"], "the seed has to matter")
}

// The answer is the fastest run's. Its counters equal that run's rows in the files, and the rows add up to the totals.
func TestStatsAddUp(t *testing.T) {
	dir := t.TempDir()
	stats, series := filepath.Join(dir, "stats.csv"), filepath.Join(dir, "series.csv")
	x := jsonOf(t, "run", "fib", "15", "--policy", "random", "--mlpe", "--runs", "3", "--stats", stats,
		"--series", series, "--sample", "300")
	runs := x["runs"].([]any)
	for _, r := range runs {
		require.LessOrEqual(t, x["clocks"], r)
	}
	best := strconv.Itoa(1 + slices.Index(runs, x["clocks"]))
	clocks, pes := x["clocks"].(float64), x["pes"].(float64)

	sums := map[string]float64{}
	rows := readCSV(t, stats, columnsOf("stats"))
	for _, r := range rows {
		if v := number(t, r["value"]); r["run"] == best {
			sums[r["unit"]+"."+r["counter"]] += v
		}
	}
	require.Equal(t, 3*80*(len(machines.CountedFor(em4.OfPE, em4.OfSwitch))+3*len(machines.CountedFor(em4.OfLink)))+3,
		len(rows)) // Len would print all rows
	for state, share := range x["states"].(map[string]any) {
		require.InDelta(t, share.(float64)*clocks*pes, sums["pe."+state], 0.5, state)
	}
	packets := x["packets"].(map[string]any)
	require.Equal(t, packets["sent"], sums["pe.packets_sent"]+sums["host.packets_sent"])
	require.Equal(t, packets["spilled"], sums["pe.packets_spilled"])
	require.Equal(t, packets["hops"], sums["in_group.packets"]+sums["out_of_group.packets"])
	require.Equal(t, x["instructions"], sums["pe.instructions"])
	require.Equal(t, x["calls"], sums["pe.calls"])
	require.Equal(t, x["mlpe_calls"], sums["pe.mlpe_calls"])

	total := map[string]float64{}
	busy := 0.0
	for _, r := range readCSV(t, series, columnsOf("series")) {
		if r["run"] != best {
			continue
		}
		busy += number(t, r["busy_pes"]) * number(t, r["clocks"])
		for _, k := range []string{
			"clocks", "instructions", "calls", "mlpe_calls", "packets_sent", "packets_spilled",
			"hops",
		} {
			total[k] += number(t, r[k])
		}
		require.Equal(t, strconv.FormatFloat(total["clocks"], 'f', -1, 64), r["time"])
	}
	require.Equal(t, clocks, total["clocks"])
	require.Equal(t, x["instructions"], total["instructions"])
	require.Equal(t, x["calls"], total["calls"])
	require.Equal(t, x["mlpe_calls"], total["mlpe_calls"])
	require.Equal(t, packets["sent"], total["packets_sent"])
	require.Equal(t, packets["hops"], total["hops"])
	require.InEpsilon(t, x["pe_utilisation"].(float64)*pes*clocks, busy, 1e-4)
}

func readCSV(t *testing.T, file string, header []string) []map[string]string {
	t.Helper()
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Equal(t, header, all[0])
	var rows []map[string]string
	for _, line := range all[1:] {
		row := map[string]string{}
		for i, v := range line {
			row[header[i]] = v
		}
		rows = append(rows, row)
	}
	return rows
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	require.NoError(t, err)
	return v
}

// A link's row names the PE at the far end of the link.
func TestLinkEnds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "links.csv")
	jsonOf(t, "net", "traffic", "--pes", "32", "--clocks", "100", "--stats", file)
	topo, err := omega.ForPEs(32)
	require.NoError(t, err)
	seen := 0
	for _, r := range readCSV(t, file, columnsOf("stats")) {
		at := topo.Address(0)
		at.GA, at.CA = uint16(number(t, r["ga"])), uint8(number(t, r["ca"]))
		to := at
		if port := slices.Index([]string{"in_group", "out_of_group", "own"}[:], r["unit"]); port != omega.Own {
			to = topo.Next(at, port)
		}
		require.Equal(t, []float64{float64(to.GA), float64(to.CA)},
			[]float64{number(t, r["to_ga"]), number(t, r["to_ca"])})
		seen++
	}
	require.Equal(t, 32*3*2, seen)
}

// Every answer of 'machine show' can be read back, and gives the machine of a run with the same flags.
func TestMachineShowReadsBack(t *testing.T) {
	for _, flags := range [][]string{
		{},
		{"--pes", "12"},
		{"--set", "pes=1024", "--set", "burst_refill=false"},
		{"--pes", "192", "--set", "clock_ns=12.5"},
	} {
		status, text, errs := emsim(append([]string{"machine", "show"}, flags...)...)
		require.Zero(t, status, errs)
		file := filepath.Join(t.TempDir(), "m.toml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		want := jsonOf(t, append([]string{"run", "fib", "4"}, flags...)...)["knobs"]
		require.Equal(t, want, jsonOf(t, "run", "fib", "4", "--machine", file)["knobs"])
	}
}

// For any command line there is no panic, the status is one of the three exit statuses, and --json prints exactly one
// JSON value.
func TestAnyCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("m.toml", []byte("pes = 12\nhop_clocks = 2\n"), 0o600))
	require.NoError(t, os.WriteFile("bad.toml", []byte("pes = [\n"), 0o600))
	require.NoError(t, os.WriteFile("p.s", []byte(" .start main\nmain: out! r1\n"), 0o600))
	require.Zero(t, command([]string{"run", "fib", "6", "--pes", "12", "--checkpoint", "x.ckp", "--at", "100"}, nil,
		io.Discard, io.Discard))
	values := []string{
		"", "x.ckp", "y.ckp", "0", "-1", "1", "4", "12", "80", "1e3", "0x10", "nan",
		"99999999999999999999", "ring", "line", "m.toml", "bad.toml", "p.s", "no/such", "banks=1", "hop_clocks=9",
		"pes=12", "=", "a=b", "fifo_words=2", "mib_words=0", "segments=8", "policy=random", "uniform", "hotspot",
	}
	flags := []string{
		"--pes", "--set", "--machine", "--policy", "--param", "--seed", "--threads", "--runs", "--sample",
		"--series", "--stats", "--load", "--pattern", "--mlpe", "--drain", "--help", "-x", "--", "--profile",
		"--checkpoint", "--at", "--resume",
	}
	heads := [][]string{
		{"run"},
		{"run", "fib"},
		{"run", "fib", "6"},
		{"run", "p.s"},
		{"run", "--resume", "x.ckp"},
		{"net"},
		{"net", "traffic", "--clocks", "50"},
		{"machine"},
		{"machine", "show"},
		{"machine", "show", "m.toml"},
		{},
	}
	rapid.Check(t, func(t *rapid.T) {
		args := append([]string{}, rapid.SampledFrom(heads).Draw(t, "head")...)
		if args = append(args, "--json"); args[0] == "run" {
			args = append(args, "--max-clocks", "3000")
		}
		for range rapid.IntRange(0, 3).Draw(t, "flags") {
			if rapid.IntRange(0, 3).Draw(t, "kind") > 0 {
				args = append(args, rapid.SampledFrom(flags).Draw(t, "flag"))
			}
			args = append(args, rapid.SampledFrom(values).Draw(t, "value"))
		}
		if slices.Contains(args, "--profile") { // only one profile at a time per process
			return
		}
		status, out, errs := emsim(args...)
		require.Contains(t, []int{0, 1, 2}, status, "%q", args)
		if slices.Contains(args, "--help") || !slices.ContainsFunc(args, func(a string) bool {
			return a == "traffic" || a == "x.ckp" && args[1] == "--resume" || a == "show" || a == "fib" || a == "p.s"
		}) {
			return // help is text
		}
		require.True(t, json.Valid([]byte(out)), "%q: %s%s", args, out, errs)
		for line := range strings.Lines(errs) { // for example that no checkpoint was written
			require.True(t, strings.HasPrefix(line, "note: "), "%q: %s", args, line)
		}
		require.Equal(t, status != 0, strings.HasPrefix(out, "{\n  \"error\""), "%q: %s", args, out)
	})
}

// Every built-in program is found by its name and lists the arguments that it accepts.
func TestBuiltInPrograms(t *testing.T) {
	require.NotEmpty(t, programs.Names())
	for _, name := range programs.Names() {
		_, err := run.LoadProgram(name, nil)
		require.NoError(t, err, name)
		status, _, errs := emsim("run", name, "1", "2", "3", "4", "5", "6", "7", "8", "9")
		require.Equal(t, 2, status)
		require.Contains(t, errs, name+" takes ")
		_, help, _ := emsim("run", "--help")
		require.Regexp(t, "(?m)^  "+name+" [A-Z]+=", help)
	}
}

// A run prints which policy is known to be much faster, but only for the default policy, a large argument and the
// prototype's number of PEs.
func TestNoteOfAFasterPolicy(t *testing.T) {
	const note = "note: pi is more than twice as fast with --policy line"
	for line, says := range map[string]bool{
		"run pi 400": true, "run pi 100": false, "run pi 400 --pes 12": false, "run pi 400 --policy random": false,
		"run pi 400 --json": false, "run sum 17": false,
	} {
		status, _, stderr := emsim(strings.Fields(line)...)
		require.Zero(t, status, line)
		require.Equal(t, says, strings.Contains(stderr, note), "%s: %s", line, stderr)
	}
}

// If an assembly program runs out of segments, the error says which PEs are full, and which policies send calls to all
// PEs.
func TestOverflowSaysWhatSpreads(t *testing.T) {
	status, _, stderr := emsim("run", "pi", "400", "--set", "segments=8", "--set", "pes=80")
	require.NotZero(t, status)
	require.Regexp(t,
		`\n  full: \d+ of 80 PEs, \[\d+,\d\].*; segments free on the others: \d+\n  policies that send calls to all PEs: random, round-robin\n`, stderr)
	_, _, stderr = emsim("run", "pi", "400", "--set", "segments=1", "--policy", "random")
	require.NotContains(t, stderr, "policies that send")
}
