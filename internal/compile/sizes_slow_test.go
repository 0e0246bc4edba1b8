//go:build slow

package compile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/compile"
	"emsim/internal/dev/golden"
	"emsim/programs"
)

// sizes are the machines of the table.
var sizes = []int{4, 12, 80, 1024}

// manyRuns has runs of the programs that come with emsim that are long enough for many PEs.
var manyRuns = map[string][]int64{
	"fib": {18}, "knapsack": {14}, "loop": {50}, "matmul": {8}, "pi": {60}, "queens": {8}, "sort": {200},
	"stream": {20}, "sum": {20000}, "start/go/sum": {1000}, "depth": {9},
	"reads/floyd": {30}, "reads/lu": {24}, "reads/matmul": {16}, "reads/nbody": {24, 2},
}

// allPrograms returns all Go programs of the repository, each with one run, its longest.
func allPrograms(t *testing.T) (list []testProgram) {
	for _, pattern := range []string{
		"../../programs/go/*/*.go", "../../programs/start/go/*.go", "../../docs/sweeps/*/*/*.go", "testdata/*/*.go",
		"testdata/reads/*.txt",
	} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			p := testProgram{file: file, src: string(src)}
			p.name = strings.TrimSuffix(strings.TrimSuffix(file, ".txt"), ".go")
			dir, base := filepath.Split(p.name)
			p.name = strings.TrimPrefix(p.name, "testdata/")
			if strings.HasPrefix(dir, "../../programs/go/") || strings.HasPrefix(dir, "../../docs/") {
				p.name = base
			} else {
				p.name = strings.TrimPrefix(p.name, "../../programs/")
			}
			switch run, known := manyRuns[p.name]; {
			case known:
				p.runs = [][]int64{run}
			case dir == "testdata/unseen/":
				p.runs = unseen[base]
			case dir == "testdata/stops/": // none of them ends with an answer
				continue
			default:
				p.runs = runsOf(t, file, p.src)
			}
			p.runs = p.runs[len(p.runs)-1:]
			list = append(list, p)
		}
	}
	return list
}

// clocksOn returns the clocks of a program's run on machines of some sizes.
func clocksOn(t *testing.T, p testProgram, params map[string]string, sizes ...int) (clocks []uint64) {
	o := assemble(t, "p.go", p.src, compile.Options{}, params)
	var args []uint64
	for _, a := range p.runs[0] {
		args = append(args, word(a))
	}
	for _, pes := range sizes {
		_, r, err := timed(t, o, pes, args...)
		if _, panics := panicOf(o, err); !panics && !errors.As(err, new(*em4.NoResult)) {
			require.NoError(t, err, p.name)
		}
		clocks = append(clocks, r.Clocks)
	}
	return clocks
}

// costs returns how much longer a run takes on some machine than on the best smaller one, as a factor.
func costs(clocks []uint64) (factor float64) {
	for i, n := range clocks {
		factor = max(factor, float64(n)/float64(slices.Min(clocks[:i+1])))
	}
	return factor
}

// atOwn matches advice that always holds, and advice that holds for short calls.
var (
	atOwn        = regexp.MustCompile(`With //emsim:at own above (\w+)`)
	atOwnIfShort = regexp.MustCompile(`the way, //emsim:at own above (\w+)`)
)

// withOwn returns a program with //emsim:at own as some advice says.
func (p testProgram) withOwn(why string, advice *regexp.Regexp) testProgram {
	for _, m := range advice.FindAllStringSubmatch(why, -1) {
		head := regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + m[1] + `\(`)
		p.src = head.ReplaceAllStringFunc(p.src, func(s string) string { return "//emsim:at own\n" + s })
	}
	return p
}

// followed follows what --explain says. It returns the clocks, and what it did.
func (p testProgram) followed(t *testing.T, why string, before []uint64) (clocks []uint64, does string) {
	switch parts, known := inParts[p.name]; {
	case known:
		require.Contains(t, p.src, parts[0])
		p.src = strings.Replace(p.src, parts[0], parts[1], 1)
		return clocksOn(t, p, nil, sizes...), "in parts"
	case atOwn.MatchString(why):
		return clocksOn(t, p.withOwn(why, atOwn), nil, sizes...), "at own"
	case atOwnIfShort.MatchString(why):
		return clocksOn(t, p.withOwn(why, atOwnIfShort), nil, sizes...), "at own"
	case !strings.Contains(why, "Another policy may help"):
		return before, "as it is"
	}
	last := len(sizes) - 1
	clocks, does = before, "any policy"
	for _, policy := range programs.Policies() {
		for _, mlpe := range []string{"off", "on"} {
			params := map[string]string{"policy": policy, "mlpe": mlpe}
			if n := clocksOn(t, p, params, sizes[last]); n[0] < clocks[last] {
				clocks, does = clocksOn(t, p, params, sizes...), policy+" mlpe="+mlpe
			}
		}
	}
	return clocks, does
}

// inParts has what --explain says to write for a tree whose iterations are short.
var inParts = map[string][2]string{"start/go/sum": {
	"df.Sum(1, n+1, func(i int32) uint32 { return uint32(i * i) })",
	"df.Sum(0, n/32+1, func(part int32) uint32 {\n\t\ts := uint32(0)\n" +
		"\t\tfor i := 32*part; i < min(n+1, 32*part+32); i++ {\n" +
		"\t\t\ts += uint32(i * i)\n\t\t}\n\t\treturn s\n\t})",
}}

// notBetter lists the programs for which nothing that --explain says makes 1,024 PEs faster, and why.
var notBetter = map[string]string{
	"loop":            "the entry begins an iteration for every PE: more PEs do more",
	"matmul":          "64 iterations that read two rows each, after two Fills on all PEs",
	"chains/tree":     "a tree of 2^6 senders, which all policies spread",
	"programs/flats":  "nine short sums, one after the other",
	"programs/late":   "what is made together takes longer than the way",
	"programs/tables": "7 iterations of one short call: the way there and back is most of it",
	"unseen/pascal":   "a recursion of 255 short calls: the way along its longest branch is most of it",
	"reads/floyd":     "a tree for each of 30 steps, and reads of other PEs in every iteration",
	"reads/matmul":    "256 iterations that read words of all PEs, after two Fills",
	"reads/nbody":     "a tree for each step, and reads of all PEs in every iteration",
}

// The clocks of all programs on machines from 4 to 1,024 PEs are recorded. Where more PEs cost more than 5 %, --explain
// says why, and what it says to write takes fewer clocks on 1,024 PEs: it is written, and the clocks are recorded, too.
func TestMorePEs(t *testing.T) {
	var b strings.Builder
	for _, p := range allPrograms(t) {
		clocks := clocksOn(t, p, nil, sizes...)
		fmt.Fprintf(&b, "%s %s: %s", p.name, argText(p.runs[0]), strings.Trim(fmt.Sprint(clocks), "[]"))
		if factor := costs(clocks); factor > 1.05 {
			g, err := compile.NewGraph("p.go", []byte(p.src), compile.Options{})
			require.NoError(t, err)
			var why []string
			for _, f := range g.Functions {
				why = append(why, f.Farther...)
			}
			require.NotEmpty(t, why, p.name)
			better, with := p.followed(t, strings.Join(why, "\n"), clocks)
			assert.Equal(t, notBetter[p.name] == "", better[len(better)-1] < clocks[len(clocks)-1], p.name)
			fmt.Fprintf(&b, "; %s %s", with, strings.Trim(fmt.Sprint(better), "[]"))
		}
		b.WriteString("\n")
	}
	golden.Check(t, "sizes.txt", []byte(b.String()))
}
