package sweep

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/base/interrupt"
	"emsim/internal/base/knob"
	"emsim/internal/machine/machines"
)

// others holds small sweeps of the other machines. Each sets the knobs that its answer repeats.
var others = map[string]string{
	"mnc": `
[[variant]]
name = "naive"
set = { policy = "naive" }
[[grid]]
machine = "mnc"
set = { pes = [3, 4], items = 300, loops = 10, slow = ["", "odd=400,0=200"] }
variant = "*"
`,
	"rhinet": `
[[variant]]
name = "heat"
set = { application = "heat", steps = 20 }
[[grid]]
machine = "rhinet"
set = { nodes = [2, 4], rows = 64, slice_on = "50ms" }
variant = "*"
seed = [1, 2]
`,
	"spmd": `
[[variant]]
name = "static"
set = { policy = "static", loaded = "3" }
[[grid]]
machine = "spmd"
set = { tasks = [30, 50], jitter = 0.25 }
variant = ["base", "static"]
seed = [1, 2]
`,
	"pdes": `
[[variant]]
name = "migrating"
set = { migrate_at = 1000 }
[[grid]]
machine = "pdes"
set = { slots = [40, 80], stages = 3, network = "torus" }
variant = "*"
seed = [1, 2]
`,
	"net": `
[[variant]]
name = "quick"
set = { hop_clocks = 1 }
[[grid]]
machine = "net"
set = { pes = [12, 32], load = 0.1, warm = 50, clocks = 300 }
variant = "*"
seed = [1, 2]
`,
}

// The table has the knobs that the file names and the numbers of the answers, for any number of workers. A result's
// file has the whole answer.
func TestMachines(t *testing.T) {
	for kind, text := range others {
		p := plan(t, text)
		require.Equal(t, kind, p.Kind)
		require.Len(t, p.Points, 8)
		dir := t.TempDir()
		one := sweep(t, dir, p, 1)
		require.Equal(t, string(one), string(sweep(t, t.TempDir(), p, 3)), kind)
		for i, row := range rows(t, one) {
			x := &p.Points[i]
			require.Regexp(t, "^"+kind+"-[0-9a-f]{16}$", x.ID)
			require.Equal(t, kind, row["machine"])
			require.Equal(t, "ok", row["outcome"])
			if row["variant"] == base {
				require.Equal(t, "1.0000", row[machines.ModelOf(kind).Time+"_ratio"], kind)
			} else {
				require.NotContains(t, []string{"", "1.0000"}, row[machines.ModelOf(kind).Time+"_ratio"], kind)
			}
			m, err := x.machine()
			require.NoError(t, err)
			answer, err := machines.Run(t.Context(), m, machines.Watch{})
			require.NoError(t, err)
			want, err := json.Marshal(answer)
			require.NoError(t, err)
			var keys map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(want, &keys))
			for _, n := range machines.Numbers(kind) {
				require.Equal(t, strings.TrimPrefix(string(keys[n.Key]), "null"), row[n.Key], "%s: %s", kind, n.Key)
			}
			for _, r := range m.Rows {
				if slices.Contains(p.Knobs, r.Key) {
					require.Equal(t, r.Text(), row[r.Key], "%s: %s", kind, r.Key)
				}
			}
			file, err := os.ReadFile(filepath.Join(dir, x.ID+".json"))
			require.NoError(t, err)
			var result struct{ Answer json.RawMessage }
			require.NoError(t, json.Unmarshal(file, &result))
			require.JSONEq(t, timeless(want), timeless(result.Answer))
		}
	}
}

// timeless replaces the times in an answer by 0.
func timeless(text []byte) string {
	return regexp.MustCompile(`"(wall_seconds|[a-z_]+_per_second)": ?[0-9.e+-]+`).
		ReplaceAllString(string(text), `"$1":0`)
}

// A number that the answer shares with a knob has one column in the table, the knob's. Both must have the same meaning.
func TestNumbersThatAreKnobs(t *testing.T) {
	for kind, text := range others {
		p := plan(t, text)
		k, _ := machines.KindOf(kind)
		for _, n := range machines.Numbers(kind) {
			if _, ok := knob.Find(k.NewMachine().Rows, n.Key); ok {
				require.Contains(t, append(p.Knobs, "stages"), n.Key, "%s: TestMachines has to compare them", kind)
			}
		}
		var names []string
		for _, c := range p.Columns() {
			require.NotContains(t, names, c.Name, kind)
			require.NotEmpty(t, c.Doc, "%s: %s", kind, c.Name)
			names = append(names, c.Name)
		}
	}
}

// A sweep that was stopped after some points continues with the others.
func TestMachinesResume(t *testing.T) {
	for kind, text := range others {
		p := plan(t, text)
		want := sweep(t, t.TempDir(), p, 1)
		dir := t.TempDir()
		s := store(t, dir)
		ctx, cancel := context.WithCancel(t.Context())
		x := survey(t, s, p)
		err := s.Run(ctx, x, 1, func(g Progress) {
			if g.Ran == 3 {
				cancel()
			}
		})
		require.ErrorAs(t, err, new(*interrupt.Error), kind)
		before := times(t, dir)
		require.Len(t, before, 3)
		require.Len(t, survey(t, s, p).Missing, 5)
		require.Equal(t, string(want), string(sweep(t, dir, p, 2)), kind)
		for name, at := range before {
			require.Equal(t, at, times(t, dir)[name], "written once")
		}
	}
}

// A list of strings is a single value of a knob that takes lists.
func TestListsOfStrings(t *testing.T) {
	p := plan(t, `
[[variant]]
name = "slow"
set = { slow = ["odd=400", "0=200"] }
[[variant]]
name = "also slow"
set = { slow = "odd=400,0=200" }
[[grid]]
machine = "mnc"
variant = ["slow", "also slow"]
[[grid]]
machine = "mnc"
set = { slow = [["odd=400", "0=200"], [], "odd=400"] }
`)
	require.Len(t, p.Points, 5)
	require.Equal(t, "emsim mnc run --set slow=odd=400,0=200", p.Points[0].Command())
	require.Equal(t, p.Points[0].ID, p.Points[1].ID)
	require.Equal(t, p.Points[0].ID, p.Points[2].ID)
	require.Equal(t, "emsim mnc run --set slow=", p.Points[3].Command())
	require.Equal(t, "emsim mnc run --set slow=odd=400", p.Points[4].Command())
}

// Only the numbers of a stored answer stay in memory.
func TestLighten(t *testing.T) {
	p := plan(t, others["rhinet"])
	s := store(t, t.TempDir())
	x := survey(t, s, p)
	require.NoError(t, s.Run(t.Context(), x, 2, nil))
	for id, r := range x.Results {
		again := survey(t, s, p).Results[id]
		require.Equal(t, r.values, again.values)
		require.Len(t, r.values, len(machines.Numbers("rhinet"))+1)
		require.Positive(t, r.number(wallKey))
	}
}

// A result without an answer is rejected.
func TestMachinesDamaged(t *testing.T) {
	p := plan(t, others["spmd"])
	dir := t.TempDir()
	want := sweep(t, dir, p, 1)
	s := store(t, dir)
	file := s.pointFile(&p.Points[2])
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, answer := range []string{"null", "3", "[]"} {
		cut := regexp.MustCompile(`(?s)"answer": \{.*\}`).ReplaceAllString(string(text), `"answer": `+answer+"\n}")
		require.NotEqual(t, string(text), cut)
		require.NoError(t, os.WriteFile(file, []byte(cut), 0o600))
		x := survey(t, s, p)
		require.Len(t, x.Missing, 1, answer)
		require.Equal(t, []string{"1 of the results in " + dir + " are damaged (" + filepath.Base(file) + ")"}, x.Again)
	}
	require.Equal(t, string(want), string(sweep(t, dir, p, 1)))
}

// A run that the machine itself ends is a result without numbers.
func TestMachineOutcomes(t *testing.T) {
	for want, text := range map[string]string{
		"stalled":        `machine = "mnc"` + "\n" + `set = { pes = 2, items = 100, dead_at = "10:1", stall = 50_000 }`,
		"max_clocks":     `machine = "pdes"` + "\n" + `set = { slots = 100, max_clocks = 50 }`,
		"no_migration":   `machine = "pdes"` + "\n" + `set = { slots = 10, migrate_at = 1_000_000 }`,
		"no_convergence": `machine = "rhinet"` + "\n" + `set = { nodes = 2, rows = 64, max_loops = 1 }`,
	} {
		p := plan(t, "[[grid]]\n"+text)
		s := store(t, t.TempDir())
		x := survey(t, s, p)
		require.NoError(t, s.Run(t.Context(), x, 1, nil), want)
		require.NotEmpty(t, x.Results[p.Points[0].ID].Message)
		table, err := p.CSV(survey(t, s, p).Results)
		require.NoError(t, err)
		row := rows(t, table)[0]
		require.Equal(t, want, row["outcome"])
		ran := machines.ModelOf(p.Kind).Time
		require.Equal(t, []string{"", ""}, []string{row[ran], row[ran+"_ratio"]})
	}
}

// A number that is null in the answer becomes an empty cell.
func TestMachineWithoutMean(t *testing.T) {
	p := plan(t, "[[grid]]\nmachine = \"pdes\"\nset = { slots = 40, load = [0, 0.8] }\n")
	table := rows(t, sweep(t, t.TempDir(), p, 1))
	require.Equal(t, []string{"ok", "0", ""},
		[]string{table[0]["outcome"], table[0]["sunk"], table[0]["delay_mean_slots"]})
	require.NotEmpty(t, table[1]["delay_mean_slots"])
}

// Files are relative to the sweep file. A point's ID changes with every knob, whatever the source of its value, and
// with nothing else.
func TestMachineFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.toml"), []byte("machine = \"spmd\"\ntasks = 5\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "spmd"), 0o700)) // "spmd" still means the kind
	p, err := Read(filepath.Join(dir, "x.toml"),
		[]byte("[[grid]]\nmachine = [\"m.toml\", \"spmd\"]\nset.tasks = [6, 5]\n[[grid]]\nmachine = \"m.toml\"\n"+
			"seed = [1, 2]\n"))
	require.NoError(t, err)
	require.Len(t, p.Points, 6)
	require.Equal(t, "emsim spmd run --machine "+filepath.Join(dir, "m.toml")+" --set tasks=6", p.Points[0].Command())
	require.Equal(t, "emsim spmd run --set tasks=5", p.Points[3].Command())
	require.Equal(t, "spmd tasks=5", p.Points[3].Label())
	require.Equal(t, p.Points[1].ID, p.Points[3].ID)
	require.Equal(t, p.Points[1].ID, p.Points[4].ID)
	require.NotEqual(t, p.Points[0].ID, p.Points[1].ID)
	require.NotEqual(t, p.Points[4].ID, p.Points[5].ID)
	table := rows(t, sweep(t, t.TempDir(), p, 1))
	require.Equal(t, []string{"m.toml", "5", "2"}, []string{table[5]["machine"], table[5]["tasks"], table[5]["seed"]})

	text, err := p.Sidecar("x.csv", "emsim sweep x.toml", "", Version{},
		survey(t, store(t, t.TempDir()), p).results(t, p))
	require.NoError(t, err)
	var s Sidecar
	require.NoError(t, json.Unmarshal(text, &s))
	require.NotContains(t, string(text), "program_sha256")
	require.Len(t, s.Machines, 3)
	require.Equal(t, "5", string(s.Machines[s.Points[4].Machine]["tasks"]))
	require.InDelta(t, 1.5, s.Points[0].WallSeconds, 0)
}

// results gives every point a result.
func (x *Survey) results(t *testing.T, p *Plan) map[string]*Result {
	t.Helper()
	for i := range p.Points {
		x.Results[p.Points[i].ID] = &Result{
			Outcome: OK, values: map[string]json.RawMessage{wallKey: json.RawMessage("1.5")},
		}
	}
	return x.Results
}

func TestMachineErrors(t *testing.T) {
	const mnc = "[[grid]]\nmachine = \"mnc\"\n"
	const rhinet = "[[grid]]\nmachine = \"rhinet\"\n"
	const fib = "[[grid]]\nprogram = \"fib 5\"\n"
	for _, c := range []struct{ text, want string }{
		{
			"[[grid]]\nmachine = \"mcn\"\nset.items = 3",
			"test.toml:2:11: no machine and no file is called \"mcn\": expected em4, mnc, rhinet, spmd, pdes, net, " +
				"balance, a preset of the EM-4 (emc-r, 12, 80, 1024) or a machine file; did you mean \"mnc\"?\n" +
				"    machine = \"mcn\"\n              ^~~~~",
		},
		{"[[grid]]\nmachine = \"none.toml\"", "2:11: no machine and no file is called \"none.toml\""},
		{"[[grid]]\nmachine = \"mcn\"\nprogram = \"fib 5\"", "2:11: no machine and no file is called \"mcn\": expected emc-r, 12, 80, 1024 or a TOML file"},
		{fib + "file.work = \"x\"", "3:1: a grid has no key \"file\""},
		{mnc + "set = { item = 3 }", "3:9: an MNC computer has no knob \"item\"; did you mean \"items\"?\n    set = { item = 3 }\n            ^~~~"},
		{mnc + "set = { items = \"many\" }", "3:17: items must be a number of data, not \"many\"\n"},
		{mnc + "set = { items = true }", "3:17: items must be a number of data, not \"true\"\n"},
		{mnc + "set = { pes = [16, 1025] }", "3:20: pes is 1025, it must be 1..1024 PEs\n"},
		{mnc + "set = { slow = \"16=200\", pes = 16 }", "3:16: slow: \"16=200\": expected PEs from 0 to 15"},
		{mnc + "set = { pes = [16, 17], slow = [\"16=200\"] }", "3:33: slow: \"16=200\": expected PEs from 0 to 15 (with pes=16, slow=16=200)"},
		{mnc + "set.slow = [[\"odd=400\", 3]]", "3:5: slow is a number, a string, true or false, not a list"},
		{mnc + "set.pes = [[4]]", "3:5: pes is a number, a string, true or false, not a list"},
		{mnc + "set = { stall = 10, pes = 2 }", "3:17: mnc: Stall is 10 clocks: expected more than"},
		{
			rhinet + "set.slice_on = \"2ms\"",
			"1:3: rhinet: program's slice 2ms less jitter 30ms: " +
				"the shortest slice has to be 1µs to 1h0m0s (with slice_on=2ms)",
		},
		{mnc + "set = { policy = \"best\" }", "3:18: policy is one of auto, naive, none, not \"best\""},
		{mnc + "pes = 16", "3:1: pes is a knob of the MNC computer: write set = {pes = ...}\n    pes = 16\n    ^~~"},
		{mnc + "seed = 1", "3:1: a grid of the MNC computer has no key \"seed\"; it has machine, set, variant, file"},
		{mnc + "program = \"fib 5\"", "3:1: a grid of the MNC computer has no key \"program\"; it has machine, set, variant, file"},
		{rhinet + "runs = 2", "3:1: a grid of the RHiNET-2 cluster has no key \"runs\"; it has machine, set, variant, seed, file"},
		{rhinet + "set.seed = 2", "3:5: the seeds are a separate list of the grid: seed = [...] next to set"},
		{rhinet + "seed = [1, -1]", "seed is -1, it must be at least 0"},
		{rhinet + "[[grid]]\nset.nodes = 8", "3:3: the grid has no machine: machine = \"rhinet\""},
		{
			rhinet + fib, "3:3: the machine emc-r has the kind \"em4\", but the first grid has the kind \"rhinet\": " +
				"a table has one kind of machine, so write a sweep file for each",
		},
		{rhinet + "[[grid]]\nmachine = \"spmd\"", "4:11: the machine spmd has the kind \"spmd\", but the first grid"},
		{"[[grid]]\nmachine = [\"rhinet\", \"80\"]", "2:22: the machine 80 has the kind \"em4\", but"},
		{fib + mnc, "4:11: the machine mnc has the kind \"mnc\", but the first grid has the kind \"em4\""},
		{fib + "machine = [\"emc-r\", \"mnc\"]", "3:21: the machine mnc has the kind \"mnc\", but"},
		{mnc + "[[grid]]\nmachine = \"none\"", "4:11: no machine and no file is called \"none\": expected mnc or a TOML file"},
		{"max_clocks = 9\n" + mnc, "1:14: max_clocks bounds runs of the EM-4, and this file is about the MNC computer: leave it out"},
		{"max_clocks = 9\n[[grid]]\nmachine = \"pdes\"", "1:14: max_clocks is a knob of the PDES machine: write set = {max_clocks = 9} in the grid"},
		{
			"[[variant]]\nname = \"v\"\nset.pes = 8\nparam.x = 1\n" + mnc,
			"4:1: a variant of the MNC computer has no key \"param\"; it has name, set, together, file",
		},
		{"[[variant]]\nname = \"v\"\nset.fifo_words = 8\n" + mnc, "3:5: an MNC computer has no knob \"fifo_words\""},
		{"[[variant]]\nname = \"v\"\nset.pes = 8\n" + mnc + "variant = \"v\"\nset.pes = 4", "the variant \"v\" chooses pes, and so does the grid"},
	} {
		_, err := Read("test.toml", []byte(c.text))
		require.ErrorContains(t, err, c.want, "for %q", c.text)
		require.Equal(t, 1, strings.Count(err.Error(), "test.toml:"), "one mistake, one error: %v", err)
	}
}
