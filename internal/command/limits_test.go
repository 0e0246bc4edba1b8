package command

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
)

// numbers maps flag types to values that a command must either reject or handle.
var numbers = map[string][]string{
	"int":          {large, "2147483648", "0", "-1", "NaN"},
	"int64":        {huge, "0", "-1"},
	"intSlice":     {large, "2147483648", "0", "-1", "3,NaN"},
	"uint64":       {hugest, "0", "-1"},
	"float64Slice": {"NaN", "Inf", "0", "-1", "80,1e308"},
	"float64":      {"NaN", "Inf", "1e308", "1e-300", "-1", "0.03"},
	"duration":     {"2562047h", "-1s", "1ns"},
}

const (
	large  = "4611686018427387904"
	huge   = "9223372036854775807"
	hugest = "18446744073709551615"
)

// quick maps each command with numeric flags to a fast command line.
var quick = map[string]string{
	"balance compare": "--policy none --workload uneven --workers 2 --grain 3",
	"balance limit":   "--policy none --workers 2 --grain 3",
	"build":           "../../programs/go/fib/fib.go -o OUT.s",
	"calibrate":       "",
	"debug":           "fib 3 --pes 12",
	"diff":            "fib 3 --pes 12 --vs fifo_words=30",
	"grade":           "three ../machine/exercise/library/three-right.s",
	"machine show":    "",
	"mnc run":         "--items 5 --loops 3",
	"mnc profile":     "--items 5 --loops 3",
	"rhinet profile":  "--nodes 8 --rows 64 --policy glb --loaded one",
	"spmd profile":    "",
	"pdes profile":    "--slots 5",
	"balance profile": "--workload loop --workers 3 --grain 3",
	"balance run":     "--workload loop --workers 3 --grain 3",
	"mnc topology":    "",
	"net":             "",
	"net traffic":     "--pes 12 --clocks 5",
	"pdes calibrate":  "--shape 1x1",
	"pdes cost":       "--shape 4",
	"pdes run":        "--slots 5",
	"pdes scatter":    "--runs 2",
	"verify":          "003.t1.6.util",
	"play":            "fib 3 --no-open --addr nowhere",
	"plot":            "timeline fib 3 --pes 12 -o OUT.svg",
	"ask":             "held fib 3 --pes 12",
	"profile":         "fib 3 --pes 12",
	"report":          "-o OUT.html",
	"rhinet run":      "--nodes 8 --rows 64 --policy glb --loaded one",
	"run":             "fib 3 --pes 12",
	"spmd run":        "",
	"sweep":           "none.toml",
	"trace":           "fib 3 --pes 12",
}

// with maps flags to the other flags that they require.
var with = map[string]string{
	"pdes cost --from":      "--graph ../../docs/examples/pdes-graph.txt",
	"pdes cost --slots":     "--graph ../../docs/examples/pdes-graph.txt",
	"net traffic --workers": "--curve --clocks 5 --warm 5",
	"run --at":              "--checkpoint OUT.ckp",
	"mnc run --at":          "--checkpoint OUT.ckp",
	"spmd run --at":         "--checkpoint OUT.ckp",
	"rhinet run --at":       "--checkpoint OUT.ckp",
	"pdes run --at":         "--checkpoint OUT.ckp",
	"run --sample":          "--series OUT.csv",
	"mnc run --sample":      "--series OUT.csv",
	"pdes run --sample":     "--series OUT.csv",
	"rhinet run --sample":   "--series OUT.csv",
	"spmd run --sample":     "--series OUT.csv",
	"balance run --sample":  "--series OUT.csv",
	"pdes run --interval":   "--migrate-at 100",
	"rhinet run --steps":    "--application heat --nodes 8 --rows 64 --loaded none",
}

// takes lists flags that accept a huge number, which means never, or as much as possible.
var takes = map[string]bool{
	"run --max-clocks": true, "trace --max-clocks": true, "debug --max-clocks": true, "diff --max-clocks": true,
	"pdes run --max-clocks": true,
	"ask --max-clocks":      true, "ask --seed": true,
	"plot --max-clocks": true, "profile --max-clocks": true, "plot --seed": true, "profile --seed": true,
	"plot --sample": true, "profile --top": true,
	"mnc profile --top": true, "rhinet profile --top": true, "spmd profile --top": true, "pdes profile --top": true,
	"balance profile --top": true,
	"run --sample":          true, "mnc run --sample": true, "pdes run --sample": true, "rhinet run --sample": true,
	"spmd run --sample": true, "balance run --sample": true, "balance run --seed": true, "rhinet run --interval": true,
	"grade --seed": true, "run --seed": true, "trace --seed": true, "debug --seed": true, "diff --seed": true,
	"net traffic --seed": true,
	"pdes run --seed":    true, "pdes run --noise-seed": true, "rhinet run --seed": true, "spmd run --seed": true,
}

// goNames matches names of Go's fields and types, which users do not know.
var goNames = regexp.MustCompile(`\b[A-Z]?[a-z]+[A-Z][a-z]+\w*\b|\b[a-z]+\.[A-Z]\w+`)

// saved matches notes about a written checkpoint or a flag without effect, which are no failures.
var saved = regexp.MustCompile(`(?m)^note: .* (holds the run after|changes nothing:) .*\n`)

// For values that would take all memory, overflow or never end, every numeric flag of every command either states its
// limit and the reason, or handles them quickly.
func TestEveryNumberHasALimit(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	seen := map[string]bool{}
	each(newRootCmd(&app{}), func(cmd *cobra.Command, f *pflag.Flag) {
		path := strings.TrimPrefix(cmd.CommandPath(), "emsim ")
		base, known := quick[path]
		require.True(t, known, "%s has a number: give it a line in quick", path)
		flag := path + " --" + f.Name
		seen[path], seen[flag] = true, true
		for _, v := range numbers[f.Value.Type()] {
			line := strings.ReplaceAll(path+" "+base+" "+with[flag], "OUT", out)
			args := append(strings.Fields(line), "--"+f.Name+"="+v)
			if path != "debug" && path != "play" && path != "trace" {
				args = append(args, "--json")
			}
			begin := time.Now()
			var stdout, stderr bytes.Buffer
			status := command(args, strings.NewReader(""), &stdout, &stderr)
			require.Less(t, time.Since(begin), 5*time.Second, "%v", args)
			require.Contains(t, []int{0, 1, 2}, status)
			text := saved.ReplaceAllString(stderr.String(), "")
			if slices.Contains(args, "--json") {
				var x any
				require.NoError(t, json.Unmarshal(stdout.Bytes(), &x), "%v: %s", args, stdout.String())
				text += failureIn(x)
			}
			require.Equal(t, status == 0, text == "", "%v: %s", args, text)
			require.NotContains(t, text, "unsupported value", "%v", args)
			require.NotRegexp(t, goNames, text, "%v", args)
			if slices.Contains([]string{large, huge, hugest}, v) && !takes[flag] {
				require.NotZero(t, status, "%v", args)
			}
		}
	})
	for path := range quick {
		require.True(t, seen[path], "%s has no numbers any more", path)
	}
	for flag := range with {
		require.True(t, seen[flag], flag)
	}
}

// failureIn returns the message of a JSON error, or "".
func failureIn(x any) string {
	if m, ok := x.(map[string]any); ok {
		if e, ok := m["error"].(map[string]any); ok {
			return e["message"].(string)
		}
	}
	return ""
}

// each calls visit for the numeric flags.
func each(cmd *cobra.Command, visit func(*cobra.Command, *pflag.Flag)) {
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if numbers[f.Value.Type()] != nil && !ofRun(cmd, f) {
			visit(cmd, f)
		}
	})
	for _, sub := range cmd.Commands() {
		each(sub, visit)
	}
}

// Every numeric type of a flag is in numbers, so that no flag goes untested.
func TestNumbersHaveAllTypes(t *testing.T) {
	other := []string{
		"bool", "string", "stringArray", "stringSlice",
		"number 1..64 or auto",
	} // for the last type, see TestMistakes
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if numbers[f.Value.Type()] == nil {
				require.Contains(t, other, f.Value.Type(), "%s --%s", cmd.CommandPath(), f.Name)
			}
		})
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	walk(newRootCmd(&app{}))
}
