package compile_test

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"emsim/asm"
	"emsim/emcr"
	"emsim/internal/compile/panics"
)

// The oracle is the Go compiler. It builds many programs into one binary, which answers one run after another.

// goProgram is a program, its objects as emsim compiles it in one or more ways, and the arguments of its runs.
type goProgram struct {
	src     string
	objects []*asm.Object
	text    string // instead of objects, which take more memory: what emsim compiles it to
	runs    [][]int64
}

// goAnswer is Go's answer: a word, or what the program panics with.
type goAnswer struct {
	word   uint64
	panics string
}

const goMain = `package main

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"strconv"
	"time"
)

func show(v any) {
	if runtime.NumGoroutine() > 1 {
		time.Sleep(2 * time.Millisecond) // a panic of one closes its channel first, and then ends the program
	}
	switch v := v.(type) {
	case int32:
		fmt.Println(uint32(v))
	case uint32:
		fmt.Println(v)
	case int:
		fmt.Println(uint(v))
	case uint:
		fmt.Println(v)
	case float32:
		fmt.Println(math.Float32bits(v))
	case bool:
		fmt.Println(map[bool]int{true: 1}[v])
	default:
		os.Exit(3)
	}
}

func main() {
	first, _ := strconv.Atoi(os.Args[1])
	for _, run := range runs[first:] {
		run()
	}
}

var runs = []func(){
`

// byGo builds programs with the Go compiler in an environment, runs them one after another, and returns their
// answers.
func byGo(t *testing.T, programs []goProgram, env ...string) []goAnswer {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("go.mod", "module emsim\n\ngo 1.26.0\n")
	require.NoError(t, os.CopyFS(filepath.Join(dir, "df"), os.DirFS("../../df")))
	main, runs := strings.Builder{}, 0
	main.WriteString(goMain)
	for i, p := range programs {
		write(fmt.Sprintf("p%d.go", i), besideOthers(t, p.src, i))
		entry := regexp.MustCompile(`//emsim:(?:arg|entry).*\nfunc (\w+)`).FindStringSubmatch(p.src)[1]
		for _, args := range p.runs {
			list := strings.ReplaceAll(strings.Trim(fmt.Sprint(args), "[]"), " ", ", ")
			fmt.Fprintf(&main, "\tfunc() { show(%s_%d(%s)) },\n", entry, i, list)
			runs++
		}
	}
	write("main.go", main.String()+"}\n")
	binary := filepath.Join(dir, "programs")
	build := exec.Command("go", "build", "-trimpath", "-o", binary, ".")
	build.Dir, build.Env = dir, append(os.Environ(), env...)
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	var answers []goAnswer
	run := []string{binary}
	if len(env) > 0 {
		run = []string{"go", "run", "-trimpath", "."} // go run finds an emulator for other machines
	}
	for len(answers) < runs {
		answers = append(answers, goRuns(t, dir, append(run, strconv.Itoa(len(answers))), env)...)
	}
	return answers
}

// besideOthers renames everything that a program declares, so that no other program has the same names.
func besideOthers(t *testing.T, src string, n int) string {
	fset, names, types := token.NewFileSet(), map[string]bool{}, map[string]bool{}
	f, err := parser.ParseFile(fset, "p.go", src, parser.SkipObjectResolution)
	require.NoError(t, err, src)
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			names[d.Name.Name] = names[d.Name.Name] || d.Name.Name != "init" && d.Recv == nil
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, id := range s.Names {
						names[id.Name] = true
					}
				case *ast.TypeSpec:
					names[s.Name.Name], types[s.Name.Name] = true, true
				}
			}
		}
	}
	ast.PreorderStack(f, nil, func(x ast.Node, stack []ast.Node) bool {
		if id, ok := x.(*ast.Ident); ok && names[id.Name] {
			if s, ok := stack[len(stack)-1].(*ast.SelectorExpr); !ok || s.Sel != id || types[id.Name] { // a field can have its type's name
				id.Name = fmt.Sprintf("%s_%d", id.Name, n)
			}
		}
		return true
	})
	var b strings.Builder
	require.NoError(t, format.Node(&b, fset, f))
	return b.String()
}

// goRuns runs the binary from one run on, until it ends or panics.
func goRuns(t *testing.T, dir string, run, env []string) (answers []goAnswer) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	var stderr strings.Builder
	cmd := exec.CommandContext(ctx, run[0], run[1:]...)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "EMSIM_PES=12", "GOTRACEBACK=none"), env...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	for line := range strings.Lines(string(out)) {
		n, err := strconv.ParseUint(strings.TrimSpace(line), 10, 64)
		require.NoError(t, err)
		answers = append(answers, goAnswer{word: n})
	}
	if err == nil {
		return answers
	}
	text, _, _ := strings.Cut(stderr.String(), "\n")
	skipWithout(t, text, env)
	require.True(t, strings.HasPrefix(text, "panic: "), "%v: %s", err, text)
	if _, says, ok := strings.Cut(text, "runtime error: "); ok {
		return append(answers, goAnswer{panics: says})
	}
	if says := strings.TrimPrefix(text, "panic: "); strings.HasSuffix(says, " closed channel") {
		return append(answers, goAnswer{panics: says})
	}
	return append(answers, goAnswer{panics: "it called panic"})
}

// skipWithout skips a test whose programs are for machines that this computer cannot be.
func skipWithout(t *testing.T, failure string, env []string) {
	if strings.Contains(failure, "exec format error") {
		t.Skipf("this computer runs no programs for %v, and go finds nothing on PATH that does (go_linux_386_exec)",
			env)
	}
}

// sameAsGo requires Go's answers from all objects of the programs, on the machine and on the interpreter whose
// packets overtake each other.
func sameAsGo(t *testing.T, programs []goProgram, env ...string) {
	t.Helper()
	answers := byGo(t, programs, env...)
	for _, p := range programs {
		objects := p.objects
		if p.text != "" {
			objects = []*asm.Object{assembleText(t, "p.go", p.text, nil)}
		}
		for _, run := range p.runs {
			want := answers[0]
			answers = answers[1:]
			var args []uint64
			for _, a := range run {
				args = append(args, word(a))
			}
			for way, object := range objects {
				want.demand(t, object, args, fmt.Sprintf("%v, way %d\n%s", run, way, p.src))
			}
		}
	}
}

// demand requires an answer from a program, now and then with few segments.
func (want goAnswer) demand(t *testing.T, o *asm.Object, args []uint64, about string) {
	t.Helper()
	segments := 896
	if len(about)%4 == 0 && !strings.Contains(about, "chan ") { // the ends of channels may need more
		segments = 72
	}
	got, err := onSmall(t, o, 12, segments, args...)
	if want.panics != "" {
		text, ok := panicOf(o, err)
		require.True(t, ok, "Go says %s: %v: %s", want.panics, err, about)
		require.Contains(t, want.panics, strings.TrimPrefix(text, "the program panics: "), about)
		return
	}
	require.NoError(t, err, about)
	require.Equal(t, []uint64{want.word}, got.Words, about)
	reference, err := onReference(t, o, args...)
	require.NoError(t, err, about)
	require.Equal(t, got.Words, reference.Words, about)
}

// panicOf returns what a program panicked with.
func panicOf(o *asm.Object, err error) (string, bool) {
	var fault *emcr.Fault
	if !errors.As(err, &fault) {
		return "", false
	}
	return panics.Text(o.NameAt(fault.PC))
}
