package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/em4"
	"emsim/internal/machine/run"
)

// example matches a program in MACROS.md: its first line has its name, arguments and answer.
var example = regexp.MustCompile("(?s)```asm\n; (\\w+\\.s)([ \\d]*) -> ([\\d ]+)\n.*?```")

// The examples in MACROS.md give their answers, with every choice of MLPE and two policies, and release every
// segment.
func TestLibraryExamples(t *testing.T) {
	page, err := os.ReadFile("MACROS.md")
	require.NoError(t, err)
	list := example.FindAllStringSubmatch(string(page), -1)
	require.Len(t, list, strings.Count(string(page), "```asm"), "an example lacks its first line")
	require.Greater(t, len(list), 5)
	for _, m := range list {
		t.Run(m[1], func(t *testing.T) {
			file := filepath.Join(t.TempDir(), m[1])
			text := strings.TrimSuffix(strings.TrimPrefix(m[0], "```asm\n"), "```")
			require.NoError(t, os.WriteFile(file, []byte(text), 0o666))
			for _, params := range []map[string]string{
				nil, {"mlpe": "on"}, {"mlpe": "software"}, {"mlpe": "on", "registers": "all"}, {"mlpe": "on", "mlpe_reach": "far"}, {"policy": "random"}, {"policy": "line", "mlpe": "on"},
			} {
				pes := 80
				spec := &run.Spec{Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: file, Args: strings.Fields(m[2]), Params: params, Seed: 1, Threads: 1}
				target, err := spec.Build(t.Context())
				require.NoError(t, err, "%v", params)
				s := run.New(target, run.Plan{Runs: 1})
				require.NoError(t, s.Begin())
				require.NoError(t, s.Advance(t.Context(), em4.ToEnd), "%v", params)
				one, _ := s.EndRun(nil)
				var words []string
				for _, w := range one.Words {
					words = append(words, strconv.FormatUint(w, 10))
				}
				require.Equal(t, m[3], strings.Join(words, " "), "%v", params)
				require.Empty(t, s.Leaks, "%v", params)
			}
		})
	}
}

// parts lists files that each belong to one program.
var parts = map[string]bool{"lib/fib_inline.s": true, "lib/pi_reciprocal.s": true, "lib/sum_counted.s": true}

// MACROS.md describes every file of the library, and every macro with its parameters.
func TestLibraryMacros(t *testing.T) {
	page, err := os.ReadFile("MACROS.md")
	require.NoError(t, err)
	files, err := filepath.Glob("../programs/lib/*.s")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	macro := regexp.MustCompile(`(?m)^\.macro (\w+)(?: ([\w, =]+))?`)
	for _, f := range files {
		name := "lib/" + filepath.Base(f)
		require.Contains(t, string(page), "`"+name+"`")
		if parts[name] {
			continue
		}
		text, err := os.ReadFile(f)
		require.NoError(t, err)
		for _, m := range macro.FindAllStringSubmatch(string(text), -1) {
			call := regexp.MustCompile("`" + m[1] + "( [^`]*)?`").FindStringSubmatch(string(page))
			require.NotNil(t, call, "MACROS.md lacks %s of %s", m[1], name)
			if given := strings.TrimSpace(call[1]); given != "" {
				require.Len(t, strings.Split(given, ","), len(strings.Split(strings.TrimSpace(m[2]), ",")), "parameters of %s", m[1])
			}
		}
	}
}
