package sweep

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/simerr"
	"emsim/internal/base/srcerr"
	_ "emsim/internal/dev/garbage"
	"emsim/internal/dev/golden"
	"emsim/internal/machine/run"
)

const fib = "[[grid]]\nprogram = \"fib 5\"\npes = 12\n"

// Values just below and just above the range of a knob are rejected, with the range and the place of the value.
func TestKnobRanges(t *testing.T) {
	c := em4.Prototype80()
	tried := 0
	for _, k := range em4.Knobs() {
		if _, ok := k.Ref(&c).(*int); !ok || k.Key == "pes" {
			continue
		}
		for _, v := range []int64{k.Min - 1, k.Max + 1} {
			_, err := Read("x.toml", fmt.Appendf(nil, "%sset.%s = %d\n", fib, k.Key, v))
			require.ErrorContains(t, err, fmt.Sprintf("x.toml:4:%d: %s is %d, it must be %d..%d %s", len(k.Key)+8,
				k.Key, v, k.Min, k.Max, k.Unit))
		}
		for _, v := range []int64{k.Min, k.Max} {
			_, err := Read("x.toml", fmt.Appendf(nil, "%sset.%s = %d\n", fib, k.Key, v))
			if err != nil { // it may not fit the other knobs
				require.NotContains(t, err.Error(), "it must be "+strconv.FormatInt(k.Min, 10)+"..")
			}
		}
		tried++
	}
	require.Greater(t, tried, 10)
}

// The file's own numbers are accepted at the ends of their ranges, and rejected beyond.
func TestNumberRanges(t *testing.T) {
	for _, good := range []string{"max_clocks = 0\n" + fib, "max_clocks = 9223372036854775807\n" + fib, fib +
		"seed = 0", fib + "seed = 9223372036854775807", fib + "runs = 1", fib + "runs = 1000"} {
		_, err := Read("x.toml", []byte(good))
		require.NoError(t, err, good)
	}
	for text, want := range map[string]string{
		"max_clocks = -1\n" + fib:                  "x.toml:1:14: max_clocks is -1, it must be at least 0",
		fib + "seed = [0, -1]":                     "x.toml:4:12: seed is -1, it must be at least 0",
		fib + "runs = [1, 0]":                      "x.toml:4:12: runs is 0, it must be at least 1",
		"[[grid]]\nprogram = \"fib 5\"\npes = 0\n": "x.toml:3:7: pes is 0, it must be at least 1",
		fib + "seed = true":                        "x.toml:4:8: seed is a whole number, not true",
		fib + "runs = {a = 1}":                     "runs is a whole number, not a table",
		fib + "seed = 1979-05-27":                  "seed is a whole number, not a date",
	} {
		_, err := Read("x.toml", []byte(text))
		require.ErrorContains(t, err, want, text)
	}
}

// For a file with many errors, the first twenty are reported, ordered by place and without repetition.
func TestManyErrors(t *testing.T) {
	var b strings.Builder
	b.WriteString(fib)
	for i := range 30 {
		fmt.Fprintf(&b, "nonsense_%02d = 1\n", i)
	}
	_, err := Read("x.toml", []byte(b.String()))
	var all srcerr.Errors
	require.ErrorAs(t, err, &all)
	require.Len(t, all, 21, "the last one says that there may be more")
	for i, e := range all[:20] {
		require.Equal(t, 4+i, e.Line)
	}
}

// The limit of points applies to the whole file, not to each grid.
func TestPointsAddUp(t *testing.T) {
	list := func(n, step int) string {
		var words []string
		for i := range n {
			words = append(words, strconv.Itoa(step*(i+1)))
		}
		return "[" + strings.Join(words, ", ") + "]"
	}
	_, err := Read("x.toml", []byte(fib+"seed = "+list(1000, 1)+"\nruns = "+list(1001, 1)+"\n"))
	require.ErrorContains(t, err, "x.toml:1:3: the grid has more than 1000000 points")
	_, err = Read("x.toml", []byte(fib+fib+"seed = "+list(1000, 1)+"\nruns = "+list(1000, 1)+"\n"))
	require.ErrorContains(t, err, "x.toml:4:3: the grid has more than 1000000 points", "one is there already")
	lists := func(n ...int) (all [][]setting) {
		for _, k := range n {
			all = append(all, make([]setting, k))
		}
		return all
	}
	require.Equal(t, 201_000, count(lists(1, 1, 1, 1, 1000, 201), maxPoints))
	require.Equal(t, 1_000_000, count(lists(1000, 1, 1000), maxPoints))
	require.Equal(t, 1_001_000, count(lists(1000, 1001, 1<<20), maxPoints))
	require.Zero(t, count(lists(3, 0, 5), maxPoints))
	p, err := Read("x.toml", []byte(fib+"seed = "+list(40, 1)+"\n"))
	require.NoError(t, err)
	require.Len(t, p.Points, 40)
	require.Equal(t, []uint64{1, 40}, []uint64{p.Points[0].Spec.Seed, p.Points[39].Spec.Seed})
}

// The command line of a point repeats its run: it has every choice that is not the default, quoted for the shell.
func TestCommands(t *testing.T) {
	pes := 12
	for _, c := range []struct {
		change func(p *Point)
		want   string
	}{
		{func(*Point) {}, "emsim run fib 5"},
		{func(p *Point) { p.Spec.Machine.Name = "80" }, "emsim run fib 5 --machine 80"},
		{func(p *Point) { p.Spec.PEs = &pes }, "emsim run fib 5 --pes 12"},
		{
			func(p *Point) { p.Spec.Params = map[string]string{"z": "1", "a": "2"} },
			"emsim run fib 5 --param a=2 --param z=1",
		},
		{
			func(p *Point) { p.Spec.Sets = []string{"banks=1", "hop_clocks=2"} },
			"emsim run fib 5 --set banks=1 --set hop_clocks=2",
		},
		{func(p *Point) { p.Spec.Seed = 0 }, "emsim run fib 5 --seed 0"},
		{func(p *Point) { p.Runs = 3 }, "emsim run fib 5 --runs 3"},
		{func(p *Point) { p.Spec.MaxClocks = 1 }, "emsim run fib 5 --max-clocks 1"},
		{func(p *Point) { p.Spec.Args = []string{"7", "-3"} }, "emsim run fib -- 7 -3"},
		{func(p *Point) { p.Spec.Program = "my dir/it's.s" }, `emsim run 'my dir/it'\''s.s' 5`},
		{func(p *Point) { p.Spec.Program = "a~b.s" }, `emsim run 'a~b.s' 5`},
	} {
		p := &Point{
			Kind: "em4", Program: "fib", Variant: base, Runs: 1,
			Spec: run.Spec{Program: "fib", Args: []string{"5"}, Seed: 1},
		}
		p.Spec.Machine.Name = "emc-r"
		c.change(p)
		require.Equal(t, c.want, p.Command())
	}
	p := &Point{Kind: "em4", Program: "fib", Variant: base, Config: em4.Small12(), Spec: run.Spec{Args: []string{"5"}}}
	require.Equal(t, "fib 5 on 12 PEs", p.Label())
	p.Variant = "deep"
	require.Equal(t, "fib 5 on 12 PEs, deep", p.Label())
	for want, all := range map[string]map[string]json.RawMessage{
		"":                    {"result": json.RawMessage("[]")},
		"7":                   {"result": json.RawMessage("[7]")},
		"1 2 3 4":             {"result": json.RawMessage("[1,2,3,4]")},
		"1 2 3 4 ... 5 words": {"result": json.RawMessage("[1,2,3,4,5]")},
		"-2":                  {"result": json.RawMessage("[4294967294]"), "type": json.RawMessage(`"int32"`)},
	} {
		text, ok := answerText(all, 12)
		require.True(t, ok)
		require.Equal(t, want, text)
	}
}

// The table has these contents, column by column, and so has the sidecar.
func TestColumnsAndSidecar(t *testing.T) {
	p := plan(t, `
title = "Two machines"
[[variant]]
name = "deep"
set = { fifo_words = 64 }
[[grid]]
program = "fib 5"
pes = 12
variant = "*"
param = { policy = "ring" }
set.banks = 2
[[grid]]
program = "sum 100"
pes = 12
`)
	p.Params = append(p.Params, "clocks", "banks") // names that other columns have already
	results := map[string]*Result{}
	for i := range p.Points {
		results[p.Points[i].ID] = &Result{
			Outcome: OK,
			values:  map[string]json.RawMessage{wallKey: fmt.Appendf(nil, "%d.5", i)},
		}
	}
	last := p.Points[len(p.Points)-1].ID
	results[last] = &Result{Outcome: "deadlock", Message: "nothing moves"}
	var b strings.Builder
	for _, c := range p.Columns()[:len(p.Columns())-len(em4.StatisticsIn(em4.InSweep))] {
		fmt.Fprintf(&b, "%s [%s] %s\n", c.Name, c.Unit, c.Doc)
	}
	text, err := p.Sidecar("/some/where/two.csv", "emsim sweep two.toml",
		"", Version{Executable: "e", Revision: "r", Go: "g", System: "s"}, results)
	require.NoError(t, err)
	var s Sidecar
	require.NoError(t, json.Unmarshal(text, &s))
	require.Equal(t, []string{"test.toml", p.SHA256, "Two machines", "two.csv", "emsim sweep two.toml"},
		[]string{s.Sweep, s.SweepSHA256, s.Title, s.Table, s.Command})
	require.Equal(t, p.Columns(), s.Columns)
	require.Len(t, s.Machines, 3, "the same machine is there once")
	for i, x := range s.Points {
		require.Equal(t, p.Points[i].ID, x.ID)
		require.Equal(t, p.Points[i].Chosen, x.Params)
		fmt.Fprintf(&b, "row %d: machine %d, %s, %.1f s %s\n", x.Row, x.Machine, x.Command, x.WallSeconds, x.Message)
	}
	require.Equal(t, "64", string(s.Machines[1]["fifo_words"]))
	golden.Check(t, "columns.txt", []byte(b.String()))
}

// Errors of a sweep tell users what to do next, and give programs the numbers.
func TestErrorsInWords(t *testing.T) {
	p := &Point{Kind: "em4", Program: "fib", Spec: run.Spec{Program: "fib", Args: []string{"5"}, Seed: 1}, Runs: 1}
	p.Spec.Machine.Name = "emc-r"
	cause := errors.New("it is wrong")
	points := []*WrongPoint{{p, cause}, {p, cause}}
	w := wrongResults(points, "dir")
	require.EqualError(t, w, "2 of the points gave no result that can be trusted; the others are in dir, and a table "+
		"needs all of them\nit is wrong\n    emsim run fib 5\nit is wrong\n    emsim run fib 5")
	require.ErrorIs(t, points[0], cause)
	one := map[string]any{"command": "emsim run fib 5", "message": "it is wrong"}
	require.Equal(t, map[string]any{"points": []map[string]any{one, one}}, simerr.Details(w))
	require.Equal(t, []string{"", " (revision r1)"},
		[]string{Version{}.revisionText(), Version{Revision: "r1"}.revisionText()})
}

// At most ten differences are listed; the rest is counted.
func TestManyDifferences(t *testing.T) {
	table := func(n, plus int) []byte {
		var b strings.Builder
		b.WriteString("program,args,machine,pes,clocks\n")
		for i := range n {
			fmt.Fprintf(&b, "fib,%d,emc-r,12,%d\n", i, i+plus)
		}
		return []byte(b.String())
	}
	require.Len(t, Differences(table(10, 0), table(10, 1)), 10)
	got := Differences(table(13, 0), table(13, 1))
	require.Len(t, got, 11)
	require.Equal(t, `row 1 (fib 0 emc-r 12): clocks is "0"; the results have "1"`, got[0])
	require.Equal(t, "and 3 more", got[10])
	require.Equal(t, []string{"the results are not a table: <nil>"}, Differences(table(1, 0), nil))
	require.Equal(t, []string{
		`row 1 (fib 0 emc-r 12): clocks is "0"; the results have "1"`,
		"it has 2 rows; the results have 1",
	}, Differences(table(2, 0), table(1, 1)))
}

// The ratio exists if both runs succeeded and the base's time is not 0.
func TestRatio(t *testing.T) {
	p := plan(t, "[[variant]]\nname = \"deep\"\nset = {fifo_words = 64}\n"+fib+"variant = \"*\"\n")
	a, b := &p.Points[0], &p.Points[1]
	ended := func(clocks uint64) *Result {
		return &Result{Outcome: OK, values: map[string]json.RawMessage{clocksKey: fmt.Append(nil, clocks)}}
	}
	failed := &Result{Outcome: "deadlock"}
	for _, c := range []struct {
		base, deep *Result
		want       string
	}{
		{ended(200), ended(100), "0.5000"},
		{ended(3), ended(2), "0.6667"},
		{failed, ended(100), ""},
		{ended(200), failed, ""},
		{ended(0), ended(100), ""},
		{nil, ended(100), ""},
	} {
		require.Equal(t, c.want, p.ratio(p.Cells[1], map[string]*Result{a.ID: c.base, b.ID: c.deep}))
	}
	require.Equal(t, "1.0000", p.ratio(p.Cells[0], map[string]*Result{a.ID: ended(7)}))
}

// An error names its point if the place does not.
func TestWhichPoint(t *testing.T) {
	for text, want := range map[string]string{
		"pes = [80, 81]\nparam = {policy = \"ring\"}\nset.hop_clocks = 3\n": "x.toml:6:12: no circular " +
			"omega network has 81 PEs",
		"pes = 81\nparam = {policy = \"ring\"}\nset.hop_clocks = 3\nvariant = \"deep\"\n": "(with pes = 81, hop_clocks=3, fifo_words=64, policy=ring, variant \"deep\")",
		"set.segments = 8191\n": "x.toml:4:3: memory_words is 262144",
	} {
		_, err := Read("x.toml", []byte("[[variant]]\nname = \"deep\"\nset = {fifo_words = "+
			"64}\n[[grid]]\nprogram = \"fib 5\"\n"+text))
		require.ErrorContains(t, err, want, text)
	}
	x := &expansion{}
	require.Empty(t, x.where(&Point{Variant: base}), "there is nothing to tell")
}
