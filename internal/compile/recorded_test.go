package compile_test

import (
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

// What the compiler made of all programs, and of random ones, when somebody last
// looked: lines of assembly text, a digest, what was counted on the way, and of a program of
// the library a digest of its graph of blocks. A change that is meant is
// recorded by -update; one that is not has changed the text of programs that no
// other test looks at. `emsim build` shows the texts.
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
