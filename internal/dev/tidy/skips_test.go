package tidy

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// skips lists the files that may skip tests or look for programs, with the reason.
var skips = map[string]string{
	"internal/dev/needs/needs.go":                  "the one place that does: with CI=true it fails instead",
	"internal/base/wholefile/wholefile_test.go":    "/proc is a matter of the system, not of what is installed",
	"internal/base/wholefile/nobody_other_test.go": "what root may do is a matter of the user",
	"internal/base/input/input_test.go":            "/proc and sockets are a matter of the system",
	"internal/command/terminal_linux_test.go":      "pseudo-terminals are a matter of the system",
	"internal/compile/gobuild_test.go":             "whether programs for 386 run is a matter of the system",
}

// conditions matches the lines of a test script that depend on an installed program, or that end the script. It does
// not match conditions on Unix.
var conditions = regexp.MustCompile(`^(?:\[[^\]]*\]\s*)*(?:\[!?exec:[^\]]*\].*|skip\b.*)$`)

// checkSkips requires that tests use package needs to look for programs and to skip.
func checkSkips(r *repo) []finding {
	var out []finding
	for _, s := range r.sources {
		if strings.HasSuffix(s.path, ".txtar") {
			out = append(out, checkScript(s)...)
		}
		if s.code == nil || skips[s.path] != "" || !s.isTest() && !importsTesting(s) {
			continue
		}
		ast.Inspect(s.code, func(n ast.Node) bool {
			x, ok := n.(*ast.SelectorExpr)
			switch {
			case !ok:
			case slices.Contains([]string{"Skip", "Skipf", "SkipNow", "LookPath"}, x.Sel.Name):
				out = append(out, r.find(x.Sel.Pos(),
					"%s in a test; ask needs.Tool, which fails with CI=true (exceptions: skips in "+
						"internal/dev/tidy/skips_test.go)", x.Sel.Name))
			}
			return true
		})
	}
	return out
}

func importsTesting(s *source) bool {
	return slices.ContainsFunc(s.code.Imports,
		func(spec *ast.ImportSpec) bool { return spec.Path.Value == `"testing"` })
}

// checkScript checks the commands of a script; its files begin at "-- ".
func checkScript(s *source) []finding {
	var out []finding
	for i, line := range strings.Split(s.text, "\n") {
		if strings.HasPrefix(line, "-- ") {
			break
		}
		if conditions.MatchString(line) && !strings.HasPrefix(line, "[!unix] skip") {
			out = append(out, finding{
				s.path, i + 1,
				"this depends on what is installed; use [unix], or a test in Go with needs.Tool",
			})
		}
	}
	return out
}

// checkTestCommand requires that the README shows the command that CI runs.
func checkTestCommand(r *repo) []finding {
	const script = ".ci/run"
	lines := map[string][]string{}
	for _, s := range r.sources {
		if s.path == script || s.path == "README.md" {
			for line := range strings.Lines(s.text) {
				command, _, _ := strings.Cut(line, "#")
				if s.path != script {
					command, _, _ = strings.Cut(command, "&&") // without the command that reports skipped tests
				}
				lines[s.path] = append(lines[s.path], strings.TrimSpace(command))
			}
		}
	}
	var out []finding
	if !slices.Contains(lines[script], "export CI=true") {
		out = append(out, finding{script, 0, "without 'export CI=true' tests whose tools are missing are skipped"})
	}
	if !slices.Contains(lines[script], ".ci/tools") {
		out = append(out, finding{script, 0, "without '.ci/tools' the tests' programs are missing on a fresh machine"})
	}
	i := slices.IndexFunc(lines[script], func(line string) bool { return strings.HasPrefix(line, "go test ") })
	switch {
	case i < 0:
		out = append(out, finding{script, 0, "no line begins with 'go test '"})
	case !slices.Contains(lines["README.md"], lines[script][i]):
		out = append(out, finding{"README.md", 0, "the tests are run otherwise than CI does: " + lines[script][i]})
	}
	return out
}

func TestSkipsCanFail(t *testing.T) {
	expect(t, checkSkips, `
-- internal/dev/needs/needs.go --
package needs
import "testing"
func f(t testing.TB) { t.Skipf("x") }
-- asm/lex.go --
package asm
func (l *lexer) f() { l.Skip() }
-- cmd/emsim/testdata/script/a.txtar --
# skip nothing
[!unix] skip 'no terminals'
[unix] exec sh
-- a.s --
skip
`)
	expect(t, checkSkips, `
-- a/a_test.go --
package a
import "testing"
func f(t *testing.T) {
	t.Skip("x")
	t.Skipf("x")
	t.SkipNow()
	_, _ = exec.LookPath("x")
}
-- internal/helper/h.go --
package helper
import "testing"
func f(t *testing.T) { t.SkipNow() }
-- x.txtar --
[exec:head] exec head
[unix] [!exec:sh] stop
skip 'today'
[windows] skip
`,
		"a/a_test.go:4: Skip in a test; ask needs.Tool",
		"a/a_test.go:5: Skipf in a test",
		"a/a_test.go:6: SkipNow in a test",
		"a/a_test.go:7: LookPath in a test",
		"internal/helper/h.go:3: SkipNow in a test",
		"x.txtar:1: this depends on what is installed",
		"x.txtar:2: this depends",
		"x.txtar:3: this depends",
		"x.txtar:4: this depends",
	)
}

func TestTestCommandCanFail(t *testing.T) {
	expect(t, checkTestCommand, `
-- .ci/run --
export CI=true # why
.ci/tools
go test -timeout 1h ./...
-- README.md --
go test -timeout 1h ./...   # the tests
`)
	expect(t, checkTestCommand, `
-- .ci/run --
go test -timeout 1h ./...
-- README.md --
go test ./...   # the tests
`, ".ci/run: without 'export CI=true'", ".ci/run: without '.ci/tools'",
		"README.md: the tests are run otherwise than CI does: go test -timeout 1h ./...")
	expect(t, checkTestCommand, "\n-- .ci/run --\nexport CI=true\n.ci/tools\n",
		".ci/run: no line begins with 'go test '")
}
