package tidy

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// The limits, in lines.
const (
	longestFunc = 70
	longestFile = 400
)

// widest is the largest number of columns in a line; a tab counts as four. mostWide is the number of lines of all Go
// files that may be wider. It may only fall. Rows of tables may be wider and are not counted: whoever adds one like
// the others breaks no rule.
const (
	widest   = 120
	mostWide = 639
)

// tableRow matches an element of a composite literal that is one line.
var tableRow = regexp.MustCompile(`^\t+(?:\w+: +)?\{.*\},\n?$`)

// ratchetFile lists the exceptions, one per line: "func" or "file", the name, its length in lines, and the reason. The
// lengths may only fall.
const ratchetFile = "internal/dev/tidy/testdata/ratchet.txt"

type ratchet struct {
	line, limit int
	used        bool
}

func checkLength(r *repo) []finding {
	entries, out := readRatchet(r)
	measure := func(kind, name string, lines, limit int, at finding) {
		key := kind + " " + name
		e := entries[key]
		if e != nil {
			e.used = true
		}
		switch {
		case e == nil && lines > limit:
			at.text = fmt.Sprintf("%s has %d lines, the limit is %d; split it, or add \"%s %d REASON\" to %s", key,
				lines, limit, key, lines, ratchetFile)
		case e != nil && lines <= limit:
			at.text = fmt.Sprintf("%s has only %d lines now; take it out of %s:%d", key, lines, ratchetFile, e.line)
		case e != nil && lines < e.limit:
			at.text = fmt.Sprintf("%s has only %d lines now; put %d for %d in %s:%d", key, lines, lines, e.limit,
				ratchetFile, e.line)
		case e != nil && lines > e.limit:
			at.text = fmt.Sprintf("%s has grown from %d to %d lines; split it (%s:%d)", key, e.limit, lines,
				ratchetFile, e.line)
		default:
			return
		}
		out = append(out, at)
	}
	for _, s := range r.goFiles(func(s *source) bool { return !ast.IsGenerated(s.code) }) {
		measure("file", s.path, strings.Count(s.text, "\n"), longestFile, finding{s.path, 1, ""})
		for _, d := range s.code.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && !isTable(f) {
				lines := r.fset.Position(f.End()).Line - r.fset.Position(f.Pos()).Line + 1
				measure("func", s.dir()+"."+funcName(f), lines, longestFunc, r.find(f.Pos(), ""))
			}
		}
	}
	for key, e := range entries {
		if !e.used {
			out = append(out, finding{ratchetFile, e.line, "there is no " + key + " any more; take the line out"})
		}
	}
	slices.SortFunc(out, func(a, b finding) int { return strings.Compare(a.String(), b.String()) })
	return out
}

// isTable reports whether a function only returns a composite literal, as a list of knobs does. Such a table is as long
// as its rows are many, and has nothing to split.
func isTable(f *ast.FuncDecl) bool {
	if f.Body == nil || len(f.Body.List) != 1 {
		return false
	}
	r, ok := f.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	_, ok = r.Results[0].(*ast.CompositeLit)
	return ok
}

// checkWidth limits the number of long lines.
func checkWidth(r *repo) []finding { return wider(r, mostWide) }

// wider reports whether there are more long lines than allowed, or far fewer.
func wider(r *repo, most int) (out []finding) {
	n := 0
	for _, s := range r.goFiles(func(*source) bool { return true }) {
		for line := range strings.Lines(s.text) {
			if utf8.RuneCountInString(strings.TrimSuffix(line, "\n"))+3*strings.Count(line, "\t") > widest &&
				!tableRow.MatchString(line) {
				n++
			}
		}
	}
	const text = "%d lines of Go have more than %d columns, and mostWide of " +
		"internal/dev/tidy/length_test.go allows %d: "
	switch {
	case n > most:
		out = append(out, finding{"the repository", 0, fmt.Sprintf(text+"break some", n, widest, most)})
	case n < most-25:
		out = append(out, finding{"the repository", 0, fmt.Sprintf(text+"lower it", n, widest, most)})
	}
	return out
}

func TestWidthCanFail(t *testing.T) {
	line := func(name string) string { return "var " + name + " = `\t" + strings.Repeat("é", 106) + "`\n" }
	r := fixture(t, "-- a/a.go --\npackage a\n"+line("a")+line("bb")+line("cc")) // the first line has 120 columns
	require.Empty(t, wider(r, 2))
	require.Empty(t, wider(r, 27))
	require.Contains(t, wider(r, 1)[0].String(), "2 lines of Go have more than 120 columns")
	require.Contains(t, wider(r, 28)[0].String(), "lower it")

	wide := strings.Repeat("x", widest)
	table := fixture(t, "-- a/a.go --\npackage a\nvar x = []y{\n\t{Name: \""+wide+"\"},\n\tA: {\""+wide+"\"},\n}\n")
	require.Empty(t, wider(table, 0))
}

// funcName returns Name or Type.Name.
func funcName(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	return typeName(f.Recv.List[0].Type) + "." + f.Name.Name
}

// typeName returns the name of a receiver's type, without star and type parameters.
func typeName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return typeName(x.X)
	case *ast.IndexExpr:
		return typeName(x.X)
	case *ast.IndexListExpr:
		return typeName(x.X)
	case *ast.ParenExpr:
		return typeName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return "?"
}

func readRatchet(r *repo) (map[string]*ratchet, []finding) {
	entries := map[string]*ratchet{}
	var out []finding
	for _, s := range r.sources {
		if s.path != ratchetFile {
			continue
		}
		for i, line := range strings.Split(s.text, "\n") {
			f := strings.Fields(line)
			if len(f) == 0 || strings.HasPrefix(line, "#") {
				continue
			}
			if len(f) < 4 || f[0] != "func" && f[0] != "file" {
				out = append(out, finding{ratchetFile, i + 1, "expected \"func|file NAME LINES REASON\""})
				continue
			}
			n, err := strconv.Atoi(f[2])
			if err != nil {
				out = append(out, finding{ratchetFile, i + 1, fmt.Sprintf("%q is not a number of lines", f[2])})
				continue
			}
			entries[f[0]+" "+f[1]] = &ratchet{line: i + 1, limit: n}
		}
	}
	return entries, out
}

func TestLengthCanFail(t *testing.T) {
	long := func(name string, lines int) string {
		return "func " + name + "() {\n" + strings.Repeat("\n", lines-2) + "}\n"
	}
	expect(t, checkLength, "-- mnc/a.go --\npackage mnc\n"+long("f", 70)+"type T[K any] struct{}\n"+
		strings.Replace(long("g", 80), "func ", "func (t *T[K]) ", 1)+
		"-- internal/dev/tidy/testdata/ratchet.txt --\n# comment\nfunc mnc.T.g 80 one switch\n")
	expect(t, checkLength, "-- mnc/a.go --\npackage mnc\n"+long("f", 71)+long("grown", 90)+long("less", 75)+
		long("short", 10)+strings.Repeat("\n", 200)+
		"-- internal/dev/tidy/testdata/ratchet.txt --\nfunc mnc.grown 80 why\nfunc mnc.less 80 why\nfunc mnc.short "+
		"80 why\nfile mnc/gone.go 500 why\nfunc mnc.x eighty why\nfunc mnc.y 80\n",
		"internal/dev/tidy/testdata/ratchet.txt:4: there is no file mnc/gone.go any more",
		"internal/dev/tidy/testdata/ratchet.txt:5: \"eighty\" is not a number of lines",
		"internal/dev/tidy/testdata/ratchet.txt:6: expected \"func|file NAME LINES REASON\"",
		"mnc/a.go:163: func mnc.less has only 75 lines now; put 75 for 80 in internal/dev/tidy/testdata/ratchet.txt:2",
		"mnc/a.go:1: file mnc/a.go has 447 lines, the limit is 400; split it, or add \"file mnc/a.go 447 REASON\"",
		"mnc/a.go:238: func mnc.short has only 10 lines now; take it out of internal/dev/tidy/testdata/ratchet.txt:3",
		"mnc/a.go:2: func mnc.f has 71 lines, the limit is 70",
		"mnc/a.go:73: func mnc.grown has grown from 80 to 90 lines; split it",
	)
}

// Only a function that returns a composite literal and does nothing else may be longer, and its file may not.
func TestTablesMayBeLong(t *testing.T) {
	returns := func(name, before, what string, lines int) string {
		return "func " + name + "() any {\n" + before + "return " + what + strings.Repeat("\n", lines-2) + "}\n"
	}
	rows := "[]int{1," + strings.Repeat("\n1,", 68) + "\n}"
	expect(t, checkLength, "-- mnc/a.go --\npackage mnc\n"+returns("table", "", rows, 71))
	expect(t, checkLength, "-- mnc/a.go --\npackage mnc\n"+returns("table", "", rows, 340),
		"mnc/a.go:1: file mnc/a.go has 410 lines, the limit is 400")
	expect(t, checkLength, "-- mnc/a.go --\npackage mnc\n"+returns("first", "f(); ", rows, 2)+
		returns("last", "", rows+"; f()", 2)+
		returns("call", "", "f("+rows+")", 2)+returns("part", "", rows+"[0]", 2)+returns("two", "", rows+", 1", 2),
		"mnc/a.go:144: func mnc.call has 71 lines", "mnc/a.go:215: func mnc.part has 71 lines",
		"mnc/a.go:286: func mnc.two has 71 lines", "mnc/a.go:2: func mnc.first has 71 lines, the limit is 70",
		"mnc/a.go:73: func mnc.last has 71 lines")
}
