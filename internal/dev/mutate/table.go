package main

import (
	"bufio"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// goal is the share of its mutants, in per cent, that a package's own tests
// should kill.
const goal = 85

//go:embed equivalent.txt
var equivalentText string

// equivalents reads the mutants that no test can kill: a line with package and
// key, followed by a line that begins with a tab and says why.
func equivalents() (map[string]string, error) { return readEquivalents(equivalentText) }

func readEquivalents(text string) (map[string]string, error) {
	same, last := map[string]string{}, ""
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		why, isReason := strings.CutPrefix(line, "\t")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case isReason && last == "":
			return nil, fmt.Errorf("equivalent.txt:%d: a reason without a mutant before it", n)
		case isReason:
			same[last], last = why, ""
		case last != "":
			return nil, fmt.Errorf("equivalent.txt:%d: the mutant before this line has no reason", n)
		default:
			last = line
		}
	}
	if last != "" {
		return nil, fmt.Errorf("equivalent.txt: the last mutant has no reason")
	}
	return same, lines.Err()
}

// A row is the result of one package.
type row struct {
	Package                                                  string
	Points, Tried, Killed, Survived, Unreached, Equal, Broke int
	Left                                                     []string // surviving mutants
}

// count adds a verdict.
func (r *row) count(v result) {
	switch v.Verdict {
	case invalid:
		r.Broke++
		return
	case equivalent:
		r.Equal++
		return
	case survived:
		r.Survived++
	case unreached:
		r.Unreached++
	default:
		r.Killed++
	}
	r.Tried++
}

// share is the killed part in per cent.
func (r *row) share() int {
	if r.Tried == 0 {
		return 100
	}
	return 100 * r.Killed / r.Tried
}

func (r row) String() string {
	return fmt.Sprintf("%-28s %3d %% killed: %d of %d, %d not reached, %d equivalent left out", r.Package, r.share(), r.Killed, r.Tried, r.Unreached, r.Equal)
}

func sum(rows []row) row {
	t := row{Package: "all"}
	for _, r := range rows {
		t.Points, t.Tried, t.Killed = t.Points+r.Points, t.Tried+r.Tried, t.Killed+r.Killed
		t.Survived, t.Unreached, t.Equal = t.Survived+r.Survived, t.Unreached+r.Unreached, t.Equal+r.Equal
	}
	return t
}

// page is docs/MUTATION.md: the table, the surviving mutants, and those that no
// test can kill.
func page(rows []row, same map[string]string, seed uint64) []byte {
	var b strings.Builder
	t := sum(rows)
	fmt.Fprintf(&b, pageHead, seed, goal, t.Killed, t.Tried, t.share())
	b.WriteString("| package | places | mutants | killed | survived | not reached | share |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for _, r := range append(slices.Clone(rows), t) {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d | %d %% |\n", r.Package, r.Points, r.Tried, r.Killed, r.Survived, r.Unreached, r.share())
	}
	b.WriteString("\n## Mutants that live\n\nNo test of their own package notices these changes.\n\n")
	for _, r := range rows {
		for _, l := range r.Left {
			fmt.Fprintf(&b, "* %s/%s\n", r.Package, l)
		}
	}
	b.WriteString("\n## Mutants that no test can kill\n\nThe program with the change does the same as without it; they are left out of the table.\n\n")
	for _, key := range slices.Sorted(maps.Keys(same)) {
		fmt.Fprintf(&b, "* `%s`: %s\n", strings.ReplaceAll(key, "`", "'"), same[key])
	}
	return []byte(b.String())
}

const pageHead = `# Would the tests notice?

A mutant is the program with one small mistake in it: another comparison, a constant off by one, a statement left out.
A good test suite fails for every one of them. ` + "`go run ./internal/dev/mutate`" + ` draws a sample of mutants from every package and
runs **only the package's own tests** against each. It keeps its verdicts, so it can be stopped and started again at any time.
Left out are assertions (an ` + "`if`" + ` that only panics), sizes in ` + "`make`" + `, and texts. The sample below has seed %d. The aim is %d %% in every package.

**%d of %d mutants are killed, %d %%.**

`
