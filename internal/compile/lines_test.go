package compile_test

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"emsim/internal/compile"
	"emsim/internal/dev/golden"
	"emsim/internal/inspect/debug"
	"emsim/internal/machine/run"
)

// The debugger comes to a line as often as Go runs it, by the counts of go build -cover. Exceptions are lines
// of testdata/lines.txt: a change that adds some has made the debugger worse.
//
// Go counts the head of a loop once, and the debugger passes it in every iteration. A line where no statement
// begins has no count, such as the head of a function or the rest of a long statement.
//
// The interpreter of the intermediate representation always has Go's counts.
//
// The exceptions keep the largest result of calls with an if statement. The results come in another order than in Go.
func TestHitsOfLines(t *testing.T) {
	programs := testPrograms(t)
	covered := newCovered(t, programs)
	var b strings.Builder
	wrong, right, formed := 0, 0, 0
	for i, p := range programs {
		args := p.runs[len(p.runs)-1]
		want := covered.counts(t, i, args)
		form, err := compile.IR(p.file, []byte(p.src), compile.Options{})
		require.NoError(t, err)
		require.NoError(t, verify(form))
		if whole(form) {
			_, have := interpret(form, args)
			for line, c := range want {
				require.True(t, c.least <= have[line] && have[line] <= c.most, "%s:%d: %d not %v", p.name, line, have[line], c)
			}
			formed++
		}
		for n := range 6 {
			way := compile.Options{
				Guards: []compile.Guards{compile.Caller, compile.Callee}[n%2],
				Blocks: []compile.Blocks{compile.Largest, compile.Medium, compile.Finest}[n/2],
			}
			have := hitsOf(t, p.file, args, way)
			var off []string
			for _, line := range slices.Sorted(maps.Keys(want)) {
				if c := want[line]; have[line] >= c.least && have[line] <= c.most {
					right++
				} else {
					wrong++
					off = append(off, fmt.Sprintf("%d: %d not %v", line, have[line], c))
				}
			}
			if off != nil {
				fmt.Fprintf(&b, "%s %s, %s: %s\n", p.name, argText(args), wayText(way), strings.Join(off, ", "))
			}
		}
	}
	require.Greater(t, formed, 10)
	fmt.Fprintf(&b, "%d lines wrong, %d right\n", wrong, right)
	golden.Check(t, "lines.txt", []byte(b.String()))
}

// hitsOf returns how often the debugger comes to the lines of a program, on 4 PEs.
func hitsOf(t *testing.T, file string, args []int64, way compile.Options) map[int]int {
	pes := 4
	s := &run.Spec{Machine: run.Machine{Name: "emc-r", PEs: &pes}, Program: file, Args: strings.Fields(argText(args)), Params: map[string]string{}, Seed: 1, Threads: 1}
	for name, value := range map[string]string{"blocks": string(way.Blocks), "guards": string(way.Guards)} {
		if value != "" {
			s.Params[name] = value
		}
	}
	target, err := s.Build(context.Background())
	require.NoError(t, err)
	x := run.New(target, run.Plan{Runs: 1, Window: 1})
	require.NoError(t, x.Begin())
	var out bytes.Buffer
	d := debug.New(x, &out)
	hits := map[int]int{}
	var lines []int // of the stops
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for n := range strings.Count(string(text), "\n") {
		const never = "1000000000" // counts hits without a stop
		if d.Do(context.Background(), fmt.Sprintf("break %s:%d times %s", filepath.Base(file), n+1, never)) == nil {
			lines = append(lines, n+1)
		}
	}
	require.NotEmpty(t, lines)
	require.NoError(t, d.Do(context.Background(), "continue"), "%s", &out)
	for i, s := range d.Stops() {
		hits[lines[i]] = s.Hits
	}
	return hits
}

// count is how often a line runs: a number between two bounds.
type count struct{ least, most int }

func (c count) String() string {
	if c.least == c.most {
		return fmt.Sprint(c.least)
	}
	return fmt.Sprintf("%d to %d", c.least, c.most)
}

// covered is a binary of several programs that counts how often it runs each block.
type covered struct {
	folder   string
	programs []testProgram
	inits    map[string]int // how often each block runs before main, which the debugger does not see
}

// newCovered builds the binary. Each program is a package of its own, with all lines in their places.
func newCovered(t *testing.T, programs []testProgram) *covered {
	c := &covered{folder: t.TempDir(), programs: programs}
	write := func(name, text string) {
		file := filepath.Join(c.folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	write("go.mod", "module emsim\n\ngo 1.26.0\n")
	require.NoError(t, os.CopyFS(filepath.Join(c.folder, "df"), os.DirFS("../../df")))
	imports, cases := "", ""
	for i, p := range programs {
		write(fmt.Sprintf("p%d/p.go", i), strings.Replace(p.src, "\npackage main", fmt.Sprintf("\npackage p%d", i), 1))
		entry := regexp.MustCompile(`//emsim:(?:arg|entry).*\nfunc (\w+)\(\w+(?:, \w+)* (\w+)`).FindStringSubmatch(p.src)
		var args []string
		for k := range p.runs[0] {
			args = append(args, fmt.Sprintf("%s(a[%d])", entry[2], k))
		}
		write(fmt.Sprintf("p%d/run.go", i), fmt.Sprintf("package p%d\n\nfunc Run(a []int64) { _ = %s(%s) }\n", i, entry[1], strings.Join(args, ", ")))
		imports += fmt.Sprintf("\t\"emsim/p%d\"\n", i)
		cases += fmt.Sprintf("\t\tp%d.Run,\n", i)
	}
	write("main.go", fmt.Sprintf(`package main

import (
	"os"
	"strconv"

%s)

func main() {
	var args []int64
	for _, s := range os.Args[1:] {
		n, _ := strconv.ParseInt(s, 10, 64)
		args = append(args, n)
	}
	if len(args) > 0 {
		[]func([]int64){
%s		}[args[0]](args[1:])
	}
}
`, imports, cases))
	c.command(t, "go", "build", "-trimpath", "-cover", "-covermode=atomic", "-coverpkg=./...", "-o", "programs", ".")
	c.inits = c.profile(t)
	return c
}

func (c *covered) command(t *testing.T, name string, args ...string) {
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = c.folder
	cmd.Env = append(os.Environ(), "EMSIM_PES=4", "GOCOVERDIR="+filepath.Join(c.folder, "counts"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// profile runs the binary and returns how often it runs each block, by its text in the profile.
func (c *covered) profile(t *testing.T, args ...string) map[string]int {
	counts := filepath.Join(c.folder, "counts")
	require.NoError(t, os.RemoveAll(counts))
	require.NoError(t, os.Mkdir(counts, 0o700))
	c.command(t, filepath.Join(c.folder, "programs"), args...)
	c.command(t, "go", "tool", "covdata", "textfmt", "-i=counts", "-o=profile")
	text, err := os.ReadFile(filepath.Join(c.folder, "profile"))
	require.NoError(t, err)
	blocks := map[string]int{}
	for line := range strings.Lines(string(text)) {
		if i := strings.LastIndex(line, " "); strings.HasPrefix(line, "emsim/p") {
			blocks[line[:i]], err = strconv.Atoi(strings.TrimSpace(line[i:]))
			require.NoError(t, err)
		}
	}
	return blocks
}

// counts returns how often Go runs the lines of a program on which a statement begins.
func (c *covered) counts(t *testing.T, program int, args []int64) map[int]count {
	var blocks []coverBlock
	for text, n := range c.profile(t, append([]string{strconv.Itoa(program)}, strings.Fields(argText(args))...)...) {
		if rest, ok := strings.CutPrefix(text, fmt.Sprintf("emsim/p%d/p.go:", program)); ok {
			x := coverBlock{count: n - c.inits[text]}
			_, err := fmt.Sscanf(rest, "%d.%d,%d.%d", &x.from[0], &x.from[1], &x.to[0], &x.to[1])
			require.NoError(t, err)
			blocks = append(blocks, x)
		}
	}
	require.NotEmpty(t, blocks)
	return linesOf(t, c.programs[program].src, blocks)
}

// coverBlock is a range of text, and how often it runs.
type coverBlock struct {
	from, to [2]int
	count    int
}

// linesOf returns the counts of the lines of a program.
func linesOf(t *testing.T, src string, blocks []coverBlock) map[int]count {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	require.NoError(t, err)
	countAt := func(pos token.Pos) int {
		p := fset.Position(pos)
		at := [2]int{p.Line, p.Column}
		best := -1
		for i, b := range blocks {
			if slices.Compare(b.from[:], at[:]) <= 0 && slices.Compare(at[:], b.to[:]) < 0 && (best < 0 || slices.Compare(b.from[:], blocks[best].from[:]) > 0) {
				best = i
			}
		}
		if best < 0 {
			return 0
		}
		return blocks[best].count
	}
	lines := map[int]count{}
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || fn.Name.Name == "main" || fn.Name.Name == "init" {
			continue
		}
		ast.PreorderStack(fn.Body, nil, func(n ast.Node, stack []ast.Node) bool {
			s, ok := n.(ast.Stmt)
			if !ok {
				return true
			}
			line := fset.Position(s.Pos()).Line
			_, known := lines[line]
			c := count{countAt(s.Pos()), countAt(s.Pos())}
			switch s := s.(type) {
			case *ast.BlockStmt, *ast.LabeledStmt, *ast.CaseClause, *ast.EmptyStmt:
				return true
			case *ast.ForStmt:
				c.most += countAt(s.Body.Lbrace + 1)
			case *ast.RangeStmt:
				c.most += countAt(s.Body.Lbrace + 1)
			}
			in := slices.IndexFunc(stack, func(n ast.Node) bool {
				lit, isLit := n.(*ast.FuncLit)
				return isLit && fset.Position(lit.Pos()).Line == line
			})
			switch was := lines[line]; {
			case !known:
				lines[line] = c
			case in >= 0: // a literal's statement in the line of the statement with the literal
				lines[line] = count{was.least + c.least, was.most + c.most}
			}
			return true
		})
	}
	return lines
}
