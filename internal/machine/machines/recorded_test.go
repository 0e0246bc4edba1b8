package machines

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"emsim/internal/base/answer"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
	"emsim/omega"
)

// recordedRuns lists the runs of TestRecorded.
var recordedRuns = []struct {
	kind string
	set  string
	file File
}{
	{kind: "mnc", set: "policy=off"},
	{kind: "mnc", set: "policy=none"},
	{kind: "mnc", set: "dead_at=3000:2"},
	{
		kind: "mnc", set: "pes=16 topology=net16",
		file: File{Flag: "work", Name: "w", Text: []byte("0 2 50 20\n7 source 9 3\n")},
	},
	{kind: "rhinet", set: "nodes=8 policy=glb loaded=one application=sor rows=32"},
	{kind: "rhinet", set: "nodes=8 network=ethernet policy=igdlb loaded=two"},
	{kind: "spmd", set: "loaded=1,2 policy=static"},
	{kind: "spmd", set: "tasks=3 loaded=1", file: File{Flag: "topology", Name: "pair", Text: []byte("0>1\n1>0\n")}},
	{kind: "pdes", set: "map=anneal objective=load"},
	{kind: "pdes", set: "migrate_at=500 interval=700 slots=200 map=round-robin"},
	{
		kind: "pdes", set: "migrate_at=-1",
		file: File{Flag: "graph", Name: "g", Text: []byte("lp a 100\nlp b 200\nchannel a b 2\n")},
	},
	{kind: "net", set: "pattern=hotspot load=0.7 warm=100"},
	{kind: "net", set: "load=0 pes=5"},
}

// The descriptions of the machines, and complete answers of small runs of many kinds with their tables, equal the
// recorded ones.
func TestRecorded(t *testing.T) {
	var out strings.Builder
	wall := regexp.MustCompile(`"(wall_seconds|[a-z_]+_per_second)":[^,}]*`)
	record := func(what string, x any) {
		text, err := json.Marshal(x)
		require.NoError(t, err)
		fmt.Fprintf(&out, "%s: %s\n", what, wall.ReplaceAll(text, nil))
	}
	for _, name := range slices.Sorted(maps.Keys(small)) {
		m := models[name]
		record(name, []any{
			m.Use, m.Short, m.Long, m.Example, m.Time, m.Ends, m.Sampling, m.Rows, m.Switches, m.Threads,
			Numbers(name),
		})
		for _, f := range m.Files {
			record(name+" --"+f.Flag, f)
		}
	}
	for _, c := range recordedRuns {
		m := machine(t, c.kind)
		what := c.kind + " " + c.set + " " + c.file.Name
		err := m.Set(strings.Fields(c.set))
		if err == nil {
			var files []File
			if c.file.Flag != "" {
				files = append(files, c.file)
			}
			err = GiveFiles(m, files)
		}
		if err != nil {
			fmt.Fprintf(&out, "%s: %v\n", what, err)
			continue
		}
		seen, rows := sha256.New(), 0
		every := int64(7_777) // in clocks, or nanoseconds
		if c.kind == "rhinet" || c.kind == "spmd" {
			every *= 1000
		}
		write := func(cells ...any) { rows++; fmt.Fprintln(seen, cells...) }
		watch := Watch{
			On: map[string]bool{"each": true}, Every: every,
			Rows: map[string]func(cells ...any){"series": write, "events": write},
		}
		said, err := Run(t.Context(), m, watch)
		if err != nil { // the run stalled
			fmt.Fprintf(&out, "%s: %v\n", what, err)
		}
		record("seen", []any{rows, fmt.Sprintf("%.8x", seen.Sum(nil))})
		if said == nil {
			continue
		}
		record(what, []any{said.Title, said.SoFar, said.Keys, said.Lists, said, models[c.kind].IdleKnobs(m.Config)})
	}
	full := network(12, omega.Hotspot, 0.9)
	tr, err := full.Build()
	require.NoError(t, err)
	net, err := (&Traffic{Traffic: tr}).Measure(t.Context(), &full, true)
	require.NoError(t, err)
	require.Zero(t, net.Queued+net.InFlight)
	drained := &answer.Answer{}
	net.describe(drained)
	record("drained", drained)
	for _, s := range []NetSetup{network(12, omega.Uniform, 0), network(12, omega.Hotspot, 0)} {
		c, err := RunCurve(t.Context(), s, 1)
		require.NoError(t, err)
		record("curve", c)
	}
	golden.Check(t, "recorded.txt", []byte(out.String()))
}
