//go:build slow

package command

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"emsim/internal/dev/needs"
)

// numbered lists small cases of every machine, and of every command that prints numbers.
var numbered = []string{
	"ask held fib 8 --pes 12",
	"balance run --workers 4 --workload tree --grain 3 --json",
	"balance limit --workers 4 --grain 30 --seeds 2 --workload bursty --policy stealing --json",
	"balance compare --workers 16 --seeds 2 --workload uneven,loop --json",
	"balance compare --workers 4 --grain 5 --seeds 2 --policy clb,stealing --workload uneven,source --details",
	"run fib 7 --pes 12 --json",
	"run matmul 4 --pes 12 --seed 3 --stats st.csv",
	"run fib 9 --pes 12 --series se.csv --sample 100",
	"run fib 7 --pes 12 --seeds 3",
	"net --pes 32 --json",
	"net traffic --pes 12 --clocks 500 --load .3 --json",
	"net traffic --pes 12 --clocks 500 --curve --pattern uniform -o curve.svg",
	"mnc topology --pes 4 --json",
	"mnc run --pes 4 --items 100 --loops 10 --each --json",
	"rhinet run --nodes 8 --rows 64 --policy glb --loaded one --json",
	"rhinet run --nodes 4 --application heat --rows 64 --json",
	"spmd run --policy static --seeds 2 --json",
	"spmd run --json",
	"pdes run --slots 50 --network torus --migrate-at 2000 --json",
	"pdes cost --stages 2 --json",
	"pdes calibrate --network torus --json",
	"pdes scatter --stages 2 --runs 2 --json",
	"sweep s.toml -o s.sweep",
	"sweep mnc.toml -o s.sweep",
	"sweep rhinet.toml -o s.sweep",
	"sweep spmd.toml -o s.sweep",
	"sweep pdes.toml -o s.sweep",
	"sweep net.toml -o s.sweep",
	"verify 000.exact --json",
	"profile fib 7 --pes 12 --pprof p.pb",
	"plot heatmap fib 9 --pes 12 -o heatmap.svg",
	"plot speedup fib 7 --pes 32 -o speedup.svg",
	"plot motion fib 7 --pes 12 -o motion.svg",
	"plot em4-programs -o programs.svg",
	"plot balance-time -o balance.svg",
	"plot mnc-map -o mnc.svg",
	"plot spmd-tasks -o spmd.svg",
	"plot pdes-maps -o pdes.svg",
	"plot rhinet-waiting -o rhinet.svg",
	"report fib 8 --pes 12 -o page.html",
	"machine show pdes --json",
	"trace fib 5 --pes 12 -o t.vcd",
	"trace fib 5 --pes 12 -o t.pftrace",
	"trace fib 5 --pes 12 -o t.kanata",
	"trace fib 5 --pes 12 -o t.txt",
	"asm p.s -o p.emo --listing l.txt",
	"build own.go -o own.s",
	"grade three p.s",
	"plot blocks own.go -o blocks.svg",
	"run own.go 5 --pes 12 --json",
	"diff fib 5 --pes 12 --vs seed=2 --json",
}

// unnumbered maps the commands that print no computed numbers, or are tested elsewhere, to the reason.
var unnumbered = map[string]string{
	"calibrate": "verify's rows, many times over", "debug": "the states of run", "dis": "the reverse of asm",
	"new":     "a text",
	"again":   "the numbers of other commands",
	"version": "names the processor; see the end of TestProcessors",
	"play":    "the page's engine: TestRealNumbersInThePage", "licenses": "a text", "docs": "a text", "cite": "a text",
	"pdes patterns": "no real numbers", "balance validate": "the recorded means of 64 seeds, beside other models",
	"completion bash": "a text", "completion zsh": "a text", "completion fish": "a text",
	"completion powershell": "a text", "help": "a text", "": "the help",
}

func init() {
	eachLooker(func(path, line, kind string) { numbered = append(numbered, path+" "+line+" "+works[kind+" run"]) })
}

func TestProcessorsHaveEveryCommand(t *testing.T) {
	eachCommand(func(path string, _ *cobra.Command) {
		has := slices.ContainsFunc(numbered,
			func(line string) bool { return line == path || strings.HasPrefix(line, path+" ") })
		require.NotEqual(t, has, unnumbered[path] != "", "%q needs a line in numbered, or a reason in unnumbered", path)
	})
}

// ownGo is the user's own Go program, own.go, in the documented command lines.
const ownGo = "package main\n\n//emsim:arg n 1 9\nfunc twice(n int32) int32 {\n\tif n < 2 {\n\t\treturn " +
	"n\n\t}\n\treturn twice(n-1) + twice(n-2)\n}\n\nfunc main() {}\n"

// swept lists small sweeps of the other machines: knobs by file name.
var swept = map[string]string{
	"mnc":     "pes = 4, items = 100, loops = 10",
	"rhinet":  "nodes = 8, rows = 64",
	"spmd":    `policy = "static"`,
	"pdes":    "slots = 50",
	"net":     "pes = 12, load = 0.3, clocks = 300",
	"balance": `workload = "tree", workers = 3, grain = 3`,
}

// On a processor that fuses products and sums, with other assembly in package math, the answers are the same as here:
// standard output, status, and all files.
func TestProcessors(t *testing.T) {
	qemu := needs.Tool(t, "qemu-aarch64-static")
	binary := filepath.Join(t.TempDir(), "emsim")
	build := exec.Command("go", "build", "-o", binary, "emsim/cmd/emsim")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)
	text, err = exec.Command(qemu, binary, "version").CombinedOutput()
	require.NoError(t, err, "the models' fingerprint: %s", text)
	for _, line := range numbered {
		t.Run(line, func(t *testing.T) {
			own := answers(t, func(args []string) (string, int) {
				status, out, errs := emsim(args...)
				return out + errs, status
			}, line)
			require.Equal(t, own, answers(t, func(args []string) (string, int) {
				var out, errs bytes.Buffer
				cmd := exec.Command(qemu, append([]string{binary}, args...)...)
				cmd.Stdout, cmd.Stderr = &out, &errs
				err := cmd.Run()
				if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
					require.NoError(t, err)
				}
				return out.String() + errs.String(), cmd.ProcessState.ExitCode()
			}, line))
		})
	}
}

// In WebAssembly, the models' computations with real numbers give the recorded bits, and the page's engine gives the
// recorded states and answers.
func TestRealNumbersInThePage(t *testing.T) {
	needs.Tool(t, "node")
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	script := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	for _, args := range [][]string{
		{"emsim/internal/base/portable"},
		{"emsim/internal/study/spread"},
		{"-run=^TestRuns$", "emsim/internal/play/engine"},
	} {
		cmd := exec.Command("go", append([]string{"test", "-vet=off", "-v", "-exec=" + script}, args...)...)
		cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		text, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", text)
		require.Contains(t, string(text), "--- PASS")
	}
}

// clocked matches values measured by a wall clock.
var clocked = regexp.MustCompile(`(?m)"(wall_seconds|fast_share|[a-z_]+_per_second)": [-+0-9.e]+,?\n|` +
	`^(wall time|simulated in|simulated) .*$|, in [0-9.]+ m?s$`)

// compared lists the endings of files without times.
var compared = []string{".csv", ".svg", ".html", ".pb", ".vcd", ".pftrace", ".kanata", ".txt", ".emo", ".s"}

// answers returns what a command line prints and writes in a new folder.
func answers(t *testing.T, run func(args []string) (string, int), line string) map[string]string {
	all := map[string]string{}
	inFolder(t, func(t *testing.T) {
		for machine, knobs := range swept {
			text := fmt.Sprintf("title = \"small\"\n[[grid]]\nmachine = %q\nset = { %s }\n", machine, knobs)
			require.NoError(t, os.WriteFile(machine+".toml", []byte(text), 0o600))
		}
		require.NoError(t, os.WriteFile("own.go", []byte(ownGo), 0o600))
		out, status := run(strings.Fields(line))
		require.LessOrEqual(t, status, 1, out) // a rejected solution is an answer, a wrong command line is not
		all["output"] = fmt.Sprintf("%d\n%s", status, clocked.ReplaceAllString(out, ""))
		require.NoError(t, filepath.WalkDir(".", func(name string, _ fs.DirEntry, err error) error {
			if err != nil || !slices.Contains(compared, filepath.Ext(name)) {
				return err
			}
			text, err := os.ReadFile(name)
			all[name] = string(text)
			return err
		}))
	})
	return all
}
