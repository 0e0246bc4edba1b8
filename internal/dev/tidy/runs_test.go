package tidy

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	testCommand = regexp.MustCompile("go test [^`\n#]*")
	testChoice  = regexp.MustCompile(`-run[ =](?:'([^']+)'|([^' ]+))`)
	testPackage = regexp.MustCompile(`\./[\w/.]*`)
	testFunc    = regexp.MustCompile(`(?m)^func (Test\w+)\(`)
)

// checkRuns requires that every 'go test -run' of a page chooses a test in each of its packages, and that every part of
// the choice chooses one.
func checkRuns(r *repo) (out []finding) {
	for _, s := range r.sources {
		if path.Ext(s.path) != ".md" {
			continue
		}
		for i, line := range strings.Split(s.text, "\n") {
			for _, command := range testCommand.FindAllString(line, -1) {
				choice := testChoice.FindStringSubmatch(command)
				if choice == nil || strings.Contains(command, "-bench") {
					continue
				}
				for _, text := range choosesNone(r, command, choice[1]+choice[2]) {
					out = append(out, finding{s.path, i + 1, command + ": " + text})
				}
			}
		}
	}
	return out
}

// choosesNone names the packages of a command in which its choice finds no test, and the parts that find none anywhere.
func choosesNone(r *repo, command, choice string) (out []string) {
	choice, _, _ = strings.Cut(choice, "/") // the rest chooses a part of the test
	parts, found := strings.Split(choice, "|"), map[string]bool{}
	for _, dir := range testPackage.FindAllString(command, -1) {
		chosen := false
		for _, s := range r.goFiles((*source).isTest) {
			if s.dir() != path.Clean(dir) || needsSlow(s) && !strings.Contains(command, "-tags slow") {
				continue
			}
			for _, test := range testFunc.FindAllStringSubmatch(s.text, -1) {
				for _, part := range parts {
					if regexp.MustCompile(part).MatchString(test[1]) {
						chosen, found[part] = true, true
					}
				}
			}
		}
		if !chosen {
			out = append(out, "no such test in "+dir)
		}
	}
	for _, part := range parts {
		if !found[part] {
			out = append(out, "no test is named "+part)
		}
	}
	return slices.Compact(out)
}

func TestRunsCanFail(t *testing.T) {
	const tests = "\n-- a/b/x_test.go --\npackage b\nfunc TestOne(t *testing.T) {}\nfunc TestTwo(t *testing.T) {}\n" +
		"-- c/y_test.go --\n//go:build slow\n\npackage c\nfunc TestThree(t *testing.T) {}\n-- p.md --\n"
	expect(t, checkRuns, tests+"`go test ./a/b -run 'One|Two' -update`, `go test ./c`\n"+
		"go test -tags slow ./a/b ./c -run T   # all\ngo test -run TestOne/part ./a/b -v\n"+
		"go test ./a/b -run '^$' -bench .\n")
	expect(t, checkRuns, tests+"`go test ./a/b -run 'One|Four' -update`\n\n"+
		"`go test ./c -run Three`, `go test ./d -run=T`\n",
		"p.md:1: go test ./a/b -run 'One|Four' -update: no test is named Four",
		"p.md:3: go test ./c -run Three: no such test in ./c", "p.md:3: go test ./c -run Three: no test is named Three",
		"p.md:3: go test ./d -run=T: no such test in ./d", "p.md:3: go test ./d -run=T: no test is named T")
}
