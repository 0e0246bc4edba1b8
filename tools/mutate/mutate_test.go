package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
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
	after, err := pointsOf("p.go", []byte("package p\nfunc other(a int) int {\n\treturn a + 1\n}\n"+
		strings.TrimPrefix(sample, "package p\n")))
	require.NoError(t, err)
	require.Len(t, after, len(before)+2)
	keys := map[string]bool{}
	for i := range after {
		require.False(t, keys[after[i].identity()], "two mutants are called %s", after[i].identity())
		keys[after[i].identity()] = true
	}
	for i := range before {
		require.True(t, keys[before[i].identity()], before[i].identity())
	}
	// An edit elsewhere does not change the order of the existing points.
	var old []string
	for _, p := range order("p", after, 1) {
		if p.Func != "other" {
			old = append(old, p.identity())
		}
	}
	var want []string
	for _, p := range order("p", before, 1) {
		want = append(want, p.identity())
	}
	require.Equal(t, want, old)
	var other []string
	for _, p := range order("p", before, 2) {
		other = append(other, p.identity())
	}
	require.NotEqual(t, want, other)
	require.ElementsMatch(t, want, other)
}

func TestEquivalents(t *testing.T) {
	same, err := equivalents("# heading\n\np a.go f drop#0 x => \n\tnothing reads x\n\n")
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"p a.go f drop#0 x => ": true}, same)
	for _, bad := range []string{"\twhy\n", "a\nb\n\twhy\n", "a\n"} {
		_, err := equivalents(bad)
		require.Error(t, err, bad)
	}
}

// TestEquivalentsExist fails if a listed mutant no longer exists. Its line has then changed, and someone must decide
// whether a test can kill the new mutant.
func TestEquivalentsExist(t *testing.T) {
	same, err := equivalents(equivalentText)
	require.NoError(t, err)
	keys, read := map[string]bool{}, map[string]bool{}
	for key := range same {
		dir, _, _ := strings.Cut(key, " ")
		if read[dir] {
			continue
		}
		read[dir] = true
		files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*.go"))
		require.NoError(t, err)
		for _, file := range files {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			points, err := pointsOf(file, src)
			require.NoError(t, err)
			for i := range points {
				keys[dir+" "+points[i].identity()] = true
			}
		}
	}
	for key := range same {
		assert.True(t, keys[key], "equivalent.txt lists a mutant that no longer exists: %s", key)
	}
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
	write("p/p.go", "package p\n\nfunc Max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\nfunc "+
		"Far(n int) int {\n\tfor n != 0 {\n\t\tn--\n\t}\n\treturn n\n}\n\nfunc Unseen() int { return 1 }\n\nfunc "+
		"Room() int { return 0 }\n\nfunc Same() int { return 2 }\n")
	write("p/p_test.go", "package p\n\nimport \"testing\"\n\nvar room []byte\n\nfunc TestRoom(*testing.T) { room = "+
		"make([]byte, Room()<<33) }\n\nfunc TestMax(t *testing.T) {\n\tif Max(1, 2) != 2 || Max(2, 1) != 2 || Far(3) "+
		"!= 0 {\n\t\tt.Fatal()\n\t}\n}\n")
	ctx := context.Background()
	list, err := packages(ctx, dir, []string{"./..."})
	require.NoError(t, err)
	require.Len(t, list, 1)
	p := list[0]
	require.Equal(t, "p", p.Name)
	var points []point
	for _, m := range p.points {
		if m.Func != "Far" { // an endless loop takes ten seconds
			points = append(points, m)
		}
	}
	o := options{jobs: 2, try: (*pkg).tryMutant}
	out, err := o.round(ctx, p, t.TempDir(), points, map[string]bool{"p " + points[len(points)-1].identity(): true})
	require.NoError(t, err)
	got := map[string]string{}
	for i, v := range out {
		got[points[i].Func+" "+points[i].Kind+" "+points[i].with] = v
	}
	want := map[string]string{
		"Max negate !(a > b)": killed, "Max operator >=": survived, "Max operator <=": killed,
		"Unseen constant 2": unreached, "Room constant 1": killed, "Same constant 3": equivalent,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatal(d)
	}
}
