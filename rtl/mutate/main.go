// Command mutate puts small mistakes into the SystemVerilog, one at a time, and
// sees whether the comparison with the model finds them. It prints the table of
// docs/RTL.md. Each mistake is verilated anew, so a run takes long.
//
//	go run ./rtl/mutate [-n 4] [-seed 1] [MODULE.sv...]
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"emsim/rtl"
)

// notTried are files without behaviour of their own: emcr.sv and pair.sv only
// connect.
var notTried = []string{"emcr.sv", "pair.sv"}

// suites are the tests that a mutant has to survive, the fast ones first.
var suites = []string{
	"^(TestSwitches|TestFib|TestLibrary|TestFaults|TestArithmetic|TestCorners|TestRandomPrograms)$",
	"^(TestLibraryAndPolicies|TestManyRandomPrograms)$",
}

func main() {
	n := flag.Int("n", 4, "mistakes a module")
	seed := flag.Uint64("seed", 1, "another seed takes other ones")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *n, *seed, flag.Args()); err != nil {
		fmt.Fprintf(os.Stderr, "mutate: %v\n", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, n int, seed uint64, modules []string) error {
	work, err := os.MkdirTemp("", "emsim-rtl-mutants")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	test := filepath.Join(work, "rtl.test")
	if out, err := exec.CommandContext(ctx, "go", "test", "-c", "-tags", "slow", "-o", test, "./rtl").CombinedOutput(); err != nil {
		return fmt.Errorf("the tests do not build: %w\n%s", err, out)
	}
	sources := rtl.Embedded()
	if len(modules) == 0 {
		modules = slices.DeleteFunc(sources.Modules(), func(m string) bool { return slices.Contains(notTried, m) })
	}
	tried, found := 0, 0
	for _, m := range modules {
		if sources[m] == "" {
			return fmt.Errorf("there is no module %s", m)
		}
		points := mistakes(sources[m])
		r := rand.New(rand.NewPCG(seed, uint64(len(m))))
		r.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		for _, p := range points[:min(n, len(points))] {
			how, err := tryMistake(ctx, work, test, sources, m, p)
			if err != nil {
				return err
			}
			fmt.Printf("| `%s` | %d | `%s` | %s |\n", m, p.line, strings.ReplaceAll(p.what, "|", "\\|"), how)
			if how == "does not build" {
				continue
			}
			tried++
			if how != "lives" {
				found++
			}
		}
	}
	fmt.Printf("%d of %d found\n", found, tried)
	return ctx.Err()
}

// mistake is one change of a file.
type mistake struct {
	line       int
	from, to   int // bytes of the file that are replaced
	text, what string
}

var (
	operators = regexp.MustCompile(`==|!=|&&|\|\||>=| \+ | - | < | & | \| |!|\b\d+'[bd]\d+\b|\b\w+_q(?:\[[^\]]*\])? +<= [^;]*;`)
	swaps     = map[string]string{"==": "!=", "!=": "==", "&&": "||", "||": "&&", ">=": "<", " + ": " - ", " - ": " + ", " < ": " >= ", " & ": " | ", " | ": " & ", "!": ""}
	constant  = regexp.MustCompile(`^(\d+)'([bd])(\d+)$`)
	// What is left out: comments, the probe, which only shows registers, and the
	// widths in declarations.
	leftOut = regexp.MustCompile(`^\s*(//|input|output|localparam|parameter|typedef|assign probe|assign unused|logic unused)`)
)

// mistakes lists all that can be made in a file.
func mistakes(text string) (list []mistake) {
	at, inProbe := 0, false
	for i, line := range strings.SplitAfter(text, "\n") {
		code, _, _ := strings.Cut(line, "//")
		inProbe = inProbe || strings.Contains(code, "assign probe")
		if !inProbe && !leftOut.MatchString(line) {
			for _, m := range operators.FindAllStringIndex(code, -1) {
				old := code[m[0]:m[1]]
				changed, ok := swaps[old]
				if !ok {
					changed = change(old)
				}
				if changed == old {
					continue
				}
				list = append(list, mistake{i + 1, at + m[0], at + m[1], changed, fmt.Sprintf("%s → %s", strings.TrimSpace(code[max(0, m[0]-14):min(len(code)-1, m[1]+10)]), strings.TrimSpace(code[max(0, m[0]-14):m[0]]+changed+code[m[1]:min(len(code)-1, m[1]+10)]))})
			}
		}
		if strings.Contains(code, ";") {
			inProbe = false
		}
		at += len(line)
	}
	return list
}

// change alters a constant, or drops a register's assignment.
func change(old string) string {
	m := constant.FindStringSubmatch(old)
	if m == nil {
		return ";"
	}
	base := map[string]int{"b": 2, "d": 10}[m[2]]
	width, _ := strconv.Atoi(m[1])
	v, err := strconv.ParseUint(m[3], base, 64)
	if err != nil {
		return old
	}
	return fmt.Sprintf("%d'd%d", width, (v+1)%(1<<min(width, 62)))
}

// tryMistake says which suite finds a mistake, or "lives".
func tryMistake(ctx context.Context, work, test string, s rtl.Sources, module string, p mistake) (string, error) {
	dir := filepath.Join(work, "rtl")
	if err := os.RemoveAll(dir); err != nil {
		return "", err
	}
	mutant := maps.Clone(s)
	mutant[module] = s[module][:p.from] + p.text + s[module][p.to:]
	if err := mutant.Write(dir); err != nil {
		return "", err
	}
	for i, suite := range suites {
		cmd := exec.CommandContext(ctx, test, "-test.run", suite, "-test.failfast", "-test.timeout", "20m")
		cmd.Dir, cmd.Env = "rtl", append(os.Environ(), rtl.SourcesEnv+"="+dir, "XDG_CACHE_HOME="+work)
		out, err := cmd.CombinedOutput()
		switch {
		case ctx.Err() != nil:
			return "", ctx.Err()
		case bytes.Contains(out, []byte("cannot build")):
			return "does not build", nil
		case err != nil:
			return "found" + []string{"", " by the slow tests"}[i], nil
		}
	}
	return "lives", nil
}
