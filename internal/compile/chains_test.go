package compile_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
)

// chains returns the programs of testdata/chains, in which receiving ends are handed on after use.
func chains(t *testing.T) (list []goProgram) {
	files, err := filepath.Glob("testdata/chains/*.go")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(t, err)
		text, _, ok := strings.Cut(string(src), "func main() {") // the oracle's binary has a main function of its own
		require.True(t, ok, file)
		list = append(list, goProgram{src: text, runs: runsOf(t, file, text)})
	}
	return list
}

// Receiving ends that are handed on after use, and chains that loops make, give the answers that Go gives where an int
// has 32 bits, in every way to compile. A sender that nobody asks any more leaves nothing in the machine.
func TestChains(t *testing.T) {
	list := chains(t)
	for i, p := range list {
		for _, way := range everyWay {
			list[i].objects = append(list[i].objects, assemble(t, "p.go", p.src, way, nil))
		}
	}
	sameAsGo(t, list, "GOARCH=386", "GODEBUG=asyncpreemptoff=1")
}

// They give the answers of 12 PEs on machines of other sizes, with other policies, and with MLPE.
func TestChainsEverywhere(t *testing.T) {
	for _, p := range chains(t) {
		run := p.runs[len(p.runs)-1]
		plain := assemble(t, "p.go", p.src, compile.Options{}, nil)
		want, wrong := onMachine(t, plain, 12, word(run[0]))
		for _, params := range []map[string]string{nil, {"policy": "random"}, {"policy": "line"}, {"mlpe": "on"}} {
			o := assemble(t, "p.go", p.src, compile.Options{}, params)
			for _, pes := range []int{4, 80, 1024} {
				about := fmt.Sprintf("%d PEs, %v\n%s", pes, params, p.src)
				_, got, err := timed(t, o, pes, word(run[0])) // MLPE keeps segments
				if says, panics := panicOf(plain, wrong); panics {
					text, _ := panicOf(o, err)
					require.Equal(t, says, text, about)
					continue
				}
				require.NoError(t, err, about)
				require.Equal(t, want.Words, got.Words, about)
			}
		}
	}
}

// The sieve's entry returns the 1,000th prime. What its loop starts lies on all PEs: no PE has more than its part, and
// one.
func TestSieve(t *testing.T) {
	src, err := os.ReadFile("testdata/chains/sieve.go")
	require.NoError(t, err)
	for pes, most := range map[int]int{4: 251, 80: 13, 1024: 2} {
		o := assemble(t, "sieve.go", string(src), compile.Options{}, nil)
		m, r, err := timed(t, o, pes, 1000)
		require.NoError(t, err)
		require.Equal(t, []uint64{7919}, r.Words)
		busiest := 0
		for i := range pes {
			busiest = max(busiest, m.PE(i).SegmentsPeak())
		}
		require.LessOrEqual(t, busiest, most, "%d PEs", pes)
	}
}

// A deadlock of Go ends the run, and names a node that waits.
func TestChainsDeadlock(t *testing.T) {
	const head = "package main\n\nfunc g(n int32, c chan<- int32) {\n\tfor i := range n {\n\t\tc <- i\n\t}\n}\n\n" +
		"func h(in <-chan int32, out chan<- int32) {\n\tfor x := range in {\n\t\tout <- x\n\t}\n}\n\n" +
		"func one(c <-chan int32) int32 { return <-c }\n\nfunc two(a, b chan<- int32) {\n\ta <- 1\n\tb <- 2\n}\n\n"
	for body, node := range map[string]string{
		"\tc := make(chan int32)\n\tgo g(1, c)\n\tn += <-c\n\treturn n + <-c\n":                                                                     "g_.want_c",
		"\tc, d := make(chan int32), make(chan int32)\n\tgo g(2, c)\n\tn += <-c\n\tgo h(c, d)\n\tfor x := range d {\n\t\tn += x\n\t}\n\treturn n\n": "h.want_out",
		"\ta, b := make(chan int32), make(chan int32)\n\tgo two(a, b)\n\tx := <-b\n\treturn x + <-a\n":                                              "two.want_a",
		"\ta, b := make(chan int32), make(chan int32)\n\tgo two(a, b)\n\treturn one(b) + one(a)\n":                                                  "two.want_b",
	} {
		o := assemble(t, "p.go", head+entry[len("\n"):]+"func f(n int32) int32 {\n"+body+"}\n", compile.Options{}, nil)
		for _, pes := range []int{4, 80} {
			m, _, err := timed(t, o, pes, 3)
			require.ErrorContains(t, err, "without a word to the host")
			var nodes []string
			for _, x := range m.HalfMatched(9) {
				nodes = append(nodes, o.NameAt(x.Node.Code))
			}
			require.Contains(t, nodes, node)
		}
	}
}

// Random programs that make, extend, exchange and hand on channels answer as Go's do, in one of the ways to compile.
func TestRandomChains(t *testing.T) {
	const together = 100 // programs in one binary
	for first := 0; first < randomPrograms; first += together {
		var list []goProgram
		for seed := first; seed < min(first+together, randomPrograms); seed++ {
			w := &chainWriter{Rand: rand.New(rand.NewPCG(uint64(seed), 54))}
			p := goProgram{src: w.program(), runs: [][]int64{{0}, {w.Int64N(9)}, {w.Int64N(99)}}}
			p.objects = append(p.objects, assemble(t, "p.go", p.src, everyWay[seed%len(everyWay)], nil))
			list = append(list, p)
		}
		sameAsGo(t, list)
	}
}
