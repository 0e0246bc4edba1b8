package compile_test

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
	"emsim/internal/dev/golden"
)

// The compiler makes the recorded texts of all programs and of random ones: lines of assembly text, a digest,
// the counts of the translation, and for programs of the library a digest of the graph. -update records an
// intended change. An unintended one has changed programs that no other test looks at. `emsim build` shows the
// texts.
func TestRecordedTexts(t *testing.T) {
	var b strings.Builder
	record := func(name, src string, opt compile.Options) {
		text, steps, words, pieces, err := compile.Counted(src, opt)
		require.NoError(t, err, name)
		fmt.Fprintf(&b, "%s %s %s: %d lines %.8x, %d steps, %d words, %d pieces", name, opt.Blocks, opt.Guards, strings.Count(text, "\n"), sha256.Sum256([]byte(text)), steps, words, pieces)
		if opt != (compile.Options{}) {
			g, err := compile.NewGraph("p.go", []byte(src), opt)
			require.NoError(t, err, name)
			fmt.Fprintf(&b, ", graph %.8x", sha256.Sum256(fmt.Appendf(nil, "%+v", *g)))
		}
		b.WriteString("\n")
	}
	files, err := filepath.Glob("../../programs/go/*/*.go")
	require.NoError(t, err)
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".go")
		for _, blocks := range []compile.Blocks{compile.Largest, compile.Medium, compile.Finest} {
			for _, guards := range []compile.Guards{compile.Caller, compile.Callee} {
				record(name, source(t, name), compile.Options{Blocks: blocks, Guards: guards})
			}
		}
	}
	for seed := range uint64(20) {
		src, _ := randomProgram(seed)
		record(fmt.Sprint("random ", seed), src, compile.Options{})
	}
	for i, text := range slices.Concat(rareForms, onceWrong) {
		record(fmt.Sprint("form ", i), formsHead+text, compile.Options{})
	}
	golden.Check(t, "texts.txt", []byte(b.String()))
}

// All test programs give the recorded answers in the recorded clocks: on 4, 12 and 80 PEs, and on 12 PEs in
// every other way. A change that costs clocks shows here.
func TestRecordedClocks(t *testing.T) {
	var b strings.Builder
	record := func(name, src string, runs [][]int64) {
		for _, way := range everyWay {
			sizes := []int{12}
			if way == (compile.Options{}) {
				sizes = []int{4, 12, 80}
			}
			o := assemble(t, "p.go", src, way, nil)
			for _, args := range runs {
				var clocks []string
				answer := ""
				for _, pes := range sizes {
					var words []uint64
					for _, a := range args {
						words = append(words, word(a))
					}
					r, err := onMachine(t, o, pes, words...)
					answer = fmt.Sprint(r.Words)
					if err != nil {
						var panics bool
						answer, panics = panicOf(o, err)
						require.True(t, panics, "%s %v %+v: %v", name, args, way, err)
					}
					clocks = append(clocks, fmt.Sprint(r.Clocks))
				}
				fmt.Fprintf(&b, "%s %s, %s: %s clocks, %s\n", name, argText(args), wayText(way), strings.Join(clocks, " "), answer)
			}
		}
	}
	for _, p := range testPrograms(t) {
		record(p.name, p.src, p.runs)
	}
	for i, text := range slices.Concat(rareForms, onceWrong) {
		record(fmt.Sprint("form ", i), formsHead+text, [][]int64{{7}})
	}
	golden.Check(t, "clocks.txt", []byte(b.String()))
}

// wayText names the options of a way to compile that are not the default.
func wayText(way compile.Options) string {
	text := strings.TrimSpace(string(way.Blocks) + " " + string(way.Guards))
	return cmp.Or(text, "default")
}
