package run

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/programs"
)

// allPEs sets up a table of all PEs in their order; onCircuits sets up a table of the PEs that follow on both circuits.
const (
	allPEs = `func setup(pe df.PE) {
	k, g, c := pe.K(), pe.Group(), pe.Column()
	size = (k + 1) << k
	for i := int32(0); i < size; i++ {
		all[i] = pe.At(g, c)
		if c++; c > k {
			c = 0
		}
		if c == pe.Column() {
			g = (g + 1) & (1<<k - 1)
		}
	}
}
`
	onCircuits = `func setup(pe df.PE) {
	k, g, c := pe.K(), pe.Group(), pe.Column()
	size = 2 * k
	for i := int32(0); i < size; i += 2 {
		bit := int32(1) << (k - c)
		g ^= (bit ^ bit>>1) & (1<<k - 1)
		if c++; c > k {
			c = 0
		}
		ring[i] = pe.At(pe.Group(), c)
		ring[i+1] = pe.At(g, c)
	}
}
`
)

// inGo holds the six policies of programs/lib/policy, written in Go. The package clause and the import of package df
// are left out.
var inGo = map[string]string{
	"ring": `var out, in df.Place

func setup(pe df.PE) {
	k, g, c := pe.K(), pe.Group(), pe.Column()
	next := c + 1
	if next > k {
		next = 0
	}
	bit := int32(1) << (k - c)
	out, in = pe.At(g^(bit^bit>>1)&(1<<k-1), next), pe.At(g, next)
}

func choose(pe df.PE, n int32) df.Place {
	if n == 1 {
		return out
	}
	return in
}
`,
	"line": `var next [2]df.Place

func setup(pe df.PE) {
	k, g, c := pe.K(), pe.Group(), pe.Column()
	for i := range next {
		if c > 0 && g < 2<<(k-c) {
			bit := int32(1) << (k - c)
			g ^= (bit ^ bit>>1) & (1<<k - 1)
		}
		if c++; c > k {
			c = 0
		}
		next[i] = pe.At(g, c)
	}
}

func choose(pe df.PE, n int32) df.Place { return next[n-1] }
`,
	"random": `var all [1024]df.Place
var size int32

` + allPEs + `
func choose(pe df.PE, n int32) df.Place { return all[pe.Random(size)] }
`,
	"ring-random": `var ring [32]df.Place
var size int32

` + onCircuits + `
func choose(pe df.PE, n int32) df.Place { return ring[pe.Random(size)] }
`,
	"round-robin": `var all [1024]df.Place
var size, turn int32

` + allPEs + `
func choose(pe df.PE, n int32) df.Place {
	t := turn
	next := t + 1
	if next == size {
		next = 0
	}
	turn = next
	return all[t]
}
`,
	"ring-round-robin": `var ring [32]df.Place
var size, turn int32

` + onCircuits + `
func choose(pe df.PE, n int32) df.Place {
	t := turn
	next := t + 1
	if next == size {
		next = 0
	}
	turn = next
	return ring[t]
}
`,
}

// writePolicies writes the policies in Go to a folder.
func writePolicies(t *testing.T, dir string) {
	t.Helper()
	for name, text := range inGo {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".go"),
			[]byte("package policy\n\nimport \"emsim/df\"\n\n"+text), 0o666))
	}
}

// words returns the words that a run sends to the host, and its clocks.
func words(t *testing.T, s *Spec) ([]uint64, uint64) {
	t.Helper()
	s.Machine.Name, s.Threads = "emc-r", 1
	x, err := s.Build(t.Context())
	require.NoError(t, err)
	b := New(x, Plan{Runs: 1})
	require.NoError(t, b.Begin())
	err = b.Advance(t.Context(), em4.ToEnd)
	one, _ := b.EndRun(err)
	require.NoError(t, err)
	return one.Words, one.Clocks
}

// asker returns a program in which the PE of its argument chooses places for the calls, one after the other.
func asker(calls int) string {
	var b strings.Builder
	b.WriteString(".include \"lib/place.s\"\n.arg pe, 0, 0x7fffffff, begin\n.init init\nbegin: send.d! r1, r1, " +
		"work\nwork: nop\n")
	for i := range calls {
		fmt.Fprintf(&b, " choose %d\n out r3\n", 1+i%2)
	}
	b.WriteString(" nop!\ninit: place_init\n place_search\n.template none\n nop!\n.endtemplate\n place_blocks " +
		"none\n place_data\n")
	return b.String()
}

// The policies in Go choose the same places as the ones in assembly language, on machines of three sizes. Programs take
// about as long with both, because they differ only in the check of an index.
func TestPoliciesInGo(t *testing.T) {
	dir := t.TempDir()
	writePolicies(t, dir)
	program := filepath.Join(dir, "ask.s")
	require.NoError(t, os.WriteFile(program, []byte(asker(41)), 0o666))
	for name := range inGo {
		file := filepath.Join(dir, name+".go")
		for _, at := range [][3]int{{12, 2, 1}, {80, 13, 0}, {80, 15, 4}, {1024, 77, 3}} {
			places := func(policy string) []uint64 {
				list, _ := words(t, &Spec{
					Program: program, Args: []string{fmt.Sprint((at[1]<<3 | at[2]) << 18)},
					Params: map[string]string{"policy": policy}, Seed: 7, Machine: Machine{PEs: &at[0]},
				})
				return list
			}
			require.Equal(t, places(name), places(file), "%s on PE %v", name, at)
		}
		sum, cells := 0.0, 0.0
		for _, call := range []string{"fib 14", "queens 6", "sort 60"} {
			for _, pes := range []int{12, 80} {
				clocks := func(policy string) float64 {
					f := strings.Fields(call)
					_, n := words(t, &Spec{
						Program: f[0], Args: f[1:], Params: map[string]string{"policy": policy},
						Seed: 1, Machine: Machine{PEs: &pes},
					})
					return float64(n)
				}
				sum, cells = sum+math.Log(clocks(file)/clocks(name)), cells+1
			}
		}
		require.InDelta(t, 1, math.Exp(sum/cells), 0.1, name)
	}
	require.Len(t, inGo, len(programs.Policies()))
}

// Mistakes and panics of a policy are reported with their lines.
func TestPolicyMistakes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.go")
	run := func(text string) error {
		require.NoError(t, os.WriteFile(file, []byte("package policy\n\nimport \"emsim/df\"\n\n"+text), 0o666))
		x, err := (&Spec{
			Machine: Machine{Name: "12"}, Program: "fib", Args: []string{"5"},
			Params: map[string]string{"policy": file}, Seed: 1, Threads: 1,
		}).Build(t.Context())
		if err != nil {
			return err
		}
		b := New(x, Plan{Runs: 1})
		require.NoError(t, b.Begin())
		return b.Advance(t.Context(), em4.ToEnd)
	}
	const choose = "func choose(pe df.PE, n int32) df.Place { return pe.At(pe.Group(), 0) }\n"
	require.NoError(t, run(choose))
	require.NoError(t, run("var got, large int32\n\nfunc setup(pe df.PE) { large = 0x12345678 }\n\nfunc receive(pe "+
		"df.PE, word int32) { got += word }\n\nfunc choose(pe df.PE, n int32) df.Place {\n\tpe.Send(pe.At(0, 0), "+
		"got+large)\n\treturn pe.At(0, 1)\n}\n"))
	const head = "func choose(pe df.PE, n int32) df.Place "
	for text, want := range map[string]string{
		"func chose(pe df.PE, n int32) df.Place { return 0 }": "mine.go:5:6: a policy has the functions choose(pe " +
			"df.PE, n int32) df.Place, setup(pe df.PE)",
		"var x int32": "a policy says where a call goes: func choose(pe df.PE, n int32) df.Place",
		"var x = f()\n" +
			choose: "undefined: f",
		"var x []int32\n" +
			choose: "mine.go:5:5: the type []int32 has no translation",
		choose +
			"func setup(pe df.PE) { x = 1 }": "mine.go:6:24: undefined: x",
		head + "{ n++; return 0 }":                                       "mine.go:5:43: cannot assign to n",
		head + "{ pe.Send(0, 1); return 0 }":                             "nothing gets what is sent: write func receive(pe df.PE, word int32)",
		head + "{ df.NewPE(nil); return 0 }":                             "mine.go:5:43:",
		head + "{ return 5 }":                                            "mine.go:5:50: 5 is no df.Place: pe.At(group, column) makes one",
		head + "{ return pe.At(0, pe.Random(-1)) }":                      "mine.go:5:59: pe.Random(n) is a number from 0 to n-1, and n is -1",
		head + "{\n\tif n > 0 {\n\t\tpanic(1)\n\t}\n\treturn 0\n}":       "mine.go:7): the program panics: it called panic",
		head + "{\n\tif pe.K() == 2 {\n\t\tpanic(1)\n\t}\n\treturn 0\n}": "mine.go:7): the program panics: it called panic",
		head + "{ go setup(pe); return 0 }\nfunc setup(pe df.PE) {}":     "mine.go:5:46:",
		"var at [3]df.Place\nvar i int32\n\nfunc choose(pe df.PE, n int32) df.Place {\n\ti += 2\n\treturn at[i]\n}": "mine.go:10",
	} {
		err := run(text)
		require.ErrorContains(t, err, want, text)
	}
}
