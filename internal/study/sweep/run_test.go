package sweep

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/base/interrupt"
	"emsim/internal/base/simerr"
	"emsim/internal/machine/run"
	"emsim/programs"
)

// small is a sweep with 18 points and 16 runs: the variant "same" equals base.
const small = `
[[variant]]
name = "deep"
set = { fifo_words = 256 }
[[variant]]
name = "same"
set = { fifo_words = 32 }
[[grid]]
program = ["fib 10", "pi 30"]
pes = 12
variant = ["base", "deep", "same"]
seed = [1, 2, 3]
`

func store(t *testing.T, dir string) *Store {
	t.Helper()
	s := &Store{Dir: dir, Version: Version{Executable: "one", Revision: "r1"}}
	require.NoError(t, s.Open())
	return s
}

func survey(t *testing.T, s *Store, p *Plan) *Survey {
	t.Helper()
	x, err := s.Survey(p)
	require.NoError(t, err)
	return x
}

// sweep runs a plan to its end in a directory and returns the table.
func sweep(t *testing.T, dir string, p *Plan, workers int) []byte {
	t.Helper()
	s := store(t, dir)
	x := survey(t, s, p)
	require.NoError(t, s.Run(t.Context(), x, workers, nil))
	require.Empty(t, x.Missing)
	table, err := p.CSV(x.Results)
	require.NoError(t, err)
	return table
}

func rows(t *testing.T, table []byte) []map[string]string {
	t.Helper()
	lines, err := csv.NewReader(bytes.NewReader(table)).ReadAll()
	require.NoError(t, err)
	var list []map[string]string
	for _, l := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = l[i]
		}
		list = append(list, row)
	}
	return list
}

// The table equals the results of single runs, with any number of workers.
func TestTable(t *testing.T) {
	p := plan(t, small)
	require.Len(t, p.Points, 18)
	require.Len(t, survey(t, store(t, t.TempDir()), p).Missing, 12)
	one := sweep(t, t.TempDir(), p, 1)
	for _, workers := range []int{2, 7, 50} {
		require.Equal(t, string(one), string(sweep(t, t.TempDir(), p, workers)))
	}
	list := rows(t, one)
	require.Len(t, list, 18)
	for i, r := range list {
		x := &p.Points[i]
		target, err := x.Spec.Build(t.Context())
		require.NoError(t, err)
		got, err := target.Run(t.Context(), target.Words, em4.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, r["clocks"], itoa(got.Clocks), x.Command())
		require.Equal(t, r["hops"], itoa(got.Hops()))
		require.Equal(t, r["packets_spilled"], itoa(got.Spilled))
		require.Equal(t, "ok", r["outcome"])
		require.Equal(t, map[string]string{"base": "32", "deep": "256", "same": "32"}[r["variant"]], r["fifo_words"])
		if r["variant"] != "deep" {
			require.Equal(t, "1.0000", r["clocks_ratio"])
		}
	}
	require.Equal(t, "55", list[0]["result"])
	require.Equal(t, "3 1415 9265 3589 ... 9 words", list[9]["result"])
}

func itoa(n uint64) string { return strconv.FormatUint(n, 10) }

// A sweep that is stopped anywhere, by Ctrl-C or by a kill, continues from there. No run is done twice, and the table
// is the same.
func TestResume(t *testing.T) {
	p := plan(t, small)
	want := sweep(t, t.TempDir(), p, 2)
	dir := t.TempDir()
	s := store(t, dir)
	ran, stops := 0, 0
	for {
		ctx, cancel := context.WithCancel(t.Context())
		x := survey(t, s, p)
		before := len(x.Results)
		require.Equal(t, ran, before, "what was done is there, and nothing else")
		err := s.Run(ctx, x, 2, func(g Progress) {
			require.Equal(t, 12, g.Total)
			require.Equal(t, before+g.Ran, g.Done)
			if g.Ran >= 2 {
				cancel()
			}
		})
		cancel()
		if ran += x.Ran; err == nil {
			break
		}
		var stop *interrupt.Error
		require.ErrorAs(t, err, &stop)
		require.Equal(t, map[string]any{"done": ran, "total": 12, "directory": dir}, stop.Details())
		require.Less(t, x.Ran, 5, "two workers end what they have begun at most")
		stops++
		// A kill leaves a file that was never renamed.
		require.NoError(t, os.WriteFile(filepath.Join(dir, ".emsim-1-0.tmp"), []byte(`{"format":`), 0o600))
	}
	require.Equal(t, 12, ran)
	require.Greater(t, stops, 2)
	before := times(t, dir)
	require.Equal(t, string(want), string(sweep(t, dir, p, 2)))
	require.Equal(t, before, times(t, dir), "nothing is written again")
}

// times returns the modification times of the files in a directory.
func times(t *testing.T, dir string) map[string]int64 {
	t.Helper()
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]int64{}
	for _, e := range list {
		info, err := e.Info()
		require.NoError(t, err)
		all[e.Name()] = info.ModTime().UnixNano()
	}
	return all
}

// Two simultaneous sweeps in one directory do not interfere.
func TestTwoAtOnce(t *testing.T) {
	p := plan(t, small)
	want := sweep(t, t.TempDir(), p, 2)
	dir := t.TempDir()
	a, b := store(t, dir), store(t, dir)
	x, y := survey(t, a, p), survey(t, b, p)
	done := make(chan error)
	go func() { done <- a.Run(t.Context(), x, 2, nil) }()
	require.NoError(t, b.Run(t.Context(), y, 2, nil))
	require.NoError(t, <-done)
	for _, s := range []*Survey{x, y} {
		table, err := p.CSV(s.Results)
		require.NoError(t, err)
		require.Equal(t, string(want), string(table))
	}
	require.Len(t, times(t, dir), 12)

	// Results that another sweep has produced since the survey are not produced again.
	late := survey(t, store(t, t.TempDir()), p)
	before := times(t, dir)
	require.NoError(t, a.Run(t.Context(), late, 2, nil))
	require.Zero(t, late.Ran)
	require.Len(t, late.Results, 12)
	require.Equal(t, before, times(t, dir))
}

// A variant whose base is not in the file has no ratio.
func TestNoBase(t *testing.T) {
	p := plan(t, strings.Replace(small, `"base", `, "", 1))
	for _, r := range rows(t, sweep(t, t.TempDir(), p, 2)) {
		require.Empty(t, r["clocks_ratio"])
	}
}

// Results of another version of emsim and damaged results are rejected. Results of other points are kept.
func TestStale(t *testing.T) {
	p := plan(t, small)
	dir := t.TempDir()
	want := sweep(t, dir, p, 2)
	s := store(t, dir)

	other := &Store{Dir: dir, Version: Version{Executable: "two"}}
	x := survey(t, other, p)
	require.Len(t, x.Missing, 12)
	require.Len(t, x.Again, 1)
	require.Contains(t, x.Again[0], "12 of the results in "+dir+" are from another emsim (revision r1) (fib-10-12pes-")

	change := func(i int, f func(text string) string) {
		name := s.pointFile(&p.Points[i])
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		require.NotEqual(t, string(text), f(string(text)))
		require.NoError(t, os.WriteFile(name, []byte(f(string(text))), 0o600))
	}
	change(0, func(text string) string { return text[:len(text)/2] })
	change(1, func(string) string { return "" })
	change(2, func(text string) string { return strings.Replace(text, `"seed": 3`, `"seed": 4`, 1) })
	change(3, func(string) string { return "[1]" })
	change(4, func(text string) string { return strings.Replace(text, `"outcome": "ok"`, `"outcome": ""`, 1) })
	require.NoError(t, os.WriteFile(filepath.Join(dir, "foreign.json"), []byte("{}"), 0o600))
	x = survey(t, s, p)
	require.Len(t, x.Missing, 5)
	var names []string
	for i := range 5 {
		names = append(names, p.Points[i].ID+".json")
	}
	wrong := slices.Delete(slices.Clone(names), 2, 3)
	require.Equal(t, []string{
		"4 of the results in " + dir + " are damaged (" + strings.Join(wrong, ", ") + ")",
		"1 of the results in " + dir + " are from another point (" + names[2] + ")",
	}, x.Again)
	require.NoError(t, s.Run(t.Context(), x, 2, nil))
	require.Equal(t, 5, x.Ran)
	require.Equal(t, string(want), string(sweep(t, dir, p, 1)))
	require.Contains(t, times(t, dir), "foreign.json")
}

// Failed runs are results.
func TestOutcomes(t *testing.T) {
	p := plan(t, `
max_clocks = 40_000
[[grid]]
program = "fib 18"
pes = 12
set = { segments = [16, 896] }
[[grid]]
program = "fib 18"
pes = 80
param = { policy = "random" }
set = { banks = 1 }
[[grid]]
program = "pi 200"
pes = 12
[[grid]]
program = "fib 18"
pes = 12
set = { mib_words = 0 }
[[grid]]
program = "knapsack 4"
pes = 12
set = { memory_words = 131136 }
`)
	var got []string
	for _, r := range rows(t, sweep(t, t.TempDir(), p, 2)) {
		if got = append(got, r["outcome"]); r["outcome"] != OK {
			require.Empty(t, r["clocks"]+r["idle"]+r["result"]+r["clocks_ratio"])
		}
	}
	require.Equal(t, []string{"segment_overflow", "ok", "deadlock", "max_clocks", "mib_overflow", "misfit"}, got)
}

// A run whose result is wrong gives no result, and does not stop the others.
func TestWrong(t *testing.T) {
	p := plan(t, small)
	p.Points[3].Spec.Args = nil
	s := store(t, t.TempDir())
	x := survey(t, s, p)
	err := s.Run(t.Context(), x, 2, nil)
	require.Equal(t, "wrong_result", simerr.Kind(err))
	require.Len(t, simerr.Details(err)["points"], 1)
	require.ErrorContains(t, err, "fib takes 1 argument")
	require.ErrorContains(t, err, p.Points[3].Command())
	require.Len(t, x.Results, 11)
	_, err = p.CSV(x.Results)
	require.ErrorContains(t, err, "has no result")

	o, err := programs.Assemble("fib", nil)
	require.NoError(t, err)
	one := plan(t, "[[grid]]\nprogram = \"fib 10\"\npes = 12")
	target, err := run.Build("fib", o, em4.Small12(), 1)
	require.NoError(t, err)
	target.Words = []uint64{10}
	require.NoError(t, one.Points[0].right(target, []uint64{55}))
	require.ErrorContains(t, one.Points[0].right(target, []uint64{54}), "the answer is wrong: 54, expected 55")
	require.ErrorContains(t, one.Points[0].right(target, []uint64{55, 55}), "the answer is wrong: 55 55, expected 55")
}

// A panic in one point is reported with the point.
func TestPanic(t *testing.T) {
	p := plan(t, "[[grid]]\nprogram = \"fib 16\"\npes = 12")
	_, err := p.Points[0].runPoint(t.Context(), nil) // progress is nil, so calling it panics
	require.ErrorContains(t, err, "the model stopped itself: ")
	require.ErrorContains(t, err, p.Points[0].Command())
}

// A directory that cannot hold results is an error before any run. A directory that fails later ends the sweep.
func TestNoRoom(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	require.ErrorContains(t, (&Store{Dir: file}).Open(), "the results cannot be kept")
	require.ErrorContains(t, (&Store{Dir: filepath.Join(file, "x")}).Open(), "the results cannot be kept")

	p := plan(t, small)
	dir := filepath.Join(t.TempDir(), "gone")
	s := store(t, dir)
	x := survey(t, s, p)
	require.NoError(t, os.RemoveAll(dir))
	gone := func(Progress) { require.NoError(t, os.RemoveAll(dir)) }
	require.NoError(t, os.Mkdir(dir, 0o777))
	err := s.Run(t.Context(), x, 2, gone)
	require.ErrorContains(t, err, "cannot be written")
	require.ErrorIs(t, err, os.ErrNotExist)
	require.False(t, errors.As(err, new(*interrupt.Error)))
	require.Zero(t, x.Ran)
	begun := map[string]bool{}
	require.NoError(t, os.Mkdir(dir, 0o777))
	err = s.Run(t.Context(), x, 1, func(now Progress) {
		gone(now)
		for _, point := range now.Running {
			begun[point] = true
		}
	})
	require.ErrorContains(t, err, "cannot be written")
	require.Len(t, begun, 1, "no other point begins")
}

func TestDifferences(t *testing.T) {
	table := "program,args,machine,pes,clocks\nfib,5,emc-r,12,7\nfib,6,emc-r,12,8\n"
	require.Empty(t, Differences([]byte(table), []byte(table)))
	older := strings.NewReplacer(",clocks", "", "12,7", "12", "12,8", "12").Replace(table)
	require.Empty(t, Differences([]byte(older), []byte(table)), "a column came after the table was made")
	require.Len(t, Differences([]byte(table), []byte(older)), 1, "a column is missing")
	for _, c := range []struct{ old, new, want string }{
		{"8", "9", `row 2 (fib 6 emc-r 12): clocks is "9"; the results have "8"`},
		{"fib,6,emc-r,12,8\n", "", "it has 1 rows; the results have 2"},
		{"clocks", "time", "its columns are program,args,machine,pes,time; the results have"},
		{"12,7", "\"12\",7", "the same cells, written differently"},
		{"fib,5", "\"fib,5", "the file is not a table"},
		{table, "", "the file is not a table"},
		{
			",clocks\nfib,5,emc-r,12,7\nfib,6,emc-r,12,8", "\nfib,5,emc-r,12\nfib,6,emc-r,80",
			`row 2 (fib 6 emc-r 80): pes is "80"; the results have "12"`,
		},
	} {
		got := Differences([]byte(strings.Replace(table, c.old, c.new, 1)), []byte(table))
		require.Len(t, got, 1)
		require.Contains(t, got[0], c.want)
	}
}
