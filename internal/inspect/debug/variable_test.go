package debug

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sequential is a function whose lines run in the same order on the machine as in Go. The comments name the variables
// that are visible before a line.
const sequential = `package main

//emsim:arg n 1 100
func f(n int32) uint32 {
	var a [5]int32
	h, odd, x := uint32(7), false, float32(1) // see n a
	for i := int32(0); i < n; i++ {
		k := i % 5 // see n a h odd x i
		a[k] += i * 3 // see n a h odd x i k
		odd = !odd // see n a h x odd i k
		if odd {
			t := mix(h, uint32(i)) // see n a h odd x i k
			h ^= t << 3 // see n a h odd x i t k
		} else {
			y := x * 1.5 // see n a h odd x i k
			x = y - float32(i) // see n a h odd x i y k
		}
		for j := range i {
			h += uint32(j) * h // see n a h odd x i j
			x := int32(h) >> 3 // see n a h odd x i j
			a[0] ^= x // see n a h odd x i j
		}
		h += g(h&7 + uint32(i)) // see n a h odd x i
		b, c := g(h&7), g(h&7 + 1) // see n a h odd x i
		h += b - c // see n a h odd x i b c
	}
	if x < 3 {
		h++ // see a h odd x
	}
	return h + uint32(a[0]) + uint32(a[4]) // see a h odd
}

func mix(a, b uint32) uint32 {
	c := a ^ b // see a b
	d := c * 5 // see a b c
	return d + c // see a b c d
}

func g(n uint32) uint32 {
	if n < 2 {
		return 3
	}
	return g(n/2) + g(n/3)
}
`

const printed = `
func main() {
	fmt.Println("answer", f(12))
}
`

var see = regexp.MustCompile(` // see (.*)$`)

// instrumented returns the program for Go, in which every line prints the variables visible before it.
func instrumented() string {
	var b strings.Builder
	for i, line := range strings.Split(sequential, "\n") {
		if m := see.FindStringSubmatch(line); m != nil {
			fmt.Fprintf(&b, "fmt.Println(%d", i+1)
			for _, v := range strings.Fields(m[1]) {
				fmt.Fprintf(&b, ", %q, %s", v, v)
			}
			b.WriteString(")\n")
		}
		b.WriteString(line + "\n")
	}
	return strings.Replace(b.String(), "package main\n", "package main\n\nimport \"fmt\"\n", 1) + printed
}

// At each line the variables have the values that Go prints, however the program is cut into blocks. The compiler may
// have dropped some variables.
func TestVariablesAreGos(t *testing.T) {
	dir := t.TempDir()
	file, copied := filepath.Join(dir, "f.go"), filepath.Join(dir, "run.go")
	require.NoError(t, os.WriteFile(file, []byte(sequential+"\nfunc main() {}\n"), 0o600))
	require.NoError(t, os.WriteFile(copied, []byte(instrumented()), 0o600))
	out, err := exec.Command("go", "run", "-trimpath", copied).Output()
	require.NoError(t, err)
	want := strings.Split(strings.TrimSpace(string(out)), "\n")
	lines := strings.Split(sequential, "\n")
	for _, blocks := range []string{"largest", "medium", "finest"} {
		s := spec(file, "12")
		s.Params = map[string]string{"blocks": blocks, "guards": map[string]string{"medium": "callee"}[blocks]}
		if s.Params["guards"] == "" {
			delete(s.Params, "guards")
		}
		b := newBench(t, s)
		b.do("break f.go:5; continue; delete")
		known, all, next := 0, 0, 0
		met, passed := map[string]bool{}, map[string]bool{}
		for !strings.Contains(b.do("line"), "ended") {
			here := b.siteAt(presentOf(t, b).pc)
			if m := see.FindStringSubmatch(lines[here.line()-1]); m == nil {
				continue
			}
			line := fmt.Sprintf("%d ", here.line())
			for !strings.HasPrefix(want[next], line) { // a variable whose value is computed in the next line
				gone, _, _ := strings.Cut(want[next], " ")
				passed[gone+" "] = true
				require.Less(t, next, len(want)-2, "%s: line %s", blocks, line)
				next++
			}
			met[line] = true
			next++
			for _, w := range b.Locals(b.pe) {
				i := strings.Index(want[next-1], " "+w.Name+" ")
				if all++; i < 0 || w.Text == noMore || w.Text == notYet {
					continue
				}
				known++
				require.True(t, strings.HasPrefix(want[next-1][i+len(w.Name)+2:]+" ", w.Text+" "),
					"%s: %s = %s, not as in %s", blocks, w.Name, w.Text, want[next-1])
			}
		}
		require.Equal(t, len(want)-1, next, blocks)
		for line := range passed {
			require.NotContains(t, met, line, "%s: a line has code or none", blocks)
		}
		require.Less(t, len(passed), 3, blocks)
		t.Logf("%s: %d lines, %d of %d variables", blocks, next, known, all)
		require.Greater(t, 3*known, all, blocks)
	}
}

// presentOf returns the instance that a step has reached.
func presentOf(t *testing.T, b *bench) *presence {
	p, err := b.presenceOf(call{ctx: context.Background(), pe: b.pe})
	require.NoError(t, err)
	return p
}

// A function that needs more words than a segment has gets several segments, and its variables are found in each of
// them.
func TestVariablesInFurtherSegments(t *testing.T) {
	const many = 90
	var set, sum strings.Builder
	for i := range many {
		fmt.Fprintf(&set, "\tv%d := n*%d\n", i, i+3)
		fmt.Fprintf(&sum, " + v%d", i)
	}
	file := filepath.Join(t.TempDir(), "f.go")
	require.NoError(t, os.WriteFile(file,
		fmt.Appendf(nil, "package main\n\n//emsim:arg n 1 9\nfunc f(n int32) int32 {\n%s\ts := g(n)\n\treturn "+
			"s%s\n}\n\nfunc g(n int32) int32 {\n\tfor n > 5 {\n\t\tn--\n\t}\n\treturn n\n}\n\nfunc main() {}\n", &set,
			&sum), 0o600))
	b := newBench(t, spec(file, "7"))
	require.NotEmpty(t, b.do("symbols f.more1"))
	b.do("break f.go:" + fmt.Sprint(4+many+2) + "; continue")
	for i := range many {
		require.Equal(t, fmt.Sprintf("v%d = %d\n", i, 7*(i+3)), b.do(fmt.Sprintf("print v%d", i)))
	}
	require.Contains(t, b.do("line"), "the instance has ended")
}

// A structure is shown by its fields; in an array it is one value.
func TestVariablesOfStructures(t *testing.T) {
	b := written(t, "7", `type point struct{ x, y int32 }

type shape struct {
	at   [2]point
	none [0]point
	on   bool
}

//emsim:arg n 1 9
func f(n int32) int32 {
	p, list := point{n, -n}, [2]shape{{on: true}, {at: [2]point{{1, 2}, {n, 4}}}}
	for p.x < 20 {
		p.x += n
		list[n&1].at[0].y++
	}
	return p.x + p.y + list[0].at[1].x
}
`)
	b.do("break f.go:16; continue")
	require.Equal(t, "p.x = 14\np.y = -7\n", b.do("print p"))
	require.Equal(t, "p.y = -7\n", b.do("print p.y"))
	require.Equal(t, "list = [{[{0 0} {0 0}] [] true} {[{1 2} {7 4}] [] false}]\n", b.do("print list"))
	require.Contains(t, b.wrong("print p.z"), "there are list, n, p.x, p.y")
}

// written returns a debugger for a program in Go, which is given without its package and func main.
func written(t *testing.T, arg, text string) *bench {
	file := filepath.Join(t.TempDir(), "f.go")
	require.NoError(t, os.WriteFile(file, []byte("package main\n\n"+text+"\nfunc main() {}\n"), 0o600))
	return newBench(t, spec(file, arg))
}

// Conditions can use the variables of Go, whose names hide the names of registers and quantities. A condition with a
// variable without a value does not hold.
func TestConditionsOfVariables(t *testing.T) {
	b := written(t, "9", `type pair struct{ u uint32; f float32 }

//emsim:arg n 1 9
func f(n int32) int32 {
	p, odd, row := pair{u: 4000000000}, false, [2]int32{n, 1}
	for k := range n {
		p.u += uint32(k)
		odd = !odd
		if k > 6 {
			late := k * n
			p.u -= uint32(late - row[k&1])
		}
		p.f += 0.5
	}
	if odd || p.f > 3 {
		n -= int32(p.u)
	}
	return n
}
`)
	for _, x := range []struct{ condition, print, is string }{
		{"k == 3", "k", "k = 3"},
		{"k == 2 && odd", "k", ""},
		{"k == 3 && odd == 1 or k == 6", "k", "k = 3"},
		{"k >= 5 and not odd", "k", "k = 6"},
		{"p.u > 4000000010", "p.u", "p.u = 4000000015"},
		{"k - n == -2", "k", "k = 7"},
		{"late != 5", "k", ""},
	} {
		b.do("goto +0; delete; break f.go:10 if " + x.condition)
		if text := b.do("continue"); x.is == "" {
			require.Contains(t, text, "the run is over", x.condition)
		} else {
			require.Contains(t, text, "comes to f.go:10", x.condition)
			require.Equal(t, x.is+"\n", b.do("print "+x.print), x.condition)
		}
	}
	b.do("goto +0; delete; watch if k == 4 && p.u > 0; continue")
	require.Equal(t, "k = 4\n", b.do("print k"))
	b.do("delete; watch if late > 1; continue")
	require.Equal(t, "late = 63\n", b.do("print late"))
	require.Contains(t, b.wrong("break f.go:10 if p.f > 1"),
		"p.f has type float32; a condition can compare only whole numbers and bools")
	require.Contains(t, b.wrong("break f.go:10 if row == 1"), "row has type [2]int32")
	require.Contains(t, conditionWords(b.Debugger), "late")
	require.Contains(t, b.wrong("break f.go:10 if lat == 1"), `did you mean "late"?`)
}
