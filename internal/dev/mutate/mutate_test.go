package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const sample = `package p

const size = 4

func (u *unit) clock(a, b int) bool {
	if a < 0 {
		panic("never")
	}
	if a <= b && !u.done {
		u.n += size
		u.left--
		go1()
	}
	buf := make([]int, 7)
	return u.text+"x" == "" || buf == nil
}

func read(n int) (int, error) {
	if n > 1 {
		return 2, fmt.Errorf("%d", 3)
	}
	return 4, nil
}
`

func TestPoints(t *testing.T) {
	points, err := pointsOf("dir/p.go", []byte(sample))
	require.NoError(t, err)
	var got []string
	for i := range points {
		p := &points[i]
		require.Equal(t, "p.go", p.File)
		changed := string(p.mutate([]byte(sample)))
		require.NotEqual(t, sample, changed)
		got = append(got, p.Func+" "+p.Kind+": "+p.with)
	}
	want := []string{
		"declarations constant: 5",
		"unit.clock negate: !(a <= b && !u.done)",
		"unit.clock operator: ||",
		"unit.clock operator: <",
		"unit.clock operator: >",
		"unit.clock operator:  ",
		"unit.clock operator: -=",
		"unit.clock drop: ",
		"unit.clock operator: ++",
		"unit.clock drop: ",
		"unit.clock drop: ",
		"unit.clock operator: &&",
		"unit.clock operator: !=",
		"unit.clock operator: !=",
		"read negate: !(n > 1)",
		"read operator: >=",
		"read operator: <=",
		"read constant: 2",
		"read constant: 4",
		"read constant: 5",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	require.Equal(t, 9, points[1].Line)
	require.Equal(t, strings.Replace(sample, "a <= b", "a < b", 1), string(points[3].mutate([]byte(sample))))
	require.Equal(t, strings.Replace(sample, "u.left--", "u.left++", 1), string(points[8].mutate([]byte(sample))))
	_, err = pointsOf("p.go", []byte("func"))
	require.Error(t, err)
}

func TestKeysAreStable(t *testing.T) {
	before, err := pointsOf("p.go", []byte(sample))
	require.NoError(t, err)
	after, err := pointsOf("p.go", []byte("package p\nfunc other(a int) int {\n\treturn a + 1\n}\n"+strings.TrimPrefix(sample, "package p\n")))
	require.NoError(t, err)
	require.Len(t, after, len(before)+2)
	keys := map[string]bool{}
	for i := range after {
		require.False(t, keys[after[i].key()], "two mutants are called %s", after[i].key())
		keys[after[i].key()] = true
	}
	for i := range before {
		require.True(t, keys[before[i].key()], before[i].key())
	}
	// An edit elsewhere keeps the order of the existing points.
	var old []string
	for _, p := range order("p", after, 1) {
		if p.Func != "other" {
			old = append(old, p.key())
		}
	}
	var want []string
	for _, p := range order("p", before, 1) {
		want = append(want, p.key())
	}
	require.Equal(t, want, old)
	var other []string
	for _, p := range order("p", before, 2) {
		other = append(other, p.key())
	}
	require.NotEqual(t, want, other)
	require.ElementsMatch(t, want, other)
}

func TestSampleSize(t *testing.T) {
	for points, want := range map[int]int{3: 3, 10: 10, 100: 10, 300: 12, 1000: 24} {
		require.Equal(t, want, sampleSize(points), points)
	}
}

// Comments and formatting change no verdict; everything else does.
func TestCommentsDoNotCount(t *testing.T) {
	same := string(code([]byte(sample)))
	require.Equal(t, same, string(code([]byte("// p is new.\n"+strings.ReplaceAll(sample, "\tu.n", "\n\t/* add */ u.n")))))
	require.NotEqual(t, same, string(code([]byte(strings.Replace(sample, "size = 4", "size = 5", 1)))))
	require.NotEqual(t, same, string(code([]byte(strings.Replace(sample, "never", "ever", 1)))))
	require.NotEqual(t, same, string(code([]byte("//go:build linux\n"+sample))))
}

func TestEquivalents(t *testing.T) {
	same, err := readEquivalents("# heading\n\np a.go f drop#0 x => \n\tnothing reads x\n")
	require.NoError(t, err)
	require.Equal(t, map[string]string{"p a.go f drop#0 x => ": "nothing reads x"}, same)
	for _, bad := range []string{"\twhy\n", "a\nb\n\twhy\n", "a\n"} {
		_, err := readEquivalents(bad)
		require.Error(t, err, bad)
	}
}

// TestEquivalentsExist fails if a listed mutant is gone: its line has
// changed, and someone must decide whether the new mutant can be killed.
func TestEquivalentsExist(t *testing.T) {
	same, err := equivalents()
	require.NoError(t, err)
	keys, read := map[string]bool{}, map[string]bool{}
	for key := range same {
		dir, _, _ := strings.Cut(key, " ")
		if read[dir] {
			continue
		}
		read[dir] = true
		files, err := filepath.Glob(filepath.Join("..", "..", "..", filepath.FromSlash(dir), "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			points, err := pointsOf(file, src)
			require.NoError(t, err)
			for i := range points {
				keys[dir+" "+points[i].key()] = true
			}
		}
	}
	for key := range same {
		require.True(t, keys[key], "equivalent.txt lists a mutant that no longer exists: %s", key)
	}
}

func TestStore(t *testing.T) {
	dir := t.TempDir()
	p := &pkg{Name: "a/b", hash: "one"}
	s, err := openStore(dir, p)
	require.NoError(t, err)
	require.NoError(t, s.put(result{Hash: "one", Key: "k", Verdict: killed, By: "TestX"}))
	require.NoError(t, s.put(result{Hash: "old", Key: "l", Verdict: killed}))
	// A run that is killed in the middle of a line loses only that line.
	f, err := os.OpenFile(s.file, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.WriteString(`{"hash":"one","key":"m","verd`)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	s, err = openStore(dir, p)
	require.NoError(t, err)
	require.NoError(t, s.put(result{Hash: "one", Key: "n", Verdict: survived}))
	s, err = openStore(dir, p)
	require.NoError(t, err)
	got, ok := s.get("k")
	require.True(t, ok)
	require.Equal(t, result{Hash: "one", Key: "k", Verdict: killed, By: "TestX"}, got)
	for key, want := range map[string]bool{"l": false, "m": false, "n": true} {
		_, ok := s.get(key)
		require.Equal(t, want, ok, key)
	}
}

func TestRows(t *testing.T) {
	r := row{Package: "p", Points: 50}
	for _, v := range []string{killed, killed, endless, survived, unreached, invalid, equivalent} {
		r.count(result{Verdict: v})
	}
	require.Equal(t, row{Package: "p", Points: 50, Tried: 5, Killed: 3, Survived: 1, Unreached: 1, Equal: 1, Broke: 1}, r)
	require.Equal(t, 60, r.share())
	empty := row{}
	require.Equal(t, 100, empty.share())
	text := string(page([]row{r, r}, map[string]string{"p k": "why"}, 7))
	require.Contains(t, text, "seed 7")
	require.Contains(t, text, "**6 of 10 mutants are killed, 60 %.**")
	require.Contains(t, text, "| p | 50 | 5 | 3 | 1 | 1 | 60 % |\n")
	require.Contains(t, text, "| all | 100 | 10 | 6 | 2 | 2 | 60 % |\n")
	require.Contains(t, text, "* `p k`: why\n")
}

// TestOnePackage tries every mutant of a module made for this test.
func TestOnePackage(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o777))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
	}
	write("go.mod", "module emsim\n\ngo 1.26\n")
	write("p/p.go", "package p\n\nfunc Max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\nfunc Far(n int) int {\n\tfor n != 0 {\n\t\tn--\n\t}\n\treturn n\n}\n\nfunc Unseen() int { return 1 }\n")
	write("p/p_test.go", "package p\n\nimport \"testing\"\n\nfunc TestMax(t *testing.T) {\n\tif Max(1, 2) != 2 || Max(2, 1) != 2 || Far(3) != 0 {\n\t\tt.Fatal()\n\t}\n}\n")
	ctx := context.Background()
	list, err := packages(ctx, dir, []string{"./..."})
	require.NoError(t, err)
	require.Len(t, list, 1)
	p := list[0]
	require.Equal(t, "p", p.Name)
	write("p/data.txt", "read by a test")
	changed, err := packages(ctx, dir, []string{"./..."})
	require.NoError(t, err)
	require.NotEqual(t, p.hash, changed[0].hash, "verdicts are those of other files")
	write("p/q/q.go", "package q\n")
	nested, err := packages(ctx, dir, []string{"./p"})
	require.NoError(t, err)
	require.Equal(t, changed[0].hash, nested[0].hash, "another package")
	s, err := openStore(filepath.Join(dir, ".mutants"), p)
	require.NoError(t, err)
	tr := &trial{p: p, s: s, temp: t.TempDir()}
	var points []point
	for _, m := range p.points {
		if m.Func != "Far" { // an endless loop takes ten seconds
			points = append(points, m)
		}
	}
	out, err := tr.round(ctx, points, 2)
	require.NoError(t, err)
	got := map[string]string{}
	for i, v := range out {
		got[points[i].Func+" "+points[i].Kind+" "+points[i].with] = v.Verdict
		if v.Verdict == killed {
			require.Equal(t, "TestMax", v.By)
		}
	}
	want := map[string]string{
		"Max negate !(a > b)": killed, "Max operator >=": survived, "Max operator <=": killed,
		"Unseen constant 2": unreached,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
	// The second time nothing is run, so a package that no longer compiles does
	// not matter.
	p.src["p.go"] = nil
	again, err := tr.round(ctx, points, 2)
	require.NoError(t, err)
	require.Equal(t, out, again)
}
