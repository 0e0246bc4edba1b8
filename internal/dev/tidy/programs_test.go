package tidy

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// toolsFile lists the programs that needs.Tool finds and .ci/tools installs.
const toolsFile = "internal/dev/needs/tools.txt"

// everywhere lists the programs that need not be installed: go runs the tests, and Debian always has the others.
var everywhere = []string{"go", "bash", "sh", "grep", "head", "mkfifo", "sed", "sleep"}

// computed maps the files that run a program whose name is not in the text to a description of the program.
var computed = map[string]string{
	"docs/goexamples_test.go":            "built by the test",
	"internal/command/interrupt_test.go": "emsim or sh",
	"internal/compile/gobuild_test.go":   "built by the test",
	"internal/compile/lines_test.go":     "built by the test",
	"internal/compile/stops_test.go":     "built by the test",
	"internal/command/play.go":           "the user's browser, which no test opens",
	"internal/command/slurmcluster_linux_test.go": "Slurm's commands; startSlurm asks for sbatch, which comes " +
		"with the others",
	"tools/mutate/package.go":            "built by the tool",
	"tools/toy/toy_test.go":              "the test itself",
	"tools/release/release_slow_test.go": "built by .ci/release",
	"internal/dev/needs/needs.go":        "the one place that looks",
	"internal/study/slurm/queue.go":      "Slurm's commands, as above",
	"rtl/build_test.go":                  "verilator, for which rtl_test.go asks",
	"rtl/chips_test.go":                  "built by verilator",
	"rtl/differs_test.go":                "built by verilator",
	"rtl/proofs_test.go":                 "yosys and berkeley-abc, which needs.Tool finds",
	"sim/outside_test.go":                "the go commands of docs/API.md",
}

// checkPrograms requires that .ci/tools installs every program that tests, or the code under test, run.
func checkPrograms(r *repo) []finding {
	tools := map[string]bool{}
	for _, s := range r.sources {
		if s.path == toolsFile {
			for line := range strings.Lines(s.text) {
				tools[strings.Fields(line + " #")[0]] = true
			}
		}
	}
	var out []finding
	for _, s := range r.sources {
		if strings.HasSuffix(s.path, ".txtar") {
			out = append(out, checkScriptPrograms(s)...)
		}
		if s.code == nil {
			continue
		}
		found := foundPrograms(s.code)
		ast.Inspect(s.code, func(n ast.Node) bool {
			name, asks := program(n)
			if name == nil {
				return true
			}
			text, isText := literal(name)
			switch {
			case isText && (asks || !s.isTest()) && tools[text], isText && !asks && slices.Contains(everywhere, text):
			case isText && tools[text]:
				out = append(out, r.find(n.Pos(), "%s may not be installed; run what needs.Tool returns", text))
			case isText:
				out = append(out, r.find(n.Pos(), "nothing installs %s for the tests; add a line to %s", text,
					toolsFile))
			case !found(name) && computed[s.path] == "":
				out = append(out, r.find(n.Pos(),
					"which program is this? name it, or add the file to computed in "+
						"internal/dev/tidy/programs_test.go"))
			}
			return true
		})
	}
	return out
}

// program returns the argument of a call that names a program, and whether the call only looks for the program instead
// of running it. It returns nil for all other nodes.
func program(n ast.Node) (name ast.Expr, asks bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	at, ok := map[string]int{
		"exec.Command": 0, "exec.LookPath": 0, "exec.CommandContext": 1,
		"needs.Tool": 1,
	}[selector(call.Fun)]
	if !ok || at >= len(call.Args) {
		return nil, false
	}
	return call.Args[at], selector(call.Fun) == "needs.Tool"
}

// selector returns the text of an expression "a.b", or "".
func selector(x ast.Expr) string {
	if s, ok := x.(*ast.SelectorExpr); ok {
		if id, ok := s.X.(*ast.Ident); ok {
			return id.Name + "." + s.Sel.Name
		}
	}
	return ""
}

func literal(x ast.Expr) (string, bool) {
	if lit, ok := x.(*ast.BasicLit); ok {
		text, err := strconv.Unquote(lit.Value)
		return text, err == nil
	}
	return "", false
}

// foundPrograms returns a function that recognises the test itself, os.Args[0], and the variables of a file that hold
// results of needs.Tool or exec.LookPath.
func foundPrograms(file *ast.File) func(ast.Expr) bool {
	variables := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok {
			for i, x := range a.Rhs {
				call, _ := x.(*ast.CallExpr)
				id, _ := a.Lhs[i].(*ast.Ident)
				if call != nil && id != nil &&
					slices.Contains([]string{"needs.Tool", "exec.LookPath"}, selector(call.Fun)) {
					variables[id.Name] = true
				}
			}
		}
		return true
	})
	return func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.Ident:
			return variables[x.Name]
		case *ast.IndexExpr:
			return selector(x.X) == "os.Args"
		}
		return false
	}
}

// scriptProgram matches a line of a test script that runs a program.
var scriptProgram = regexp.MustCompile(`^(?:\[[^\]]*\]\s*)*[!?]?\s*exec\s+(\S+)`)

func checkScriptPrograms(s *source) []finding {
	var out []finding
	for i, line := range strings.Split(s.text, "\n") {
		if strings.HasPrefix(line, "-- ") {
			break
		}
		if m := scriptProgram.FindStringSubmatch(line); m != nil && m[1] != "emsim" &&
			!slices.Contains(everywhere, m[1]) {
			out = append(out, finding{
				s.path, i + 1,
				fmt.Sprintf("%s may not be installed; write a test in Go with needs.Tool", m[1]),
			})
		}
	}
	return out
}

func TestProgramsCanFail(t *testing.T) {
	const tools = `
-- internal/dev/needs/tools.txt --
# Programs.
yosys  yosys
vcd2fst  gtkwave
`
	expect(t, checkPrograms, tools+`
-- a/a_test.go --
package a
func f() {
	x, y := needs.Tool(t, "yosys"), 0
	exec.Command(x)
	exec.Command("sh", "-c", "true")
	exec.Command(os.Args[0])
}
-- a/a.go --
package a
func f() {
	exec.CommandContext(ctx, "yosys")
	x, _ := exec.LookPath("go")
	exec.CommandContext(ctx, x)
}
-- internal/study/slurm/queue.go --
package slurm
var _ = exec.Command(name)
-- x.txtar --
[unix] ! exec sh -c x
exec emsim
-- y --
exec y
`)
	expect(t, checkPrograms, tools+`
-- a/a_test.go --
package a
func f() {
	needs.Tool(t, "gtkwave")
	needs.Tool(t, "go")
	needs.Tool(t, name)
	exec.Command("yosys")
	exec.Command("dot")
	x := g()
	exec.Command(x)
}
-- a/b.go --
//go:build slow && windows

package a
var _ = exec.CommandContext(ctx, "dot")
-- x.txtar --
[unix] ! exec dot
`,
		"a/a_test.go:3: nothing installs gtkwave for the tests; add a line to internal/dev/needs/tools.txt",
		"a/a_test.go:4: nothing installs go",
		"a/a_test.go:5: which program is this?",
		"a/a_test.go:6: yosys may not be installed; run what needs.Tool returns",
		"a/a_test.go:7: nothing installs dot",
		"a/a_test.go:9: which program is this?",
		"a/b.go:4: nothing installs dot",
		"x.txtar:1: dot may not be installed",
	)
}
