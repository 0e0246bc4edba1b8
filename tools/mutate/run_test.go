package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/internal/dev/golden"
)

// module makes a module of files in a new folder, and changes to it.
func module(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	files["go.mod"] = "module emsim\n\ngo 1.26\n"
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o777))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
}

// printed returns the standard output of f.
func printed(t *testing.T, f func()) string {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	before := os.Stdout
	os.Stdout = w
	f()
	os.Stdout = before
	require.NoError(t, w.Close())
	out, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(out)
}

const twoPackages = "package p\n\nfunc Max(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n\nfunc " +
	"One() int { return 1 }\n"

// A run prints the surviving mutants, a row for each package and the totals. It fails if a package is below the goal.
func TestRunPrints(t *testing.T) {
	var all strings.Builder
	t.Run("module", func(t *testing.T) {
		many := "package r\n\nvar list = []int{" + strings.Repeat("1, ", 400) + "}\n"
		module(t, map[string]string{
			"p/p.go": twoPackages, "q/q.go": "package q\n\nfunc Two() int { return 2 }\n",
			"r/r.go": many, "s/s.go": "package s\n",
		})
		run := func(title string, o options, verdicts []string, args ...string) {
			n := -1
			o.try = func(*pkg, context.Context, string, *point) (string, error) {
				n++
				return verdicts[n%len(verdicts)], nil
			}
			o.seed++
			var err error
			text := printed(t, func() { err = o.trySamples(context.Background(), args) })
			fmt.Fprintf(&all, "==== %s\n%serror: %v\n\n", title, text, err)
		}
		some := []string{killed, survived, unreached, invalid}
		run("all packages", options{}, []string{killed})
		run("one package", options{}, some, "p")
		run("two packages", options{}, some, "./p", "q")
		run("one and a half", options{n: 30}, []string{invalid, killed, killed, killed, killed, killed, survived}, "r")
		run("another seed", options{n: 2, seed: 2}, []string{survived}, "p")
		run("nothing compiles", options{n: 2}, []string{invalid}, "p")
		run("no such package", options{}, some, "x")
	})
	golden.Check(t, "runs.txt", []byte(all.String()))
}

// Packages whose own tests fail are named, and the other packages are tried anyway.
func TestBadPackages(t *testing.T) {
	module(t, map[string]string{
		"bad/b.go":      "package bad\n\nfunc One() int { return 1 }\n",
		"bad/b_test.go": "package bad\n\nfunc TestX() { return 1 }\n",
		"q/q.go":        "package q\n\nfunc Two() int { return 2 }\n",
	})
	o := options{try: (*pkg).tryMutant}
	var err error
	text := printed(t, func() { err = o.trySamples(context.Background(), nil) })
	require.EqualError(t, err, "1 of 2 packages could not be tried")
	require.Contains(t, text, "bad: the tests do not compile: ")
	require.Contains(t, text, "q                              0 % killed: 0 of 1, 1 not reached")
	ctx, stop := context.WithCancel(context.Background())
	stop()
	require.Error(t, o.trySamples(ctx, nil))
}

// A line is reached if a block on it is; lines outside blocks count as reached.
func TestCoverage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "cover.out")
	require.NoError(t, os.WriteFile(file, []byte(`mode: set
emsim/p/p.go:3.20,5.3 2 1
emsim/p/p.go:5.3,7.9 1 0
emsim/p/p.go:9.1,9.9 1 0
emsim/p/p.go:9.9,9.19 1 1
emsim/p/q.go:2.1,2.9 1 0
`), 0o600))
	reached := func(p *pkg) string {
		require.NoError(t, p.coverage(file))
		var b strings.Builder
		for line := range 12 {
			fmt.Fprint(&b, map[bool]string{true: "x", false: "."}[p.covered("p.go", line)])
		}
		return b.String() + fmt.Sprint(p.covered("q.go", 2), p.covered("r.go", 2))
	}
	require.Equal(t, "xxxxxx..xxxxfalse true", reached(&pkg{Name: "p"}))
	require.Equal(t, "xxxxxxxxxxxxtrue true", reached(&pkg{Name: "internal/command"}))
	require.Error(t, (&pkg{}).coverage(file+"x"))
	require.Equal(t, 26*time.Second, slack(2*time.Second))
}

// Every kind of point has its changes.
func TestAllKindsOfPoints(t *testing.T) {
	const source = `package p

import "x"

var a, b = 1, -2
const c = 3 << 4

type t struct{ n int }

func (r t) one(x int) bool {
	for i := 0; i < 9 && !r.done; i++ {
		if x%2 == 1 || x&7 != 3 { continue }
		x += 1; x -= 2; x *= 3; x /= 4; x &= 5; x |= 6; x &^= 7
		y := x*2/3 + x>>1 - x<<2 ^ x&^1 | 8
		f(y, "s"+"t"+r.s, r.s+"u", 1.5, 'c')
		if x <= 1 || x >= 2 || x > 3 { break }
	}
	if x < 0 { panic("no " + f(7)) }
	if x < 0 { panic(1); f() }
	if x < 0 { f() }
	if x < 0 { r.panic() }
	if x < 0 { x = 1 }
	_ = make([]int, 5)
	return true != false
}

func (*t) two() (int, error) {
	if a { return 1, errorf("x", 2) }
	if a { return 1, x.Errorf("x", 2) }
	if a { return 1, usagef("x", 2) }
	if a { return 1, x.Usagef(2) }
	if a { return 1, err }
	if a { return 1, other(2) }
	if a { return 1, (err) }
	if a { return 0x10, nil }
	return 99999999999999999999, 0
}

func (s *g[T]) three() { panic("x") }
func (s g[T]) four() { s.n--; loop: for { break loop } }
func five() { return }
`
	points, err := pointsOf("p.go", []byte(source))
	require.NoError(t, err)
	var all strings.Builder
	for i := range points {
		fmt.Fprintf(&all, "%d %s\n", points[i].Line, points[i].identity())
	}
	golden.Check(t, "points.txt", []byte(all.String()))
	require.Equal(t, strings.Repeat("x", 60), oneLine(strings.Repeat("x", 60)))
	require.Equal(t, strings.Repeat("x", 57)+"...", oneLine(strings.Repeat("x", 61)))
	require.Equal(t, "a b", oneLine(" a\n\t b "))
}
