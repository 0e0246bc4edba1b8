package sweep

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// own writes a user's own files into the current folder.
func own(t *testing.T, files map[string]string) {
	t.Helper()
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
}

var ownFiles = map[string]string{
	"in/a.txt": "lp x 100\nlp y 100\nchannel x y 1\n", "in/b.txt": "lp x 900\nlp y 100\n", "in/m.txt": "x 1\ny 1\n",
	"in/ring.txt": "0 > 1\n1 > 0\n", "in/hosts.txt": "tasks 1 3\n",
	"in/w.mnc":   "source a\nsink b\nqpr a: 0 1\nqpr b: 0 1\n",
	"in/two.mnc": "source a\nsink b\nqpr a: 0 1\nqpr b: 0 2\n", "in/work.txt": "0 2 50 20\n",
	"in/load.txt": "load 1 0s end\n",
}

// A grid varies users' own files like knobs. The command has the path, and the table has the name. The contents of the
// files determine which run it is.
func TestOwnFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	own(t, ownFiles)
	text := []byte(`
[[variant]]
name = "together"
file = {map = "m.txt"}
[[grid]]
machine = "pdes"
set = {slots = 60, shape = "2"}
file = {graph = ["a.txt", "b.txt"]}
variant = "*"
`)
	plan, err := Read("in/s.toml", text)
	require.NoError(t, err)
	require.Equal(t, []string{"graph"}, plan.Files)
	require.Equal(t, []string{"slots", "shape", "map"}, plan.Knobs)
	require.Len(t, plan.Points, 4)
	require.Equal(t, "emsim pdes run --set slots=60 --set shape=2 --graph in/b.txt --map in/m.txt",
		plan.Points[3].Command())
	require.Equal(t, 2, plan.Cells[3].Base)

	dir := t.TempDir()
	table := rows(t, sweep(t, dir, plan, 1))
	for i, want := range []map[string]string{
		{"map": "conventional", "graph": "a.txt", "variant": "base"},
		{"map": "m.txt", "graph": "a.txt", "variant": "together"},
		{"map": "conventional", "graph": "b.txt", "variant": "base"},
		{"map": "m.txt", "graph": "b.txt", "variant": "together"},
	} {
		for name, value := range want {
			require.Equal(t, value, table[i][name])
		}
	}
	require.NotEqual(t, "1.0000", table[3]["clocks_ratio"], "together they take longer")
	st := store(t, dir)
	sidecar, err := plan.Sidecar("t.csv", "c", `{"version":"0"}`, st.Version, survey(t, st, plan).Results)
	require.NoError(t, err)
	require.Contains(t, string(sidecar), `"name": "b.txt"`)

	idsOf := func() (list []string) {
		for _, p := range plan.Points {
			list = append(list, p.ID)
		}
		return list
	}
	ids := idsOf()
	own(t, map[string]string{"in/a.txt": ownFiles["in/a.txt"] + "# the same run, but who knows\n"})
	plan, err = Read("in/s.toml", text)
	require.NoError(t, err)
	require.NotEqual(t, ids[:2], idsOf()[:2])
	require.Equal(t, ids[2:], idsOf()[2:])
}

// Every machine takes its files and is checked with them.
func TestOwnFilesOfEveryMachine(t *testing.T) {
	t.Chdir(t.TempDir())
	own(t, ownFiles)
	for text, want := range map[string]string{
		`machine = "spmd"
file = {topology = "ring.txt", hosts = "hosts.txt"}
set = {loaded = "none", tasks = 5}`: "spmd,none,5,ring.txt,hosts.txt,base,ok,",
		`machine = "mnc"
file = {incidence = "two.mnc", work = "work.txt"}`: "mnc,two.mnc,work.txt,base,ok,",
		`machine = "rhinet"
file = {hosts = "load.txt"}
set = {nodes = 2, rows = 64}`: "rhinet,2,64,load.txt,base,ok,",
	} {
		plan, err := Read("in/s.toml", []byte("[[grid]]\n"+text+"\n"))
		require.NoError(t, err, text)
		_, row, _ := strings.Cut(string(sweep(t, t.TempDir(), plan, 1)), "\n")
		require.True(t, strings.HasPrefix(row, want), "%s\n%s", want, row)
	}
}

// Errors in the sweep and in its files have places in the sweep.
func TestBadOwnFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	own(t, ownFiles)
	own(t, map[string]string{"in/bad.txt": "lp x 0\n"})
	for text, want := range map[string]string{
		"file = {grap = \"a.txt\"}":                                  `s.toml:3:9: a PDES machine takes no file "grap"; did you mean "graph"?`,
		"file = {graph = \"\"}":                                      `s.toml:3:17: which file of --graph?`,
		"file = {graph = \"no.txt\"}":                                `s.toml:3:17: open in/no.txt: no such file`,
		"file = {graph = [\"a.txt\", \"bad.txt\"]}":                  `s.toml:3:27: bad.txt:1:6: "0" is not a number of clocks`,
		"file = {graph = \"a.txt\"}\nset = {stages = 3}":             `s.toml:4:8: the file graph decides stages: leave one of them out`,
		"file = {map = \"m.txt\"}":                                   `s.toml:3:15: m.txt:1:1: no LP is called x`,
		"file = {map = \"m.txt\"}\nset = {map = \"greedy\"}":         `s.toml:4:8: the file map decides map`,
		"file = \"a.txt\"":                                           `s.toml:3:8: file is a table`,
		"file = {graph = \"a.txt\", map = \"m.txt\"}\nfiles = \"x\"": `s.toml:4:1: a grid of`,
	} {
		_, err := Read("in/s.toml", []byte("[[grid]]\nmachine = \"pdes\"\n"+text+"\n"))
		require.ErrorContains(t, err, want, text)
	}
	_, err := Read("in/s.toml", []byte("[[variant]]\nname = \"v\"\nfile = {graph = \"b.txt\"}\n[[grid]]\nmachine = "+
		"\"pdes\"\nfile = {graph = \"a.txt\"}\nvariant = \"v\"\n"))
	require.ErrorContains(t, err, `the variant "v" chooses graph, and so does the grid`)
	_, err = Read("in/s.toml", []byte("[[grid]]\nmachine = \"net\"\nfile = {graph = \"a.txt\"}\n"))
	require.ErrorContains(t, err, `has no key "file"`)
}

// If a number is missing in some runs of a cell, the cell has no mean of it. Nothing is compared with a time of 0.
func TestCellsWithoutNumbers(t *testing.T) {
	t.Chdir(t.TempDir())
	own(t, map[string]string{"none.txt": "tasks 0-6 0\n"})
	plan, err := Read("s.toml", []byte("seeds = 12\n[[grid]]\nmachine = \"pdes\"\nset = {slots = 8, load "+
		"= [0.01, 0.8]}\n"))
	require.NoError(t, err)
	table := rows(t, sweep(t, t.TempDir(), plan, 1))
	require.Empty(t, table[0]["delay_mean_slots"], "no cell left in some of the runs")
	require.NotEqual(t, "0", table[0]["sunk_max"], "in others some did")
	require.NotEmpty(t, table[1]["delay_mean_slots"])

	plan, err = Read("s.toml", []byte("seeds = 2\n[[variant]]\nname = \"static\"\nset = {policy = "+
		"\"static\"}\n[[grid]]\nmachine = \"spmd\"\nfile = {hosts = \"none.txt\"}\nvariant = \"*\"\n"))
	require.NoError(t, err)
	for _, row := range rows(t, sweep(t, t.TempDir(), plan, 1)) {
		require.Equal(t, []string{"ok", "0", "", ""},
			[]string{row["outcome"], row["finish_s"], row["finish_s_ratio"], row["compared"]})
	}
}
